package dev.pawl.quarkus.deployment;

import dev.pawl.Batch;
import dev.pawl.JobQueue;
import dev.pawl.admin.BatchInfo;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.JobType;
import dev.pawl.quarkus.JobHandler;
import jakarta.inject.Inject;
import jakarta.transaction.SystemException;
import jakarta.transaction.Transaction;
import jakarta.transaction.TransactionManager;
import jakarta.transaction.Transactional;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Orders in a table; each is confirmed by a job. The class is a bean because it has handlers. */
public class Orders {
    public record Confirm(int order) {}

    static final JobType<Confirm> CONFIRM = JobType.of("order.confirm", Confirm.class);
    static final JobType<Integer> COUNT = JobType.of("order.count", Integer.class);
    static final JobType<Integer> AUDIT =
            JobType.of("order.audit", Integer.class).withDefaults(EnqueueOptions.DEFAULTS.queue("audit"));
    /** A queue without workers. */
    static final EnqueueOptions ARCHIVE = EnqueueOptions.DEFAULTS.queue("archive");

    @Inject
    DataSource dataSource;

    @Inject
    JobQueue queue;

    @Inject
    TransactionManager transactions;

    private int counted;

    private volatile @Nullable Transaction audited;

    void create() throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE orders (id integer PRIMARY KEY, confirmed integer)");
        }
    }

    /** The order and its job commit together, or neither does. */
    @Transactional
    void place(int order, boolean paid) throws SQLException {
        change("INSERT INTO orders (confirmed, id) VALUES (0, ?)", order);
        queue.enqueue(CONFIRM, new Confirm(order));
        if (!paid) {
            throw new IllegalStateException("not paid");
        }
    }

    /** Commits with the completion of its job. */
    @JobHandler(value = "order.confirm", transactional = true, timeout = "30s")
    void confirm(Confirm confirm) throws SQLException {
        change("UPDATE orders SET confirmed = confirmed + 1 WHERE id = ?", confirm.order());
    }

    /** Only the new job commits with the transaction. */
    @Transactional
    Optional<BatchInfo> replace(long former, int order, Batch batch, boolean paid) {
        queue.admin().jobs().cancel(former); // first, because SQLite has one writer at a time
        queue.enqueue(CONFIRM, new Confirm(order), ARCHIVE);
        Optional<BatchInfo> progress = batch.info();
        if (!paid) {
            throw new IllegalStateException("not paid");
        }
        return progress;
    }

    @JobHandler(value = "order.audit", queue = "audit", transactional = true)
    void audit(Integer order) throws SystemException {
        audited = transactions.getTransaction();
    }

    /** {@return the transaction of the last audit} */
    @Nullable
    Transaction audited() {
        return audited;
    }

    @JobHandler(value = "order.count", chunk = 10)
    synchronized void count(List<Integer> orders) {
        counted += orders.size();
    }

    synchronized int counted() {
        return counted;
    }

    private void change(String sql, int order) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setInt(1, order);
            statement.executeUpdate();
        }
    }

    String all() throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT id, confirmed FROM orders ORDER BY id")) {
            StringBuilder all = new StringBuilder();
            while (rows.next()) {
                all.append(rows.getInt(1)).append('=').append(rows.getInt(2)).append(' ');
            }
            return all.toString();
        }
    }
}

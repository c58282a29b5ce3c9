package dev.pawl.micronaut;

import dev.pawl.JobQueue;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.JobRun;
import dev.pawl.api.JobType;
import io.micronaut.transaction.TransactionDefinition;
import io.micronaut.transaction.TransactionOperations;
import io.micronaut.transaction.annotation.Transactional;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** Orders in a table; each is confirmed by a job. */
@Singleton
class Orders {
    record Confirm(int order) {}

    static final JobType<Confirm> CONFIRM = JobType.of("order.confirm", Confirm.class);
    static final JobType<Integer> COUNT = JobType.of("order.count", Integer.class);
    static final JobType<Integer> REFUSE =
            JobType.of("order.refuse", Integer.class).withDefaults(EnqueueOptions.DEFAULTS.maxAttempts(1));
    static final JobType<Integer> REMOVE = JobType.of("order.remove", Integer.class);

    private final Connection connection;
    private final TransactionOperations<Connection> transactions;
    private final JobQueue queue;
    private int counted;

    Orders(Connection connection, TransactionOperations<Connection> transactions, JobQueue queue) {
        this.connection = connection;
        this.transactions = transactions;
        this.queue = queue;
    }

    @Transactional
    void create() throws SQLException {
        try (Statement statement = connection.createStatement()) {
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

    /** Rolls back without an exception. */
    @JobHandler(value = "order.refuse", transactional = true)
    void refuse(Integer order) throws SQLException {
        change("DELETE FROM orders WHERE id = ?", order);
        transactions.findTransactionStatus().orElseThrow().setRollbackOnly();
    }

    /** There is no transaction that it could join, so it may open one. */
    @Transactional(propagation = TransactionDefinition.Propagation.SUPPORTS)
    @JobHandler("order.remove")
    void remove(Integer order, JobRun run) throws Exception {
        run.transaction(transaction -> change("DELETE FROM orders WHERE id = ?", order));
    }

    @JobHandler(value = "order.count", chunk = 10)
    synchronized void count(List<Integer> orders) {
        counted += orders.size();
    }

    synchronized int counted() {
        return counted;
    }

    private void change(String sql, int order) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setInt(1, order);
            statement.executeUpdate();
        }
    }

    @Transactional
    String all() throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT id, confirmed FROM orders ORDER BY id")) {
            StringBuilder all = new StringBuilder();
            while (rows.next()) {
                all.append(rows.getInt(1)).append('=').append(rows.getInt(2)).append(' ');
            }
            return all.toString();
        }
    }
}

package dev.pawl.quarkus.deployment;

import dev.pawl.JobQueue;
import dev.pawl.api.JobType;
import dev.pawl.quarkus.JobHandler;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import javax.sql.DataSource;

/** Orders in a table; each is confirmed by a job. The class is a bean because it has handlers. */
public class Orders {
    public record Confirm(int order) {}

    static final JobType<Confirm> CONFIRM = JobType.of("order.confirm", Confirm.class);
    static final JobType<Integer> COUNT = JobType.of("order.count", Integer.class);

    @Inject
    DataSource dataSource;

    @Inject
    JobQueue queue;

    private int counted;

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

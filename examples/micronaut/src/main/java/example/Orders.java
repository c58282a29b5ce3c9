package example;

import dev.pawl.JobQueue;
import dev.pawl.api.JobType;
import dev.pawl.micronaut.JobHandler;
import io.micronaut.transaction.annotation.Transactional;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Orders in a table; each is confirmed by a job. */
@Singleton
class Orders {
    record Confirm(int order) {}

    static final JobType<Confirm> CONFIRM = JobType.of("order.confirm", Confirm.class);

    /** The connection of the surrounding transaction. */
    private final Connection connection;

    private final JobQueue queue;

    Orders(Connection connection, JobQueue queue) {
        this.connection = connection;
        this.queue = queue;
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
    @JobHandler(value = "order.confirm", transactional = true)
    void confirm(Confirm confirm) throws SQLException {
        change("UPDATE orders SET confirmed = confirmed + 1 WHERE id = ?", confirm.order());
    }

    private void change(String sql, int order) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setInt(1, order);
            statement.executeUpdate();
        }
    }

    @Transactional
    void create() throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE orders (id integer PRIMARY KEY, confirmed integer)");
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

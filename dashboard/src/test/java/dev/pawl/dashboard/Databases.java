package dev.pawl.dashboard;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.servers.Product;
import dev.pawl.servers.TestDatabase;
import dev.pawl.servers.TestServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Databases that tests reuse, because creating the tables on a server takes longer than most tests. Each test leaves the tables empty for
 * the next. SQLite files are not reused, because creating one is as fast as emptying it. The databases are dropped with their servers.
 * Thread-safe.
 */
final class Databases {
    private static final Map<Product, Deque<TestDatabase>> FREE = new EnumMap<>(Product.class);

    private Databases() {}

    static TestDatabase take(TestServer server) {
        synchronized (FREE) {
            Deque<TestDatabase> free = FREE.get(server.product());
            if (free != null && !free.isEmpty()) {
                return free.pop();
            }
        }
        return server.createDatabase();
    }

    /** Empties the tables; drops a database that cannot be emptied. */
    static void giveBack(TestServer server, TestDatabase database) {
        if (server.product() == Product.SQLITE) {
            database.close();
            return;
        }
        try (HikariDataSource pool = database.newDataSource(1);
                Connection connection = pool.getConnection()) {
            empty(server.product(), connection);
        } catch (SQLException e) {
            database.close();
            return;
        }
        synchronized (FREE) {
            FREE.computeIfAbsent(server.product(), product -> new ArrayDeque<>())
                    .push(database);
        }
    }

    private static void empty(Product product, Connection connection) throws SQLException {
        List<String> tables = new ArrayList<>();
        try (ResultSet rows =
                connection.getMetaData().getTables(connection.getCatalog(), null, "pawl%", new String[] {"TABLE"})) {
            while (rows.next()) {
                if (!rows.getString("TABLE_NAME").equals("pawl_schema")) {
                    tables.add(rows.getString("TABLE_NAME"));
                }
            }
        }
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            if (product == Product.POSTGRESQL) {
                statement.execute("TRUNCATE " + String.join(", ", tables));
            } else {
                for (String table : tables) {
                    statement.execute("DELETE FROM " + table);
                }
            }
        }
        connection.commit();
    }
}

package dev.pawl.specification;

import dev.pawl.servers.TestServers;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import javax.sql.DataSource;

/** A database whose clock the test sets, without changes to the product's code. */
public interface Stage extends AutoCloseable {
    /** The start time of every program; in whole milliseconds, as SQLite's clock. */
    Instant START = Instant.parse("2030-01-01T00:00:00Z");

    /**
     * @param name of a database: sqlite, postgres, mariadb or mysql; with {@code -serializable} if its pool hands out connections with this
     *     isolation level
     * @return the database, which is empty
     */
    static Stage of(String name) throws SQLException {
        boolean isSerializable = name.endsWith("-serializable");
        return switch (name.replace("-serializable", "")) {
            case "postgres" -> new ServerStage(TestServers.postgres(), isSerializable);
            case "mariadb" -> new ServerStage(TestServers.mariaDb(), isSerializable);
            case "mysql" -> new ServerStage(TestServers.mySql().orElseThrow(), isSerializable);
            case "sqlite" -> new SqliteStage();
            default -> throw new IllegalArgumentException("no database is called " + name);
        };
    }

    DataSource pool();

    /** Stops the database's clock at this time. */
    void clock(Instant now) throws SQLException;

    /** {@return how many statements have been prepared or executed so far} */
    long statements();

    /** {@return whether a transaction can write while another transaction that has written is still open} */
    default boolean hasManyWriters() {
        return false;
    }

    /** {@return whether this database supports it} Saves the contents, which {@link #goBack} restores. */
    default boolean remember() throws SQLException {
        return false;
    }

    /** Restores the saved contents. */
    default void goBack() throws SQLException {}

    /** {@return a statement that enqueues a job without the library} */
    String enqueueSql(String kind, String payload, String queue, int priority, long delaySeconds, int maxAttempts);

    /** Empties all tables that a program may have written. */
    void empty() throws SQLException;

    @Override
    void close() throws SQLException;

    /** Deletes the rows of the non-empty ones of these tables. */
    static void delete(Connection connection, List<String> tables) throws SQLException {
        String any = tables.stream()
                .map(table -> "SELECT '" + table + "', EXISTS (SELECT 1 FROM " + table + ")")
                .collect(Collectors.joining(" UNION ALL "));
        List<String> used = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(any);
                ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                if (rows.getBoolean(2)) {
                    used.add(rows.getString(1));
                }
            }
        }
        for (String table : used) {
            try (PreparedStatement statement = connection.prepareStatement("DELETE FROM " + table)) {
                statement.executeUpdate();
            }
        }
    }
}

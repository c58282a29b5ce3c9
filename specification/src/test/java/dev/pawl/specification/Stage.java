package dev.pawl.specification;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import javax.sql.DataSource;

/** A database whose clock the test sets: no program of the product is changed for it. */
interface Stage extends AutoCloseable {
    /** When every program begins; whole milliseconds, which is what SQLite's clock has. */
    Instant START = Instant.parse("2030-01-01T00:00:00Z");

    DataSource pool();

    /** From now on the database's clock stands at this moment. */
    void clock(Instant now) throws SQLException;

    /** {@return how many statements have been prepared or executed so far} */
    long statements();

    /** {@return whether it can go back to what it holds now} */
    default boolean remember() throws SQLException {
        return false;
    }

    /** Holds what it held when it was told to remember. */
    default void goBack() throws SQLException {}

    /** {@return a statement that enqueues a job without the library} */
    String enqueueSql(String kind, String payload, String queue, int priority, long delaySeconds, int maxAttempts);

    /** Empties all tables that a program may have written. */
    void empty() throws SQLException;

    @Override
    void close() throws SQLException;

    /** Deletes the rows of those tables that have any. */
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

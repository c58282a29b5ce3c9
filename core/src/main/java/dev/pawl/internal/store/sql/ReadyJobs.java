package dev.pawl.internal.store.sql;

import dev.pawl.internal.store.ClaimRequest;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the ready jobs of a queue in the order of the claim, one priority after the other. Within one priority the index
 * is read from its start to the first job that is not due, so delayed jobs cost nothing; a single statement over all
 * priorities would read them.
 */
public final class ReadyJobs {
    private final Dialect dialect;
    private final String columns;
    private final String table;
    private final String suffix;
    private final String firstLevel;
    private final String nextLevel;

    /**
     * @param dialect the product
     * @param columns to read
     * @param table {@code pawl_job}, perhaps with a hint which index to use
     * @param suffix how to lock the rows, or nothing
     */
    public ReadyJobs(Dialect dialect, String columns, String table, String suffix) {
        this.dialect = dialect;
        this.columns = columns;
        this.table = table;
        this.suffix = suffix;
        String level = "SELECT priority FROM " + table + " WHERE state = 0 AND queue = ?";
        firstLevel = dialect.sql(level + notPaused() + " ORDER BY priority LIMIT 1");
        nextLevel = dialect.sql(level + " AND priority > ? ORDER BY priority LIMIT 1");
    }

    private static String notPaused() {
        return " AND NOT EXISTS (SELECT 1 FROM pawl_queue q WHERE q.name = ? AND q.paused_at IS NOT NULL)";
    }

    /** Reads one row of the answer. */
    @FunctionalInterface
    public interface Row<T> {
        /**
         * @param row the present row
         * @return what it says
         * @throws SQLException from the driver
         */
        T read(ResultSet row) throws SQLException;
    }

    /** Reads up to {@code limit} jobs; none if the queue is paused. */
    public <T> List<T> read(Connection connection, ClaimRequest request, int limit, Row<T> reader) throws SQLException {
        List<T> found = new ArrayList<>();
        String ready = dialect.sql("SELECT " + columns + " FROM " + table
                + " WHERE state = 0 AND queue = ? AND priority = ? AND available_at <= " + dialect.now()
                + " AND kind IN (" + "?,".repeat(request.kinds().size() - 1)
                + "?) ORDER BY available_at, id LIMIT ? " + suffix);
        for (Integer level = firstLevel(connection, request.queue());
                level != null;
                level = nextLevel(connection, request.queue(), level)) {
            readLevel(connection, ready, request, level, limit - found.size(), reader, found);
            if (found.size() >= limit) {
                break;
            }
        }
        return found;
    }

    private static <T> void readLevel(
            Connection connection, String sql, ClaimRequest request, int level, int limit, Row<T> reader, List<T> found)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, request.queue());
            statement.setInt(2, level);
            int index = 3;
            for (String kind : request.kinds()) {
                statement.setString(index++, kind);
            }
            statement.setInt(index, limit);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    found.add(reader.read(rows));
                }
            }
        }
    }

    private @Nullable Integer firstLevel(Connection connection, String queue) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(firstLevel)) {
            statement.setString(1, queue);
            statement.setString(2, queue);
            return level(statement);
        }
    }

    private @Nullable Integer nextLevel(Connection connection, String queue, int after) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(nextLevel)) {
            statement.setString(1, queue);
            statement.setInt(2, after);
            return level(statement);
        }
    }

    private static @Nullable Integer level(PreparedStatement statement) throws SQLException {
        try (ResultSet rows = statement.executeQuery()) {
            return rows.next() ? rows.getInt(1) : null;
        }
    }
}

package dev.pawl.internal.database.mysql;

import dev.pawl.internal.jdbc.Dialect;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * Gets ids from the source of all job ids, the AUTO_INCREMENT of a table, because a counter in a row would stay locked until the caller's
 * transaction ends. To get ids for jobs in {@code pawl_job}, inserts rows of lane 0, which have no other use.
 *
 * <p>MySQL has no RETURNING. An INSERT whose number of rows is known gets consecutive ids in order, so the first id and the
 * server's increment give them all.
 */
final class JobIds {
    /** The table that counts. */
    static final String TABLE = "pawl_lane_job";

    private static final String STUB = "(0, '1970-01-01', 0, '', '')";

    private final Dialect dialect;

    JobIds(Dialect dialect) {
        this.dialect = dialect;
    }

    /** {@return new ids, consecutive but for the server's increment} */
    List<Long> draw(Connection connection, int count) throws SQLException {
        String sql = dialect.sql("INSERT INTO " + TABLE + " (lane, created_at, max_attempts, kind, payload) VALUES "
                + (STUB + ", ").repeat(count - 1) + STUB);
        try (PreparedStatement statement = prepared(connection, sql, count)) {
            statement.executeUpdate();
            return ids(connection, statement, count);
        }
    }

    /**
     * Requests the id from the driver only if a single row is inserted, because drivers differ in the ids that they report for many rows.
     */
    static PreparedStatement prepared(Connection connection, String sql, int rows) throws SQLException {
        return rows == 1
                ? connection.prepareStatement(sql, Statement.RETURN_GENERATED_KEYS)
                : connection.prepareStatement(sql);
    }

    /** {@return the ids of the rows that a prepared statement has inserted} */
    static List<Long> ids(Connection connection, PreparedStatement inserted, int rows) throws SQLException {
        if (rows == 1) {
            try (ResultSet keys = inserted.getGeneratedKeys()) {
                keys.next();
                return List.of(keys.getLong(1));
            }
        }
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT LAST_INSERT_ID(), @@auto_increment_increment")) {
            row.next();
            long first = row.getLong(1);
            long step = row.getLong(2);
            List<Long> ids = new ArrayList<>(rows);
            for (int i = 0; i < rows; i++) {
                ids.add(first + i * step);
            }
            return ids;
        }
    }
}

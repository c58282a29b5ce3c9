package dev.pawl.internal.retention;

import dev.pawl.internal.jdbc.Dialect;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Deletes jobs of the history with everything that belongs to them. */
final class Removal {
    private final Dialect dialect;

    Removal(Dialect dialect) {
        this.dialect = dialect;
    }

    /** The caller has locked the rows. */
    void delete(Connection connection, List<Long> ids) throws SQLException {
        if (!ids.isEmpty()) {
            deleteBelongings(connection, ids);
            delete(connection, "pawl_job_history", "id", ids);
        }
    }

    void deleteBelongings(Connection connection, List<Long> ids) throws SQLException {
        delete(connection, "pawl_attempt", "job_id", ids);
        delete(connection, "pawl_job_log", "job_id", ids);
        delete(connection, "pawl_assignment", "job_id", ids);
    }

    private void delete(Connection connection, String table, String column, List<Long> ids) throws SQLException {
        String sql = dialect.sql("DELETE FROM " + table + " WHERE " + dialect.anyOf(column, ids.size()));
        try (PreparedStatement statement = dialect.planned(connection, sql)) {
            dialect.bindIds(statement, 1, ids);
            statement.executeUpdate();
        }
    }

    static List<Long> ids(PreparedStatement statement) throws SQLException {
        List<Long> ids = new ArrayList<>();
        try (ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                ids.add(rows.getLong(1));
            }
        }
        return ids;
    }
}

package dev.pawl.internal.batch;

import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Dialect;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Forgets batches that were done long ago, those that are part of others after them. Thread-safe. */
public final class OldBatches {
    private static final int PAGE = 500;

    private final Database database;
    private final Dialect dialect;

    /**
     * @param database the pool and the dialect
     */
    public OldBatches(Database database) {
        this.database = database;
        this.dialect = database.dialect();
    }

    /**
     * Forgets batches that were done so long ago, the outer ones first.
     *
     * @param before done before
     * @return how many
     * @throws SQLException from the driver
     */
    public int prune(Instant before) throws SQLException {
        int pruned = 0;
        List<Long> old;
        do {
            old = database.autocommit(connection -> {
                String sql =
                        dialect.sql("SELECT c.batch_id FROM pawl_batch_count c WHERE c.done_at < " + dialect.moment()
                                + " AND NOT EXISTS (SELECT 1 FROM pawl_batch p JOIN pawl_batch b ON b.parent_id = p.id"
                                + " WHERE b.id = c.batch_id) ORDER BY c.done_at LIMIT 20");
                try (PreparedStatement statement = connection.prepareStatement(sql)) {
                    dialect.bind(statement, 1, before);
                    return ids(statement);
                }
            });
            for (long batch : old) {
                pruned += forget(batch, before) ? 1 : 0;
            }
        } while (!old.isEmpty() && !Thread.currentThread().isInterrupted());
        return pruned;
    }

    private static List<Long> ids(PreparedStatement statement) throws SQLException {
        List<Long> ids = new ArrayList<>();
        try (ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                ids.add(rows.getLong(1));
            }
        }
        return ids;
    }

    /**
     * Looks again, under the lock of the count, because somebody may have retried a job of it. The list of its jobs goes in pages,
     * and the count last, so that what is left after a crash is found again.
     *
     * @return false if it goes on, or somebody else was faster
     */
    private boolean forget(long batch, Instant before) throws SQLException {
        if (!database.transaction(connection -> hasBegun(connection, batch, before))) {
            return false;
        }
        List<Long> page;
        do {
            page = database.autocommit(connection -> jobs(connection, batch));
            List<Long> some = page;
            if (!some.isEmpty()) {
                String sql = dialect.sql(
                        "DELETE FROM pawl_batch_job WHERE batch_id = ? AND " + dialect.anyOf("job_id", some.size()));
                int unused = database.transaction(connection -> {
                    try (PreparedStatement statement = dialect.planned(connection, sql)) {
                        statement.setLong(1, batch);
                        dialect.bindIds(statement, 2, some);
                        return statement.executeUpdate();
                    }
                });
            }
        } while (page.size() == PAGE);
        int unused = database.transaction(connection -> {
            try (PreparedStatement statement =
                    connection.prepareStatement(dialect.sql("DELETE FROM pawl_batch_hold WHERE batch_id = ?"))) {
                statement.setLong(1, batch);
                return statement.executeUpdate();
            }
        });
        String end = dialect.sql("DELETE FROM pawl_batch_count WHERE batch_id = ? AND done_at < " + dialect.moment());
        return database.transaction(connection -> {
            try (PreparedStatement statement = connection.prepareStatement(end)) {
                statement.setLong(1, batch);
                dialect.bind(statement, 2, before);
                return statement.executeUpdate() == 1;
            }
        });
    }

    private boolean hasBegun(Connection connection, long batch, Instant before) throws SQLException {
        String look = dialect.sql("SELECT batch_id FROM pawl_batch_count WHERE batch_id = ? AND done_at < "
                + dialect.moment() + " " + dialect.forUpdate());
        try (PreparedStatement statement = connection.prepareStatement(look)) {
            statement.setLong(1, batch);
            dialect.bind(statement, 2, before);
            if (ids(statement).isEmpty()) {
                return false;
            }
        }
        try (PreparedStatement statement =
                connection.prepareStatement(dialect.sql("DELETE FROM pawl_batch WHERE id = ?"))) {
            statement.setLong(1, batch);
            statement.executeUpdate();
        }
        if (delete(connection, "DELETE FROM pawl_node WHERE id = ?", batch) > 0) {
            int unused = delete(connection, "DELETE FROM pawl_edge WHERE node_id = ?", batch);
        }
        return true;
    }

    private int delete(Connection connection, String sql, long batch) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(dialect.sql(sql))) {
            statement.setLong(1, batch);
            return statement.executeUpdate();
        }
    }

    private List<Long> jobs(Connection connection, long batch) throws SQLException {
        String sql = dialect.sql("SELECT job_id FROM pawl_batch_job WHERE batch_id = ? ORDER BY job_id LIMIT " + PAGE);
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setLong(1, batch);
            return ids(statement);
        }
    }
}

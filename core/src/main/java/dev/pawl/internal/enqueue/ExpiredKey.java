package dev.pawl.internal.enqueue;

import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Sql;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * Removes the unique key from an expired job, so that another job with the key can be enqueued or run again before a worker cancels the
 * expired one. The key moves to another column, so a search by the key still finds the job.
 */
public final class ExpiredKey {
    private final Sql take;

    /**
     * @param dialect the product
     */
    public ExpiredKey(Dialect dialect) {
        // One statement checks and changes the job, because a worker may have claimed it before its expiry, or another
        // enqueue may replace it. MySQL assigns from left to right, so the key is copied before it is cleared.
        take = dialect.planned(
                "UPDATE pawl_job SET unindexed_key = unique_key, unique_key = NULL WHERE id = ? AND unique_key = ?"
                        + " AND expires_at <= " + dialect.now() + " AND (" + dialect.waits()
                        + " OR started_at >= expires_at)");
    }

    /**
     * @param connection in a transaction
     * @param key the key of the job
     * @param id of a job that has expired
     * @return false if the job has changed, or its key is free by now
     * @throws SQLException from the driver
     */
    public boolean take(Connection connection, String key, long id) throws SQLException {
        return take.on(connection, id, key).update() == 1;
    }
}

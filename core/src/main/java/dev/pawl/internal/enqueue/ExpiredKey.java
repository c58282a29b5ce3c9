package dev.pawl.internal.enqueue;

import dev.pawl.internal.codec.JsonStrings;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.JobRows;
import dev.pawl.internal.jdbc.Sql;
import dev.pawl.internal.words.ReservedHeaders;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.TreeMap;

/**
 * Removes the unique key from an expired job, so that another job with the key can be enqueued or run again before a worker cancels the
 * expired one. The key moves to a header, so a search by the key still finds the job.
 */
public final class ExpiredKey {
    private final Sql take;

    /**
     * @param dialect the product
     */
    public ExpiredKey(Dialect dialect) {
        // One statement, because a worker may still claim the job in time, or another enqueue may replace it.
        take = dialect.planned("UPDATE pawl_job SET unique_key = NULL, headers = ? WHERE id = ? AND unique_key = ?"
                + " AND headers = ? AND (" + dialect.waits() + " OR started_at >= " + dialect.moment() + ")");
    }

    /**
     * @param connection in a transaction
     * @param key its key
     * @param id of the job
     * @param expired its headers and its expiry, as they were read
     * @return false if the job has changed, or its key is free by now
     * @throws SQLException from the driver
     */
    public boolean take(Connection connection, String key, long id, LiveJob.Expired expired) throws SQLException {
        Map<String, String> headers = new TreeMap<>(JobRows.headers(expired.headers()));
        headers.put(ReservedHeaders.UNIQUE, key);
        return take.on(connection, JsonStrings.headers(headers), id, key, expired.headers(), expired.at())
                        .update()
                == 1;
    }
}

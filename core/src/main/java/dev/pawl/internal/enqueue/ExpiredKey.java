package dev.pawl.internal.enqueue;

import dev.pawl.internal.codec.JsonStrings;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.JobRows;
import dev.pawl.internal.words.ReservedHeaders;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Map;
import java.util.TreeMap;

/**
 * Takes the unique key from a job that has expired: the job is left to the worker that comes upon it, and does not keep another from being
 * enqueued, or run again, until then. The key goes to a header, so people still find the job by it.
 */
public final class ExpiredKey {
    private final Dialect dialect;
    private final String take;

    /**
     * @param dialect the product
     */
    public ExpiredKey(Dialect dialect) {
        this.dialect = dialect;
        // In one statement, because a worker may claim the job in time, or another enqueue may replace it.
        take = dialect.sql("UPDATE pawl_job SET unique_key = NULL, headers = ? WHERE id = ? AND unique_key = ?"
                + " AND headers = ? AND (" + dialect.waits() + " OR started_at >= " + dialect.moment() + ")");
    }

    /**
     * @param connection in a transaction
     * @param key that it has
     * @param id of the job
     * @param expired what is known of it
     * @return false if it has not expired after all, or its key is free by now
     * @throws SQLException from the driver
     */
    public boolean take(Connection connection, String key, long id, LiveJob.Expired expired) throws SQLException {
        Map<String, String> headers = new TreeMap<>(JobRows.headers(expired.headers()));
        headers.put(ReservedHeaders.UNIQUE, key);
        try (PreparedStatement statement = dialect.planned(connection, take)) {
            statement.setString(1, JsonStrings.headers(headers));
            statement.setLong(2, id);
            statement.setString(3, key);
            statement.setString(4, expired.headers());
            dialect.bind(statement, 5, expired.at());
            return statement.executeUpdate() == 1;
        }
    }
}

package dev.pawl.internal.enqueue;

import dev.pawl.JobRequest;
import dev.pawl.internal.jdbc.Dialect;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Finds the live job that has a unique key, by a plain read: it locks nothing and waits for nobody. */
public final class LiveJobs {
    private final Dialect dialect;
    private final String find;

    /**
     * @param dialect the product
     */
    public LiveJobs(Dialect dialect) {
        this.dialect = dialect;
        find = dialect.sql("SELECT id, state FROM pawl_job WHERE kind = ? AND unique_key = ?");
    }

    /**
     * @param connection to read on
     * @param job with a unique key
     * @return the live job of its kind with that key, as this transaction sees it; null if there is none
     * @throws SQLException from the driver
     */
    public @Nullable LiveJob find(Connection connection, JobRequest job) throws SQLException {
        try (PreparedStatement statement = dialect.planned(connection, find)) {
            statement.setString(1, job.kind());
            statement.setString(2, job.options().uniqueKey());
            try (ResultSet rows = statement.executeQuery()) {
                return rows.next() ? new LiveJob(rows.getLong(1), standing(rows.getInt(2))) : null;
            }
        }
    }

    /** {@return what a state in the live table means for an enqueue that meets the job} */
    public static LiveJob.Standing standing(int state) {
        return state == 0 ? LiveJob.Standing.WAITING : LiveJob.Standing.KEPT;
    }
}

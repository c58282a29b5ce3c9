package dev.pawl.internal.settle;

import dev.pawl.api.JobState;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Sql;
import dev.pawl.internal.store.Settlement;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A job that ends in the current transaction, with what must be written in addition to its row.
 *
 * @param jobId the job
 * @param token of its last run
 * @param state the final state
 * @param result of a completed job; null for none
 * @param batch to which it belongs; 0 for none
 * @param livesAgain whether the job does not end, but was finished in that state and is revived
 */
public record FinishedJob(
        long jobId, long token, JobState state, @Nullable String result, long batch, boolean livesAgain) {
    /** {@return a job whose run was accepted as completed} */
    public static FinishedJob completed(Settlement run) {
        return new FinishedJob(
                run.lease().jobId(), run.lease().token(), JobState.COMPLETED, run.result(), run.batch(), false);
    }

    /** {@return whether the run needs no further writes, for any outcome; true for most runs} */
    public static boolean isPlain(Settlement run) {
        return run.batch() == 0 && run.result() == null;
    }

    /** {@return whether the job needs no further writes} */
    public boolean isPlain() {
        return batch == 0 && result == null;
    }

    /** {@return the reverse: the job is not finished any more} */
    public FinishedJob undone() {
        return new FinishedJob(jobId, token, state, null, batch, true);
    }

    /**
     * {@return the jobs with the given ids that belong to batches}
     *
     * @param table that contains the jobs
     * @param end the final state of the jobs; null to read it from the table
     */
    public static List<FinishedJob> members(
            Connection connection, Dialect dialect, String table, List<Long> ids, @Nullable JobState end)
            throws SQLException {
        Sql sql = dialect.planned("SELECT id, lease_token, state, batch_id FROM " + table + " WHERE "
                + dialect.anyOf("id", ids.size()) + " AND batch_id IS NOT NULL");
        List<FinishedJob> members = new ArrayList<>();
        sql.on(connection, ids).each(rows -> {
            JobState state = end != null ? end : JobState.ofCode(rows.getInt(3));
            members.add(new FinishedJob(rows.getLong(1), rows.getLong(2), state, null, rows.getLong(4), false));
        });
        return members;
    }
}

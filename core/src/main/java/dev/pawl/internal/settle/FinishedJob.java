package dev.pawl.internal.settle;

import dev.pawl.api.JobState;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.JobRows;
import dev.pawl.internal.jdbc.Sql;
import dev.pawl.internal.store.Settlement;
import dev.pawl.internal.words.BatchHeader;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A job that ends in the transaction at hand, with what must be written besides.
 *
 * @param jobId the job
 * @param token of its last run
 * @param state in which it ends
 * @param result what a completed one gave back; null for nothing
 * @param batch the batch that it belongs to; 0 for none
 * @param livesAgain whether it is the other way round: it had ended in that state, and has not any more
 */
public record FinishedJob(
        long jobId, long token, JobState state, @Nullable String result, long batch, boolean livesAgain) {
    /** {@return a job whose run was accepted as completed} */
    public static FinishedJob completed(Settlement run) {
        return new FinishedJob(
                run.lease().jobId(), run.lease().token(), JobState.COMPLETED, run.result(), run.batch(), false);
    }

    /** {@return whether nothing has to be written for any outcome of such a run, as for most} */
    public static boolean isPlain(Settlement run) {
        return run.batch() == 0 && run.result() == null;
    }

    /** {@return whether nothing has to be written for it} */
    public boolean isPlain() {
        return batch == 0 && result == null;
    }

    /** {@return that it lives again} */
    public FinishedJob undone() {
        return new FinishedJob(jobId, token, state, null, batch, true);
    }

    /** {@return the batch of a job with these headers; 0 for none} */
    public static long batch(@Nullable String headers) {
        return headers == null || !headers.contains(BatchHeader.NAME) ? 0 : BatchHeader.of(JobRows.headers(headers));
    }

    /**
     * {@return those of some jobs that belong to batches}
     *
     * @param table in which they are
     * @param end the state in which they end; null for the one that the table says
     */
    public static List<FinishedJob> members(
            Connection connection, Dialect dialect, String table, List<Long> ids, @Nullable JobState end)
            throws SQLException {
        Sql sql = dialect.planned("SELECT id, lease_token, state, headers FROM " + table + " WHERE "
                + dialect.anyOf("id", ids.size()) + " AND headers IS NOT NULL");
        List<FinishedJob> members = new ArrayList<>();
        sql.on(connection, ids).each(rows -> {
            long batch = batch(rows.getString(4));
            if (batch != 0) {
                JobState state = end != null ? end : JobState.ofCode(rows.getInt(3));
                members.add(new FinishedJob(rows.getLong(1), rows.getLong(2), state, null, batch, false));
            }
        });
        return members;
    }
}

package dev.pawl.conformance.schedule;

import dev.pawl.api.JobState;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The state of a job, as far as the guarantees concern it.
 *
 * @param state null before its enqueue is committed
 * @param token of the last claim
 * @param attempt the number of the last attempt that counts
 * @param isCancelRequested whether its run was asked to stop
 * @param mayExpire whether the lease may have expired
 */
record JobStatus(@Nullable JobState state, long token, int attempt, boolean isCancelRequested, boolean mayExpire) {
    static final JobStatus ABSENT = new JobStatus(null, 0, 0, false, false);

    boolean runsUnder(long lease) {
        return state == JobState.RUNNING && token == lease;
    }

    boolean isFinished() {
        return state != null && state != JobState.RUNNING && state != JobState.AVAILABLE;
    }

    JobStatus enqueued() {
        return new JobStatus(JobState.AVAILABLE, 0, 0, false, false);
    }

    JobStatus claimed(long lease, boolean isOver) {
        return new JobStatus(JobState.RUNNING, lease, attempt + 1, false, isOver);
    }

    JobStatus ended(JobState end) {
        return new JobStatus(end, token, attempt, false, false);
    }

    /** Makes the job available again, or cancelled if its run was asked to stop. */
    JobStatus putBack(int refund) {
        return isCancelRequested
                ? ended(JobState.CANCELLED)
                : new JobStatus(JobState.AVAILABLE, token, attempt - refund, false, false);
    }

    JobStatus stopRequested() {
        return new JobStatus(state, token, attempt, true, mayExpire);
    }

    JobStatus lease(boolean isOver) {
        return new JobStatus(state, token, attempt, isCancelRequested, isOver);
    }

    /** {@return this if the condition holds; otherwise nothing, as the operation is impossible in this state} */
    List<JobStatus> provided(boolean so) {
        return so ? List.of(this) : List.of();
    }
}

package dev.pawl.spi;

import dev.pawl.admin.RemoteWorkerStatus;
import dev.pawl.api.DatabaseException;
import dev.pawl.api.Outcome;
import dev.pawl.api.RetryPolicy;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Runs that a {@link RemoteHandler} has assigned to remote workers. Such a run is a row that belongs to no process, so
 * any process may renew it or record its outcome, and it survives the end of all processes. The run ends when its
 * outcome is recorded or its lease has expired. After an expired lease the job is retried, so the remote worker must
 * have stopped by then. Every call is fenced by the lease token and committed on return. Get it from
 * {@code queue.unwrap(RemoteRuns.class)}. Thread-safe.
 */
public interface RemoteRuns {
    /**
     * Extends the lease of a run; never shortens it. The first renewal starts the run: it records the remote worker. It
     * fails if another worker has started under the same lease.
     *
     * @param run the run
     * @param lease duration from now, by the database's clock
     * @param longest maximum duration of the run, from its first renewal
     * @param progress percentage, 0 to 100; null to leave it unchanged
     * @return whether the run may continue
     * @throws DatabaseException if the database fails; then the lease may or may not have been extended
     */
    RemoteRun.Renewal renew(RemoteRun run, Duration lease, Duration longest, @Nullable Integer progress);

    /**
     * Records the outcome of a run.
     *
     * @param run the run
     * @param outcome any outcome
     * @param log lines for the log of the job
     * @return the recorded end
     * @throws DatabaseException if the database fails; then the outcome may or may not have been recorded
     */
    RemoteRun.Ending end(RemoteRun run, Outcome outcome, List<String> log);

    /**
     * Records that a run failed. While attempts are left, the job is retried by the retry policy with which it was
     * enqueued, otherwise by {@link RetryPolicy#DEFAULT}.
     *
     * @param run the run
     * @param error the error
     * @param log lines for the log of the job
     * @return the recorded end
     * @throws DatabaseException if the database fails; then the failure may or may not have been recorded
     */
    default RemoteRun.Ending fail(RemoteRun run, String error, List<String> log) {
        return fail(run, error, log, kind -> null);
    }

    /**
     * Records that a run failed. While attempts are left, the job is retried by the retry policy with which it was
     * enqueued, otherwise by the policy of its kind.
     *
     * @param run the run
     * @param error the error
     * @param log lines for the log of the job
     * @param policies returns the retry policy of a kind; null for {@link RetryPolicy#DEFAULT}
     * @return the recorded end
     * @throws DatabaseException if the database fails; then the failure may or may not have been recorded
     */
    RemoteRun.Ending fail(
            RemoteRun run, String error, List<String> log, Function<String, @Nullable RetryPolicy> policies);

    /**
     * Removes the remote worker from a run that it has certainly not started, so that another worker may start under the same lease.
     *
     * @param run the run
     * @return false if this remote worker was not recorded
     * @throws DatabaseException if the database fails
     */
    boolean withdraw(RemoteRun run);

    /**
     * Lists runs that have started and have not ended, by ascending id of the job.
     *
     * @param kinds of the jobs
     * @param limit the maximum number of runs
     * @return the runs
     * @throws DatabaseException if the database fails
     */
    List<RemoteRun> running(Collection<String> kinds, int limit);

    /**
     * Records the state of a manager's remote workers, for {@link dev.pawl.admin.WorkerAdmin#remote}. Call it more often than once a
     * minute.
     *
     * @param managerId the manager's id as a worker
     * @param workers all its remote workers; empty when the manager stops
     * @throws DatabaseException if the database fails
     */
    void note(long managerId, List<RemoteWorkerStatus> workers);

    /**
     * {@return a short text that identifies this installation} It distinguishes a call about a run of another
     * installation from a call about a run that has ended.
     *
     * @throws DatabaseException if the database fails
     */
    String realm();
}

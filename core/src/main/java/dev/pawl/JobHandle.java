package dev.pawl;

import dev.pawl.admin.Admin;
import dev.pawl.api.DatabaseException;
import dev.pawl.api.InvalidJobException;
import dev.pawl.api.Job;
import dev.pawl.api.JobRun;
import dev.pawl.api.JobState;
import dev.pawl.api.TypeToken;
import dev.pawl.internal.QueueRuntime;
import dev.pawl.internal.jdbc.Failures;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A handle on a job of any process: its state, its result, its expected start. Thread-safe; it holds no resources and
 * need not be closed.
 *
 * @param <R> the result of the job, see {@link JobRun#result}
 */
public final class JobHandle<R> {
    private final QueueRuntime runtime;
    private final Admin admin;
    private final long id;
    private final TypeToken<R> type;

    JobHandle(QueueRuntime runtime, Admin admin, long id, TypeToken<R> type) {
        this.runtime = runtime;
        this.admin = admin;
        this.id = id;
        this.type = type;
    }

    /** {@return the job's id} */
    public long id() {
        return id;
    }

    /**
     * {@return the state of the job; empty if the job does not exist, or was pruned}
     *
     * @throws DatabaseException if the database fails
     */
    public Optional<JobState> status() {
        return admin.jobs().find(id).map(Job::state);
    }

    /**
     * {@return the result of the job; empty if it has not completed, has no result, or is no longer kept}
     *
     * @throws InvalidJobException if the stored text does not fit the type
     * @throws DatabaseException if the database fails
     */
    public Optional<R> result() {
        return admin.jobs().result(id).map(text -> Results.decode(runtime.codec(), id, text, type));
    }

    /**
     * Waits until the job has finished. All threads that wait for jobs of one {@link JobQueue} share one query, at intervals that grow from
     * 20 ms to half a second; no connection is held between queries.
     *
     * @param timeout the maximum time to wait
     * @return the state of the job: a final one, unless the timeout has passed first; empty if the job does not exist, or was pruned
     * @throws InterruptedException if the thread is interrupted
     * @throws DatabaseException if the database fails until the timeout has passed
     */
    public Optional<JobState> await(Duration timeout) throws InterruptedException {
        return runtime.waiters().await(id, timeout);
    }

    /**
     * {@return the number of due jobs before it in its queue, at most 10,000; zero if it runs or has finished; empty if it does not exist,
     * is not due, or is blocked, pending or paused} Counts jobs of all kinds, even if the worker that will run it handles only some of
     * them.
     *
     * @throws DatabaseException if the database fails
     */
    public OptionalLong ahead() {
        return Failures.wrapped(
                "cannot count the jobs before job " + id,
                () -> runtime.positions().ahead(id));
    }

    /**
     * {@return an estimate of the time until the job starts, from the completion rate of its queue in the last minute; zero if it has
     * started; empty if there is no estimate: no job of the queue has completed in the last minute, at least 10,000 jobs are before it, it
     * is not due, it is blocked, pending or paused, or it does not exist}
     *
     * @throws DatabaseException if the database fails
     */
    public Optional<Duration> startsIn() {
        return Failures.wrapped(
                "cannot estimate when job " + id + " begins",
                () -> runtime.positions().startsIn(id));
    }
}

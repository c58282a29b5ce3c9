package dev.pawl;

import dev.pawl.admin.JobAdmin;
import dev.pawl.internal.QueueRuntime;
import dev.pawl.internal.jdbc.Failures;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A job to ask about, whoever has enqueued it and wherever it runs: how it stands, what it gave back, when it may begin.
 * Thread-safe; it holds nothing and need not be closed.
 *
 * @param <R> what the job gives back, see {@link JobRun#result}
 */
public final class JobHandle<R> {
    private final QueueRuntime runtime;
    private final JobAdmin admin;
    private final long id;
    private final TypeToken<R> type;

    JobHandle(QueueRuntime runtime, JobAdmin admin, long id, TypeToken<R> type) {
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
     * {@return how the job stands; empty if there is no such job, or none any more}
     *
     * @throws DatabaseException if the database fails
     */
    public Optional<JobState> status() {
        return admin.find(id).map(Job::state);
    }

    /**
     * {@return what the job gave back; empty if it has not completed, gave nothing, or is kept no longer}
     *
     * @throws InvalidJobException if the text does not fit the type
     * @throws DatabaseException if the database fails
     */
    public Optional<R> result() {
        return admin.result(id).map(text -> Results.decode(runtime.codec(), id, text, type));
    }

    /**
     * Waits until the job has ended. All who wait in this process share one look at the database, which comes after 20 ms at
     * first and every half second in the end; no connection is held meanwhile.
     *
     * @param timeout how long at most
     * @return how the job stands: a final state, unless the time was over first; empty if there is no such job, or none any more
     * @throws InterruptedException if the thread is interrupted
     * @throws DatabaseException if the database fails for as long as the timeout
     */
    public Optional<JobState> await(Duration timeout) throws InterruptedException {
        return runtime.waiters().await(id, timeout);
    }

    /**
     * {@return how many jobs of its queue are due and come before it, counted up to 10,000; zero if it runs or has ended; empty if there is no such
     * job, or it is not due} Jobs of other kinds count, though its worker may not know them.
     *
     * @throws DatabaseException if the database fails
     */
    public OptionalLong ahead() {
        return Failures.wrapped(
                "cannot count the jobs before job " + id, () -> runtime.line().ahead(id));
    }

    /**
     * {@return in how long the job will begin, if its queue goes on at the pace of the last minute; zero if it has begun; empty
     * if nobody can tell: no job of the queue has completed in the last minute, more than 10,000 come before it, it is not due, or there is no
     * such job}
     *
     * @throws DatabaseException if the database fails
     */
    public Optional<Duration> startsIn() {
        return Failures.wrapped(
                "cannot estimate when job " + id + " begins",
                () -> runtime.line().startsIn(id));
    }
}

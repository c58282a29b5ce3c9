package dev.pawl;

import dev.pawl.admin.WorkerAdmin;
import dev.pawl.api.HandlerOptions;
import dev.pawl.api.Job;
import dev.pawl.api.WorkerStats;
import dev.pawl.internal.engine.Engine;
import java.time.Duration;
import java.util.Optional;

/**
 * Claims jobs and runs their handlers. Thread-safe. It keeps working until {@link #close}, and reconnects after an
 * outage of the database.
 */
public final class Worker implements AutoCloseable {
    private final Engine engine;
    private final Duration grace;

    Worker(Engine engine, Duration grace) {
        this.engine = engine;
        this.grace = grace;
    }

    /**
     * Returns a builder for a worker.
     *
     * @param queue the queue whose jobs it runs
     * @return the builder
     */
    public static WorkerBuilder on(JobQueue queue) {
        return new WorkerBuilder(queue);
    }

    /**
     * {@return the id of the worker, as in {@link Job#leasedBy}} Registers the worker first if necessary, so it throws a {@link
     * dev.pawl.api.DatabaseException} if the database has not been reached yet.
     */
    public long id() {
        return engine.workerId();
    }

    /**
     * {@return whether it is running; still true after {@link #drain}, false after {@link #stop}, or if it has stopped itself because one
     * of its threads failed, see {@link #failure}}
     */
    public boolean isAlive() {
        return engine.isAlive();
    }

    /**
     * {@return the error that made it stop itself, for example repeated {@link OutOfMemoryError}s; empty if it did not}
     * The error is also logged. The worker's jobs are released, or rescued when their leases expire.
     */
    public Optional<Throwable> failure() {
        return engine.failure();
    }

    /**
     * {@return how long its writes to the database have been failing; empty while they succeed} The database may be
     * unreachable, or read-only after a failover. The worker resumes by itself.
     */
    public Optional<Duration> databaseLostFor() {
        return engine.databaseLostFor();
    }

    /** {@return its counters since it started} */
    public WorkerStats stats() {
        return engine.stats();
    }

    /** {@return how many handlers it may run at once now} */
    public int concurrency() {
        return engine.concurrency();
    }

    /**
     * Changes how many handlers run at once. Running handlers continue. If there are more of them than the new number, no other handler
     * starts until enough have finished. A job whose weight ({@link HandlerOptions#weight}) exceeds the new concurrency runs alone. The
     * last change applies, whether it was made here or by {@link WorkerAdmin#scale}, which the worker reads within ten seconds.
     *
     * @param handlersAtOnce 1 to {@link WorkerBuilder#maxConcurrency}; to claim nothing at all, see
     *     {@link WorkerAdmin#command}
     * @throws IllegalArgumentException if it is outside the range
     */
    public void concurrency(int handlersAtOnce) {
        engine.concurrency(handlersAtOnce);
    }

    /** Stops claiming. Jobs that the worker already holds still run; then it is idle until it is closed. */
    public void drain() {
        engine.drain();
    }

    /**
     * Waits until the worker has found nothing to claim and holds no job.
     *
     * @param timeout the maximum time to wait
     * @return false if the timeout has passed first, or the worker has stopped itself, see {@link #failure}
     * @throws InterruptedException if the calling thread is interrupted
     */
    public boolean awaitIdle(Duration timeout) throws InterruptedException {
        return engine.awaitIdle(timeout);
    }

    /**
     * Waits until the worker has stopped, by {@link #close}, by {@link #stop}, or by itself after a {@link #failure}.
     * The worker's threads are daemon threads; a {@code main} that waits here keeps the program alive.
     *
     * @throws InterruptedException if the calling thread is interrupted; the worker continues
     */
    public void join() throws InterruptedException {
        engine.join();
    }

    /**
     * Stops the worker: it stops claiming, releases jobs that have not started, waits for running handlers, interrupts them after the grace
     * time and releases their jobs, and records all outcomes. No released job is charged an attempt. A second call waits until the first
     * has finished. If the calling thread is interrupted, this method returns early and the worker still stops. A call from a handler or a
     * listener of this worker returns at once.
     *
     * @param graceTime how long running handlers may continue; zero interrupts them at once
     */
    public void stop(Duration graceTime) {
        engine.stop(graceTime);
    }

    /**
     * {@return whether the calling thread belongs to the worker, for example because it runs a handler or a listener} On such a thread,
     * {@link #stop} returns at once.
     */
    public boolean isOwnThread() {
        return engine.isOwn(Thread.currentThread());
    }

    /** Stops like {@link #stop} with the configured grace time, see {@link WorkerBuilder#grace}. */
    @Override
    public void close() {
        stop(grace);
    }
}

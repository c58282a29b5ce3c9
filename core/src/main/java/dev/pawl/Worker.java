package dev.pawl;

import dev.pawl.admin.JobAdmin;
import dev.pawl.internal.engine.Engine;
import java.time.Duration;
import java.util.Optional;

/**
 * Claims jobs and runs their handlers. Thread-safe. {@link #close} stops it gently; until then it
 * keeps working, even if the database goes away for a while.
 */
public final class Worker implements AutoCloseable {
    private final Engine engine;
    private final Duration grace;

    Worker(Engine engine, Duration grace) {
        this.engine = engine;
        this.grace = grace;
    }

    /**
     * @param queue where the jobs are
     * @return a builder for its handlers and options
     */
    public static WorkerBuilder on(JobQueue queue) {
        return new WorkerBuilder(queue);
    }

    /** {@return the id that jobs carry as {@code leased_by}} */
    public long id() {
        return engine.workerId();
    }

    /**
     * {@return whether it claims and runs jobs: false once it has been stopped, or has stopped itself because one of
     * its own threads could not go on, see {@link #failure}}
     */
    public boolean isAlive() {
        return engine.isAlive();
    }

    /**
     * {@return why it stopped itself, for example repeated {@link OutOfMemoryError}s; empty if it did not} It also logs
     * this; its jobs are given back, or rescued after their leases.
     */
    public Optional<Throwable> failure() {
        return engine.failure();
    }

    /**
     * {@return for how long it has been unable to write to its database; empty as long as its writes succeed} The database may be
     * unreachable, or read-only after a failover. The worker continues by itself when it is back.
     */
    public Optional<Duration> databaseLostFor() {
        return engine.databaseLostFor();
    }

    /** {@return what it has done since it started} */
    public WorkerStats stats() {
        return engine.stats();
    }

    /** {@return how many handlers it runs at once now} */
    public int concurrency() {
        return engine.concurrency();
    }

    /**
     * Changes how many handlers it runs at once, from now on. Handlers that run go on: if there are more of them, none begins
     * until there are fewer. A job that takes more places than there are left ({@link HandlerOptions#weight}) runs alone. The last change
     * counts, whether it came from here or from afar ({@link JobAdmin#scale}); one from afar counts from when the worker reads it, within
     * ten seconds.
     *
     * @param handlersAtOnce 1 to {@link WorkerBuilder#maxConcurrency}; to claim nothing at all, see {@link JobAdmin#wish}
     * @throws InvalidJobException if it is outside the range
     */
    public void concurrency(int handlersAtOnce) {
        engine.concurrency(handlersAtOnce);
    }

    /** Stops claiming. Jobs that it already holds are still run; then it is idle until closed. */
    public void drain() {
        engine.drain();
    }

    /**
     * Waits until the worker has found nothing to claim and holds nothing.
     *
     * @param timeout how long to wait
     * @return false if that did not happen in time
     * @throws InterruptedException if the caller is interrupted
     */
    public boolean awaitIdle(Duration timeout) throws InterruptedException {
        return engine.awaitIdle(timeout);
    }

    /**
     * Waits until the worker has stopped: because {@link #close} or {@link #stop} was called, or because it had to stop
     * itself, see {@link #failure}. The worker's own threads do not keep a program alive; a {@code main} that waits
     * here does.
     *
     * @throws InterruptedException if the caller is interrupted; the worker goes on
     */
    public void join() throws InterruptedException {
        engine.join();
    }

    /**
     * Stops: claims no more, gives back jobs that have not started without charging an attempt, waits for running
     * handlers until the grace time is over, then interrupts them and puts their jobs back without charging an attempt,
     * and records all outcomes. A second call only waits until the first has finished. If the caller is interrupted, all
     * of this still happens, but nobody waits for it. If a handler or a listener of this worker calls it, it returns at
     * once.
     *
     * @param graceTime how long running handlers may go on; zero interrupts them at once
     */
    public void stop(Duration graceTime) {
        engine.stop(graceTime);
    }

    /** Stops with the configured grace time, see {@link WorkerBuilder#grace}. */
    @Override
    public void close() {
        stop(grace);
    }
}

package dev.pawl;

import dev.pawl.internal.engine.Engine;
import java.time.Duration;

/**
 * Claims jobs and runs their handlers. Thread-safe. {@link #close} stops it gently; as long as it is not closed it goes
 * on, also when the database goes away for a while.
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
     * @return to say which handlers there are, and options
     */
    public static WorkerBuilder on(JobQueue queue) {
        return new WorkerBuilder(queue);
    }

    /** {@return the id that jobs carry as {@code leased_by}} */
    public long id() {
        return engine.workerId();
    }

    /** {@return what it has done since it started} */
    public WorkerStats stats() {
        return engine.stats();
    }

    /**
     * Stops claiming. Jobs that it holds are still run; then it is idle until it is closed.
     */
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
     * Stops: claims no more, gives back jobs that have not started without charging an attempt, waits for running
     * handlers until the grace time is over, then interrupts them and puts their jobs back without charging an attempt,
     * and records all outcomes. Does nothing the second time.
     *
     * @param graceTime how long running handlers may go on; zero interrupts them at once
     */
    public void stop(Duration graceTime) {
        engine.stop(graceTime);
    }

    /** Stops with the grace time that was set, see {@link WorkerBuilder#grace}. */
    @Override
    public void close() {
        stop(grace);
    }
}

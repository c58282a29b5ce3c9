package dev.pawl.spring.test;

import dev.pawl.Worker;
import dev.pawl.WorkerBuilder;
import dev.pawl.WorkerStats;
import dev.pawl.spring.WorkerLifecycle;
import java.time.Duration;

/** Runs the application's jobs when a test wants it, with the handlers that the application has. Thread-safe. */
public final class JobsInTest {
    private static final Duration USUAL = Duration.ofSeconds(30);
    private final WorkerLifecycle lifecycle;

    /**
     * @param lifecycle of the application under test, whose own worker is switched off
     */
    public JobsInTest(WorkerLifecycle lifecycle) {
        this.lifecycle = lifecycle;
    }

    /**
     * Runs every job that is committed and available now, and those that they enqueue; half a minute at most.
     *
     * @return what was done
     * @throws AssertionError if it takes longer
     */
    public WorkerStats drainNow() {
        return drainNow(USUAL);
    }

    /**
     * Runs every job that is committed and available now, and those that they enqueue.
     *
     * @param timeout how long it may take
     * @return what was done
     * @throws AssertionError if it takes longer, or if the application has no handlers
     */
    public WorkerStats drainNow(Duration timeout) {
        WorkerBuilder builder = lifecycle.builder();
        if (builder.kinds().isEmpty()) {
            throw new AssertionError("the application under test has no handler of jobs");
        }
        try (Worker worker = builder.start()) {
            if (!worker.awaitIdle(timeout)) {
                throw new AssertionError("the queue is not drained after " + timeout + ": " + worker.stats());
            }
            return worker.stats();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while draining", e);
        }
    }
}

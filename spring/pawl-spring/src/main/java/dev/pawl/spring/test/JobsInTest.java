package dev.pawl.spring.test;

import dev.pawl.Worker;
import dev.pawl.WorkerBuilder;
import dev.pawl.api.WorkerStats;
import dev.pawl.spring.WorkerLifecycle;
import java.time.Duration;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Runs the application's jobs on a test's request, with the application's handlers. Thread-safe. */
public final class JobsInTest {
    private static final Duration USUAL = Duration.ofSeconds(30);
    private final WorkerLifecycle lifecycle;

    /** @param lifecycle of the application under test, whose own worker is switched off */
    public JobsInTest(WorkerLifecycle lifecycle) {
        this.lifecycle = lifecycle;
    }

    /**
     * Runs every job that is committed and available, and those that they enqueue, for at most half a minute.
     *
     * @return the counts
     * @throws AssertionError if it takes longer, if a run fails, if the application has no handlers, or within a
     *     transaction, whose jobs cannot run
     */
    public WorkerStats drainNow() {
        return drainNow(USUAL);
    }

    /**
     * Runs every job that is committed and available, and those that they enqueue.
     *
     * @param timeout maximum duration
     * @return the counts
     * @throws AssertionError if it takes longer, if a run fails, if the application has no handlers, or within a
     *     transaction, whose jobs cannot run
     */
    public WorkerStats drainNow(Duration timeout) {
        return drain(timeout, false);
    }

    /**
     * Like {@link #drainNow(Duration)}, for tests of failures: runs may fail, and their jobs are retried later or
     * discarded.
     *
     * @param timeout maximum duration
     * @return the counts, including {@link WorkerStats#failed}
     * @throws AssertionError if it takes longer, if the application has no handlers, or within a transaction
     */
    public WorkerStats drainWithFailures(Duration timeout) {
        return drain(timeout, true);
    }

    private WorkerStats drain(Duration timeout, boolean failuresAllowed) {
        if (TransactionSynchronizationManager.isActualTransactionActive()) {
            throw new AssertionError(
                    "jobs cannot be run within the transaction of the test: what it has enqueued is not"
                            + " committed, so no worker sees it. Take @Transactional from the test, or commit before, with"
                            + " TestTransaction.flagForCommit() and TestTransaction.end()");
        }
        WorkerBuilder builder = lifecycle.builder();
        if (builder.kinds().isEmpty()) {
            throw new AssertionError("the application under test has no handler of jobs");
        }
        FailedRuns failures = new FailedRuns();
        WorkerStats stats = run(builder.listener(failures), timeout, failures);
        if (!failuresAllowed) {
            failures.requireNone();
        }
        return stats;
    }

    /** The worker is closed before its failures are read, so all of them are recorded. */
    private static WorkerStats run(WorkerBuilder builder, Duration timeout, FailedRuns failures) {
        try (Worker worker = builder.start()) {
            if (!worker.awaitIdle(timeout)) {
                throw new AssertionError(
                        "the queue is not drained after " + timeout + ": " + worker.stats() + failures.describe());
            }
            return worker.stats();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while draining", e);
        }
    }
}

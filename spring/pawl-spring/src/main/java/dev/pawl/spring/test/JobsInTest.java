package dev.pawl.spring.test;

import dev.pawl.Worker;
import dev.pawl.WorkerBuilder;
import dev.pawl.admin.ChangeResult;
import dev.pawl.admin.JobAdmin;
import dev.pawl.admin.JobChange;
import dev.pawl.admin.JobFilter;
import dev.pawl.api.WorkerStats;
import dev.pawl.internal.QueueRuntime;
import dev.pawl.spring.WorkerLifecycle;
import java.time.Duration;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Runs the application's jobs on a test's request, with the application's handlers. Workers that start on the queue of the application
 * under test do not store the application's retention times in the database. Thread-safe.
 */
public final class JobsInTest {
    private static final Duration USUAL = Duration.ofSeconds(30);
    private final WorkerLifecycle lifecycle;

    /** @param lifecycle of the application under test, whose own worker is switched off */
    public JobsInTest(WorkerLifecycle lifecycle) {
        this.lifecycle = lifecycle;
        lifecycle.queue().unwrap(QueueRuntime.class).ports().workers().onlyForTests();
    }

    /**
     * Erases <strong>every job of the database</strong> that has the queue's tables, with its attempts and log lines, whether the job
     * waits, runs or has finished, and no matter what enqueued it. Repeats this until no job is left, because erasing jobs ends their
     * batches and workflows, which may enqueue more jobs. Only for a database that belongs to the tests.
     *
     * @throws AssertionError if called within a transaction, because it would not see the jobs of this transaction; or if jobs are left
     *     after half a minute, for example because a worker runs them
     */
    public void eraseAll() {
        requireNoTransaction("jobs cannot be erased");
        long end = System.nanoTime() + USUAL.toNanos();
        JobAdmin jobs = lifecycle.queue().admin().jobs();
        ChangeResult done;
        do {
            done = jobs.changeAll(JobFilter.ALL, new JobChange.Erase(), changed -> {});
            if (done.left() > 0 && System.nanoTime() - end > 0) {
                throw new AssertionError(done.left() + " job(s) cannot be erased: running, or locked by a transaction");
            }
        } while (done.changed() > 0 || done.left() > 0);
    }

    private static void requireNoTransaction(String what) {
        if (TransactionSynchronizationManager.isActualTransactionActive()) {
            throw new AssertionError(what + " within the transaction of the test: what it has enqueued is not"
                    + " committed, so no worker sees it. Remove @Transactional from the test, or commit before, with"
                    + " TestTransaction.flagForCommit() and TestTransaction.end()");
        }
    }

    /**
     * Runs all jobs that are committed and available, and the jobs that these enqueue. Takes at most half a minute.
     *
     * @return the counts
     * @throws AssertionError if it takes longer, if a run fails, if the application has no handlers, or within a
     *     transaction, whose jobs cannot run
     */
    public WorkerStats drainNow() {
        return drainNow(USUAL);
    }

    /**
     * Runs all jobs that are committed and available, and the jobs that these enqueue.
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
        requireNoTransaction("jobs cannot be run");
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

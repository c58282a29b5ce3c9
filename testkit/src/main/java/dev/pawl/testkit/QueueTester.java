package dev.pawl.testkit;

import dev.pawl.Job;
import dev.pawl.JobQueue;
import dev.pawl.JobState;
import dev.pawl.JobType;
import dev.pawl.Worker;
import dev.pawl.WorkerBuilder;
import dev.pawl.WorkerStats;
import dev.pawl.admin.JobFilter;
import java.time.Duration;
import java.util.List;

/** Lets a test of an application look at its queue and run it. Works on the real database; thread-safe. */
public final class QueueTester {
    private final JobQueue queue;

    private QueueTester(JobQueue queue) {
        this.queue = queue;
    }

    /**
     * @param queue of the application under test
     * @return the tester
     */
    public static QueueTester of(JobQueue queue) {
        return new QueueTester(queue);
    }

    /**
     * Runs every job that is available now, and those that they enqueue, in this test.
     *
     * @param handlers a worker's builder with its handlers, not started
     * @param timeout how long it may take
     * @return what was done
     * @throws AssertionError if it takes longer
     */
    public WorkerStats drain(WorkerBuilder handlers, Duration timeout) {
        try (Worker worker = handlers.start()) {
            if (!worker.awaitIdle(timeout)) {
                throw new AssertionError("the queue is not drained after " + timeout + ": " + worker.stats());
            }
            return worker.stats();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while draining", e);
        }
    }

    /**
     * @param type only jobs of this type
     * @return the waiting ones, oldest first, at most 10,000
     */
    public List<Job> waiting(JobType<?> type) {
        return queue
                .admin()
                .list(JobFilter.ALL.kind(type.kind()).state(JobState.AVAILABLE).limit(10_000))
                .stream()
                .sorted((a, b) -> Long.compare(a.id(), b.id()))
                .toList();
    }

    /**
     * @param type of the wanted jobs
     * @param count how many must be waiting
     * @return those jobs
     * @throws AssertionError if there are more or fewer
     */
    public List<Job> requireWaiting(JobType<?> type, int count) {
        List<Job> jobs = waiting(type);
        if (jobs.size() != count) {
            throw new AssertionError("expected " + count + " waiting job(s) of kind '" + type.kind() + "', found "
                    + jobs.size() + ": " + jobs);
        }
        return jobs;
    }
}

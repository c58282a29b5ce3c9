package dev.pawl.testkit;

import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.WorkerBuilder;
import dev.pawl.Workflow;
import dev.pawl.admin.Choice;
import dev.pawl.admin.JobFilter;
import dev.pawl.api.Job;
import dev.pawl.api.JobType;
import dev.pawl.api.Prefetch;
import dev.pawl.api.WorkerStats;
import dev.pawl.internal.QueueRuntime;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Lets a test of an application inspect its queue, run its jobs, and advance time. Works on the real database;
 * thread-safe. Every method throws {@link dev.pawl.api.DatabaseException} if the database fails.
 */
public final class QueueTester {
    private final JobQueue queue;

    private QueueTester(JobQueue queue) {
        this.queue = queue;
        queue.unwrap(QueueRuntime.class).ports().workers().onlyForTests();
    }

    /**
     * Creates a tester. Workers started afterwards do not store the program's retention times in the database.
     *
     * @param queue of the application under test
     * @return the tester
     */
    public static QueueTester of(JobQueue queue) {
        return new QueueTester(queue);
    }

    /**
     * Starts a worker, and runs everything until nothing is due: due jobs, the jobs that they enqueue, ticks of schedules, and jobs whose
     * leases have expired. Jobs that wait for a retry are not due. Jobs of kinds without a handler, and of queues that the worker does not
     * serve, are skipped.
     *
     * @param handlers a worker's builder with the application's handlers, not started; used once
     * @return the result
     * @throws AssertionError if a run has failed (thrown after the last run, with the stack trace); if a limit of {@link
     *     DrainOptions#DEFAULTS} is exceeded
     */
    public Drained drainNow(WorkerBuilder handlers) {
        return drainNow(handlers, DrainOptions.DEFAULTS);
    }

    /**
     * Runs everything that is due, within limits.
     *
     * @param handlers a worker's builder with the application's handlers, not started; used once
     * @param options limits, and whether runs may fail
     * @return the result
     * @throws AssertionError if a run fails and failures are not allowed, or a limit is exceeded; the message lists the failures so far
     */
    public Drained drainNow(WorkerBuilder handlers, DrainOptions options) {
        return new Drainer(queue, options, false).run(handlers);
    }

    /**
     * Runs only the first due job.
     *
     * @param handlers a worker's builder with the application's handlers, not started; used once. Its concurrency is
     *     set to 1 and it claims one job, so handlers with a weight above 1 are refused
     * @return the job as it is stored after its run, or as it was when claimed, if it is not stored any more; empty if no job is due
     * @throws AssertionError if the run fails, with its stack trace, or takes longer than 30 s
     */
    public Optional<Job> runOne(WorkerBuilder handlers) {
        return runOne(handlers, DrainOptions.DEFAULTS).ran().stream()
                .findFirst()
                .map(ran -> queue.admin().jobs().find(ran.id()).orElse(ran));
    }

    /**
     * Runs only the first due job, within limits.
     *
     * @param handlers as above
     * @param options limits, and whether the run may fail
     * @return the result: one run or none
     * @throws AssertionError if the run fails and failures are not allowed, or takes too long
     */
    public Drained runOne(WorkerBuilder handlers, DrainOptions options) {
        return new Drainer(queue, options, true)
                .run(handlers.concurrency(1)
                        .maxConcurrency(1)
                        .prefetch(Prefetch.DEFAULTS.buffer(0).batch(1)));
    }

    /**
     * Enqueues a schedule's job without waiting for its next tick, as {@link dev.pawl.Schedules#runNow} does, and runs it
     * with everything else that is due. The next tick stays unchanged.
     *
     * @param name of the schedule
     * @param handlers a worker's builder with the handlers, used once. It must declare the schedule, unless the schedule was added before
     * @return the result
     * @throws AssertionError if a run fails; if there is no such schedule, or its last job has not ended and overlap is
     *     not allowed; if it takes longer than 30 s
     */
    public Drained runScheduleNow(String name, WorkerBuilder handlers) {
        return new Drainer(queue, DrainOptions.DEFAULTS, false).run(handlers, name);
    }

    /**
     * Runs one node of a workflow with all of its jobs. The other nodes of the workflow are paused during the run. Due jobs outside the
     * workflow run too.
     *
     * @param workflow of the queue
     * @param node its name; its dependencies must be satisfied
     * @param handlers a worker's builder with the application's handlers, not started; used once
     * @return the result; it does not list jobs of later nodes, which may be claimed but are released without a run
     * @throws AssertionError if there is no such node, or it waits or has ended (the message shows the nodes); if a run
     *     fails; if it takes longer than 30 s
     */
    public Drained runNode(Workflow workflow, String node, WorkerBuilder handlers) {
        return runNode(workflow, node, handlers, DrainOptions.DEFAULTS);
    }

    /**
     * Runs one node of a workflow, within limits.
     *
     * @param workflow of the queue
     * @param node as above
     * @param handlers as above
     * @param options limits, and whether runs may fail
     * @return the result
     * @throws AssertionError if a run fails and failures are not allowed, if a limit is exceeded, or if the node cannot run
     */
    public Drained runNode(Workflow workflow, String node, WorkerBuilder handlers, DrainOptions options) {
        return new WorkflowSteps(queue, workflow).run(node, handlers, options);
    }

    /**
     * Formats the state of a workflow.
     *
     * @param workflow of the queue
     * @return one line per node, such as {@code pack after charge: running}; in the order in which they were added
     * @throws AssertionError if there is no such workflow
     */
    public String tree(Workflow workflow) {
        return new WorkflowSteps(queue, workflow).tree();
    }

    /**
     * Returns the enqueued jobs, to be filtered and asserted on: {@code enqueued(MAIL).queue("slow").assertOne()}.
     *
     * @param type of the jobs
     * @param <T> the payload
     * @return the waiting jobs of the type
     */
    public <T> EnqueuedJobs<T> enqueued(JobType<T> type) {
        return new EnqueuedJobs<>(queue, type);
    }

    /**
     * Asserts that no job of any kind is waiting.
     *
     * @throws AssertionError if a job is waiting; the message shows the waiting jobs
     */
    public void assertNothingEnqueued() {
        List<Job> waiting = EnqueuedJobs.waiting(queue, JobFilter.ALL);
        if (!waiting.isEmpty()) {
            throw new AssertionError(
                    "expected that nothing is enqueued, found " + waiting.size() + ":" + JobText.list(waiting));
        }
    }

    /**
     * Advances time: moves all stored moments into the past in one transaction. Delayed jobs, retries, ticks, expiries, leases, pauses, and
     * the ends of unique keys, limits and retention arrive that much sooner. The database's clock itself is unchanged. Jobs enqueued
     * afterwards and {@code now()} in SQL use the current time, and a schedule computes later ticks from the current time. A schedule that
     * has missed several ticks behaves as if no worker had run during that time. Not for shared databases, because all tables of the queue
     * are changed.
     *
     * @param time 1 µs to 3,650 days
     * @throws IllegalStateException if a worker runs on the queue, in this process or another
     * @throws IllegalArgumentException if the time is outside its range
     */
    public void advance(Duration time) {
        if (time.compareTo(Duration.ofNanos(1000)) < 0 || time.compareTo(Duration.ofDays(3650)) > 0) {
            throw new IllegalArgumentException("time " + time + " is not valid: use 1 µs to 3650 days");
        }
        new TimeShift(queue).by(time);
    }

    /**
     * Runs all available jobs, and the jobs that these enqueue. Failed runs do not fail the test, unlike with {@link
     * #drainNow(WorkerBuilder)}.
     *
     * @param handlers a worker's builder with its handlers, not started
     * @param timeout maximum duration
     * @return the counts
     * @throws AssertionError if the jobs take longer than the timeout
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
     * @return the waiting jobs, oldest first, at most 10,000
     */
    public List<Job> waiting(JobType<?> type) {
        return queue
                .admin()
                .jobs()
                .list(JobFilter.ALL
                        .kind(type.kind())
                        .states(Choice.of(EnqueuedJobs.WAITING))
                        .limit(10_000))
                .stream()
                .sorted((a, b) -> Long.compare(a.id(), b.id()))
                .toList();
    }

    /**
     * @param type of the wanted jobs
     * @param count the expected number of waiting jobs
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

package dev.pawl.testkit;

import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.WorkerBuilder;
import dev.pawl.admin.JobFilter;
import dev.pawl.api.EnqueueResult;
import dev.pawl.api.Job;
import dev.pawl.api.JobState;
import dev.pawl.api.WorkerStats;
import dev.pawl.limit.LimitInfo;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

/** Runs a worker until nothing is due, and reports failures. One instance per call. */
final class Drainer {
    private static final Duration SLICE = Duration.ofMillis(100);

    private final JobQueue queue;
    private final DrainOptions options;
    private final boolean onlyOne;
    private final PendingWork stillDue;
    private final CompletableFuture<Worker> worker = new CompletableFuture<>();
    private final RunRecorder runs;
    private final long deadline;

    /**
     * @param queue to drain
     * @param options limits
     * @param onlyOne whether to stop after one run
     */
    Drainer(JobQueue queue, DrainOptions options, boolean onlyOne) {
        this.queue = queue;
        this.options = options;
        this.onlyOne = onlyOne;
        this.stillDue = new PendingWork(queue);
        this.runs = new RunRecorder(options.runs(), this::started);
        this.deadline = System.nanoTime() + options.timeout().toNanos();
    }

    /** Prevents a second claim. None can be in progress, because the run that calls this occupies the worker's only slot. */
    private void started() {
        if (onlyOne) {
            worker.join().drain();
        }
    }

    /**
     * @param handlers not started
     * @return the result
     */
    Drained run(WorkerBuilder handlers) {
        return run(handlers, () -> {});
    }

    /**
     * @param handlers that declare the schedule, unless it was added before
     * @param schedule whose job to enqueue without waiting for its next tick
     * @return the result
     */
    Drained run(WorkerBuilder handlers, String schedule) {
        return run(handlers, () -> {
            awaitNothingDue(); // afterwards the schedule is declared, and its last job has run if it was due
            EnqueueResult result = queue.schedules()
                    .runNow(schedule)
                    .orElseThrow(() -> new AssertionError("there is no schedule '" + schedule
                            + "': declare it with WorkerBuilder.schedule, or add it with Schedules.add"));
            if (!(result instanceof EnqueueResult.Inserted)) {
                throw new AssertionError("schedule '" + schedule + "' has enqueued nothing: its job " + result.jobId()
                        + " has not ended, and its jobs must not overlap");
            }
        });
    }

    private interface Step {
        void run() throws InterruptedException;
    }

    private Drained run(WorkerBuilder handlers, Step first) {
        Worker started = handlers.listener(runs).start();
        worker.complete(started);
        try {
            first.run();
            awaitNothingDue();
            started.close();
            return result(started);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while running jobs", e);
        } finally {
            started.stop(Duration.ZERO);
            runs.close();
        }
    }

    private Drained result(Worker ended) {
        WorkerStats stats = ended.stats();
        Drained all = new Drained(stats, runs.ran(), runs.failures());
        if (!options.failuresAllowed() && !all.failures().isEmpty()) {
            throw new AssertionError(failed(all.failures()));
        }
        return all;
    }

    /**
     * Waits until the worker is idle and nothing is due. Checks again after each wait during which a job ran, because the run may have made
     * more jobs due.
     */
    private void awaitNothingDue() throws InterruptedException {
        List<String> due;
        int before;
        do {
            due = stillDue.list(worker.join().id());
            before = runs.ran().size();
            awaitIdle();
            if (onlyOne && !runs.ran().isEmpty()) {
                return;
            }
            if (!due.isEmpty() && System.nanoTime() - deadline >= 0) {
                throw tooLong("still due: " + String.join(", ", due));
            }
        } while (!due.isEmpty() || runs.ran().size() != before);
    }

    /** Waits in slices, to detect runs that never end. */
    private void awaitIdle() throws InterruptedException {
        Worker started = worker.join();
        while (!started.awaitIdle(SLICE)) {
            requireAlive(started);
            if (isAtRestByALimit(started)) {
                return;
            }
            if (runs.isOver()) {
                List<Job> last = runs.ran();
                throw new AssertionError("more than " + options.runs() + " runs, the last one of "
                        + JobText.of(last.get(last.size() - 1))
                        + "\nDoes a handler enqueue its own kind without end? Otherwise raise DrainOptions.runs"
                        + failuresSoFar());
            }
            if (System.nanoTime() - deadline >= 0) {
                List<Job> running = runs.running();
                throw tooLong(running.isEmpty() ? held() : "still running:" + JobText.list(running));
            }
        }
        requireAlive(started);
    }

    /** A worker whose rate limit is exhausted claims nothing, and so never finds the queue empty. */
    private boolean isAtRestByALimit(Worker started) {
        if (queue.limits().list().isEmpty()) {
            return false;
        }
        int before = runs.ran().size();
        return !isAnyRunning()
                && !stillDue.anyJob(started.id())
                && !isAnyRunning()
                && before == runs.ran().size();
    }

    private boolean isAnyRunning() {
        return !queue.admin()
                .jobs()
                .list(JobFilter.ALL.state(JobState.RUNNING).limit(1))
                .isEmpty();
    }

    /** Lists the waiting jobs and the limits that may keep them from starting. */
    private String held() {
        List<LimitInfo> limits = queue.limits().list();
        return "still waiting:" + JobText.list(EnqueuedJobs.waiting(queue, JobFilter.ALL))
                + (limits.isEmpty() ? "" : "\nIs it a limit that lets no more start? " + limits);
    }

    private static void requireAlive(Worker started) {
        if (started.failure().isPresent()) {
            throw new AssertionError(
                    "the worker has stopped itself", started.failure().get());
        }
    }

    private AssertionError tooLong(String why) {
        return new AssertionError("not done after " + options.timeout() + ", " + why + failuresSoFar());
    }

    private String failuresSoFar() {
        List<FailedRun> failures = runs.failures();
        return failures.isEmpty() ? "" : "\n" + failed(failures);
    }

    /** Formats failures with the stack traces from the database. */
    private static String failed(List<FailedRun> failures) {
        return failures.size() + " run(s) failed; if that is meant, use DrainOptions.DEFAULTS.allowFailures()."
                + failures.stream()
                        .limit(10)
                        .map(run -> "\n" + (run.discarded() ? "Discarded: " : "Will be tried again: ")
                                + JobText.of(run.job()) + "\n" + run.error())
                        .collect(Collectors.joining())
                + (failures.size() > 10 ? "\nand " + (failures.size() - 10) + " more" : "");
    }
}

package dev.pawl.dashboard.internal.look;

import dev.pawl.JobQueue;
import dev.pawl.admin.FailureGroup;
import dev.pawl.admin.Finding;
import dev.pawl.admin.FinishedJobs;
import dev.pawl.admin.JobAdmin;
import dev.pawl.admin.QueueStats;
import dev.pawl.admin.RemoteWorkerInfo;
import dev.pawl.admin.SlotSeriesInfo;
import dev.pawl.admin.StalledJob;
import dev.pawl.admin.TableSize;
import dev.pawl.admin.UnattendedJobs;
import dev.pawl.admin.WorkerInfo;
import dev.pawl.limit.LimitInfo;
import dev.pawl.schedule.ScheduleInfo;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** What pages and the API show of the whole queue, each asked for once for all who look. Thread-safe. */
public final class Looks {
    /** Beyond it a queue's jobs are not counted: numbers that are as large mean at least so many. */
    public static final int MOST_COUNTED = 10_000;
    /** Of the history, and of those that a change would concern. */
    public static final int MOST_FINISHED = 50_000;
    /** Of failed attempts, of the jobs that were enqueued last. */
    public static final int MOST_ATTEMPTS = 3_000;

    private static final int THREADS = 2;
    private static final int WAITING = 50;

    private final ThreadPoolExecutor threads = threads();
    private final Lately lately;
    private final Lists lists;
    private final Cached<List<QueueStats>> queues;
    private final Cached<List<FinishedJobs>> finished;
    private final Cached<List<UnattendedJobs>> unattended;
    private final Cached<List<StalledJob>> stalled;
    private final Cached<List<WorkerInfo>> workers;
    private final Cached<List<RemoteWorkerInfo>> remoteWorkers;
    private final Cached<List<ScheduleInfo>> schedules;
    private final Cached<List<LimitInfo>> limits;
    private final Cached<List<FailureGroup>> failures;
    private final Cached<List<SlotSeriesInfo>> slots;
    private final Cached<List<Finding>> findings;
    private final Cached<List<TableSize>> tables;
    private final Cached<List<Given>> given;

    /** @param queue to look at */
    public Looks(JobQueue queue) {
        JobAdmin admin = queue.admin();
        lists = new Lists(admin);
        lately = new Lately(admin);
        queues = cached(() -> admin.queues(MOST_COUNTED));
        finished = cached(() -> admin.finished(MOST_FINISHED));
        unattended = cached(admin::unattended);
        stalled = cached(admin::stalled);
        workers = cached(admin::workers);
        remoteWorkers = cached(admin::remoteWorkers);
        schedules = cached(() -> queue.schedules().list());
        limits = cached(() -> queue.limits().list());
        failures = cached(() -> admin.failures(null, null, MOST_ATTEMPTS));
        slots = cached(() -> queue.slots().list());
        findings = cached(admin::diagnose);
        tables = cached(admin::tables);
        given = cached(() -> Given.all(admin));
    }

    private <T> Cached<T> cached(Supplier<T> look) {
        return new Cached<>(look, System::nanoTime, Cached.LONGEST_WAIT, threads);
    }

    /** A few, so that looks that take long leave connections to others. */
    private static ThreadPoolExecutor threads() {
        ThreadPoolExecutor threads = new ThreadPoolExecutor(
                THREADS, THREADS, 10, TimeUnit.SECONDS, new ArrayBlockingQueue<>(WAITING), work -> {
                    Thread thread = new Thread(work, "pawl-dashboard-look");
                    thread.setDaemon(true);
                    return thread;
                });
        threads.allowCoreThreadTimeOut(true);
        return threads;
    }

    /** {@return queues with live jobs, paused ones, and those with a strategy of their own; counted up to {@link #MOST_COUNTED}} */
    public List<QueueStats> queues() {
        return queues.get();
    }

    /** {@return how queues have been lately} */
    public Lately lately() {
        return lately;
    }

    /** {@return lists of jobs} */
    public Lists lists() {
        return lists;
    }

    /** {@return the last of the finished jobs that are still kept, {@link #MOST_FINISHED} of those with rows} */
    public List<FinishedJobs> finished() {
        return finished.get();
    }

    /** {@return jobs that no live worker handles} */
    public List<UnattendedJobs> unattended() {
        return unattended.get();
    }

    /** {@return runs that take far longer than others of their kind} */
    public List<StalledJob> stalled() {
        return stalled.get();
    }

    /** {@return the workers, live ones first} */
    public List<WorkerInfo> workers() {
        return workers.get();
    }

    /** {@return the workers without a database} */
    public List<RemoteWorkerInfo> remoteWorkers() {
        return remoteWorkers.get();
    }

    /** {@return the schedules} */
    public List<ScheduleInfo> schedules() {
        return schedules.get();
    }

    /** {@return the limits} */
    public List<LimitInfo> limits() {
        return limits.get();
    }

    /** {@return failed attempts by their causes} */
    public List<FailureGroup> failures() {
        return failures.get();
    }

    /** {@return the series of slots} */
    public List<SlotSeriesInfo> slots() {
        return slots.get();
    }

    /** {@return what the doctor says; expensive} */
    public List<Finding> findings() {
        return findings.get();
    }

    /** {@return the finished jobs that are still kept; empty while they are counted for the first time} */
    public Optional<List<FinishedJobs>> finishedSoon() {
        return finished.soon();
    }

    /** {@return failed attempts by their causes; empty while they are counted for the first time} */
    public Optional<List<FailureGroup>> failuresSoon() {
        return failures.soon();
    }

    /** {@return how large the tables are; empty while that is read for the first time} */
    public Optional<List<TableSize>> tablesSoon() {
        return tables.soon();
    }

    /** {@return which jobs managers have given to whom} */
    public List<Given> given() {
        return given.get();
    }

    /** {@return how large the tables are} */
    public List<TableSize> tables() {
        return tables.get();
    }

    /** {@return what the doctor says; empty while they are counted for the first time} */
    public Optional<List<Finding>> findingsSoon() {
        return findings.soon();
    }

    /** Asks nothing in the background any more; whoever looks waits for the answer. */
    public void close() {
        threads.shutdown();
    }

    /** Has everything that a change may concern be asked anew. */
    public void changed() {
        queues.forget();
        unattended.forget();
        workers.forget();
        schedules.forget();
        limits.forget();
        failures.forget();
        slots.forget();
        stalled.forget();
        lists.forget();
    }
}

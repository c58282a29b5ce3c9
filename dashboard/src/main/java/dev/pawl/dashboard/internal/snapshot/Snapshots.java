package dev.pawl.dashboard.internal.snapshot;

import dev.pawl.JobQueue;
import dev.pawl.admin.Admin;
import dev.pawl.admin.FailureGroup;
import dev.pawl.admin.Finding;
import dev.pawl.admin.FinishedJobs;
import dev.pawl.admin.QueueStats;
import dev.pawl.admin.RemoteWorkerInfo;
import dev.pawl.admin.SlotSeriesInfo;
import dev.pawl.admin.StalledJobs;
import dev.pawl.admin.TableSize;
import dev.pawl.admin.UnattendedJobs;
import dev.pawl.admin.WorkerInfo;
import dev.pawl.limit.LimitInfo;
import dev.pawl.schedule.ScheduleInfo;
import dev.pawl.spi.Series;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Cached query results about the whole queue, each queried once for all viewers. Thread-safe. */
public final class Snapshots {
    /** Counting a queue's jobs stops at this number, so an equal count is a lower bound. */
    public static final int MAX_COUNTED = 10_000;
    /** Maximum number of jobs counted in the history, and in the selection of a change. */
    public static final int MAX_FINISHED = 50_000;
    /** Maximum number of failed attempts read, of the most recently enqueued jobs. */
    public static final int MAX_ATTEMPTS = 3_000;

    private static final int THREADS = 2;
    private static final int WAITING = 50;

    private final ThreadPoolExecutor threads = threads();
    private final RecentSeries recentSeries;
    private final Lists lists;
    private final Cached<List<QueueStats>> queues;
    private final Cached<List<FinishedJobs>> finished;
    private final Cached<List<UnattendedJobs>> unattended;
    private final Cached<StalledJobs> stalled;
    private final Cached<List<WorkerInfo>> workers;
    private final Cached<List<RemoteWorkerInfo>> remoteWorkers;
    private final Cached<List<ScheduleInfo>> schedules;
    private final Cached<List<LimitInfo>> limits;
    private final Cached<List<FailureGroup>> failures;
    private final Cached<List<SlotSeriesInfo>> slots;
    private final Cached<List<Finding>> findings;
    private final Cached<List<TableSize>> tables;
    private final Cached<List<AssignedJob>> assignments;
    private final Cached<Pauses> pauses;
    private final @Nullable Cached<Optional<Duration>> replicaLag;
    private final List<Cached<?>> derived = new CopyOnWriteArrayList<>();

    /**
     * @param queue to read
     * @param primary the queue on the primary if {@code queue} reads from a replica; otherwise {@code queue} itself
     */
    public Snapshots(JobQueue queue, JobQueue primary) {
        Admin admin = queue.admin();
        lists = new Lists(admin);
        recentSeries = new RecentSeries(queue.unwrap(Series.class));
        queues = cached(() -> admin.queues().list(MAX_COUNTED));
        finished = cached(() -> admin.queues().finished(MAX_FINISHED));
        unattended = cached(admin.queues()::unattended);
        stalled = cached(admin.runs()::stalled);
        workers = cached(admin.workers()::list);
        remoteWorkers = cached(admin.workers()::remote);
        schedules = cached(() -> queue.schedules().list());
        limits = cached(() -> queue.limits().list());
        failures = cached(() -> admin.runs().failures(null, null, MAX_ATTEMPTS));
        slots = cached(() -> queue.slots().list());
        findings = cached(admin.maintenance()::diagnose);
        tables = cached(admin.maintenance()::tables);
        assignments = cached(() -> AssignedJob.all(admin));
        pauses = cached(() -> Pauses.of(admin.queues()));
        replicaLag = primary.equals(queue) ? null : cached(() -> ReplicaLag.read(primary, queue));
    }

    /**
     * {@return a cached result that is computed from other results of this object, and discarded with them}
     *
     * @param computation reads the other results
     */
    public <T> Cached<T> derived(Supplier<T> computation) {
        Cached<T> result = cached(computation);
        derived.add(result);
        return result;
    }

    private <T> Cached<T> cached(Supplier<T> query) {
        return new Cached<>(query, System::nanoTime, Cached.LONGEST_WAIT, threads);
    }

    /** Few threads, so that slow queries leave connections to others. */
    private static ThreadPoolExecutor threads() {
        ThreadPoolExecutor threads = new ThreadPoolExecutor(
                THREADS, THREADS, 10, TimeUnit.SECONDS, new ArrayBlockingQueue<>(WAITING), work -> {
                    Thread thread = new Thread(work, "pawl-dashboard-query");
                    thread.setDaemon(true);
                    return thread;
                });
        threads.allowCoreThreadTimeOut(true);
        return threads;
    }

    /** {@return queues with live jobs, paused queues, and those with their own strategy; counted up to {@link #MAX_COUNTED}} */
    public List<QueueStats> queues() {
        return queues.get();
    }

    /** {@return the recent history of queues} */
    public RecentSeries recentSeries() {
        return recentSeries;
    }

    /** {@return lists of jobs} */
    public Lists lists() {
        return lists;
    }

    /** {@return how many finished jobs each queue still keeps; counts up to {@link #MAX_FINISHED} jobs with rows of their own} */
    public List<FinishedJobs> finished() {
        return finished.get();
    }

    /** {@return which queues are paused, and since when} */
    public Pauses pauses() {
        return pauses.get();
    }

    /** {@return jobs without a live worker} */
    public List<UnattendedJobs> unattended() {
        return unattended.get();
    }

    /** {@return runs that take far longer than other runs of their kind} */
    public StalledJobs stalled() {
        return stalled.get();
    }

    /** {@return the workers, live ones first} */
    public List<WorkerInfo> workers() {
        return workers.get();
    }

    /** {@return the remote workers} */
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

    /** {@return the doctor's findings; expensive} */
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

    /** {@return the sizes of the tables; empty while they are read for the first time} */
    public Optional<List<TableSize>> tablesSoon() {
        return tables.soon();
    }

    /** {@return which jobs managers have assigned to which workers} */
    public List<AssignedJob> assignments() {
        return assignments.get();
    }

    /** {@return the sizes of the tables} */
    public List<TableSize> tables() {
        return tables.get();
    }

    /** {@return the doctor's findings; empty while they are determined for the first time} */
    public Optional<List<Finding>> findingsSoon() {
        return findings.soon();
    }

    /** {@return whether all of this is read from a replica} */
    public boolean isFromReplica() {
        return replicaLag != null;
    }

    /**
     * {@return how far the replica is behind at least; empty if that is unknown yet, or there is no replica} Does not wait for a primary
     * that hangs.
     */
    public Optional<Duration> replicaLag() {
        return replicaLag == null ? Optional.empty() : replicaLag.soon().flatMap(lag -> lag);
    }

    /** Stops queries in the background; callers wait for results from then on. */
    public void close() {
        threads.shutdown();
    }

    /** Discards every result that a change may affect. */
    public void changed() {
        queues.forget();
        unattended.forget();
        workers.forget();
        schedules.forget();
        limits.forget();
        failures.forget();
        slots.forget();
        stalled.forget();
        pauses.forget();
        lists.forget();
        derived.forEach(Cached::forget);
    }
}

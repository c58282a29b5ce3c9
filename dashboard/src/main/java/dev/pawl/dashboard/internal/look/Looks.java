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
import dev.pawl.admin.UnattendedJobs;
import dev.pawl.admin.WorkerInfo;
import dev.pawl.limit.LimitInfo;
import dev.pawl.schedule.ScheduleInfo;
import java.util.List;
import java.util.function.Supplier;

/** What pages and the API show of the whole queue, each asked for once for all who look. Thread-safe. */
public final class Looks {
    private final Depths depths = new Depths();
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

    /** @param queue to look at */
    public Looks(JobQueue queue) {
        JobAdmin admin = queue.admin();
        queues = cached(() -> {
            List<QueueStats> now = admin.queues();
            depths.add(now, System.nanoTime());
            return now;
        });
        finished = cached(admin::finished);
        unattended = cached(admin::unattended);
        stalled = cached(admin::stalled);
        workers = cached(admin::workers);
        remoteWorkers = cached(admin::remoteWorkers);
        schedules = cached(() -> queue.schedules().list());
        limits = cached(() -> queue.limits().list());
        failures = cached(() -> admin.failures(null, null));
        slots = cached(() -> queue.slots().list());
        findings = cached(admin::diagnose);
    }

    private static <T> Cached<T> cached(Supplier<T> look) {
        return new Cached<>(look, System::nanoTime);
    }

    /** {@return queues with live jobs, paused ones, and those with a strategy of their own} */
    public List<QueueStats> queues() {
        return queues.get();
    }

    /** {@return how queues have grown while somebody was looking} */
    public Depths depths() {
        return depths;
    }

    /** {@return the finished jobs that are still kept; expensive} */
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
    }
}

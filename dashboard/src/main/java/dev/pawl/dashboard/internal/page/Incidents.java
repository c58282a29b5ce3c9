package dev.pawl.dashboard.internal.page;

import dev.pawl.admin.QueueStats;
import dev.pawl.admin.RemoteWorkerInfo;
import dev.pawl.admin.StalledJob;
import dev.pawl.admin.UnattendedJobs;
import dev.pawl.admin.WorkerInfo;
import dev.pawl.dashboard.internal.page.Incident.Action;
import dev.pawl.dashboard.internal.page.Incident.Cause;
import dev.pawl.dashboard.internal.page.Incident.Point;
import dev.pawl.dashboard.internal.snapshot.Pauses;
import dev.pawl.dashboard.internal.snapshot.Snapshots;
import dev.pawl.limit.LimitInfo;
import dev.pawl.limit.Pause;
import dev.pawl.limit.Subject;
import dev.pawl.schedule.ScheduleInfo;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Finds the problems of the whole queue in data that pages read anyway. Confined to one thread. */
final class Incidents {
    /** The filter of jobs that wait in any way. */
    private static final String WAITING = "available,blocked,pending,paused";

    /** Available jobs that wait longer than this are a problem. */
    private static final Duration LONG = Duration.ofMinutes(10);

    /** A replica that is further behind than this, the time of three heartbeats of a worker, is a problem. */
    private static final Duration BEHIND = Duration.ofSeconds(30);

    private final Snapshots snapshots;
    private final Instant now = Instant.now();
    private final Map<Cause, List<Point>> found = new EnumMap<>(Cause.class);

    private Incidents(Snapshots snapshots) {
        this.snapshots = snapshots;
    }

    /** {@return the problems by cause, the worst first} */
    static List<Incident> of(Snapshots snapshots) {
        Incidents incidents = new Incidents(snapshots);
        incidents.search();
        List<Incident> all = new ArrayList<>();
        incidents.found.forEach((cause, points) -> all.add(Incident.of(
                cause, points, cause == Cause.STALLED && snapshots.stalled().isAtLeast())));
        return all;
    }

    private void add(Point point) {
        found.computeIfAbsent(point.cause(), cause -> new ArrayList<>()).add(point);
    }

    private void search() {
        replica();
        workers();
        pauses();
        queues();
        schedules();
        for (UnattendedJobs jobs : snapshots.unattended()) {
            add(Point.of(
                            Cause.UNATTENDED,
                            "no live worker handles kind " + jobs.kind() + ": " + (jobs.isAtLeast() ? "at least " : "")
                                    + Formats.count(jobs.jobs(), "job")
                                    + " waiting in queue " + jobs.queue(),
                            null,
                            "/jobs")
                    .with(Map.of("state", WAITING, "queue", jobs.queue(), "kind", jobs.kind())));
        }
        for (StalledJob job : snapshots.stalled().jobs()) {
            add(Point.of(
                    Cause.STALLED,
                    "job " + job.jobId() + " of kind " + job.kind() + " has been running for "
                            + Formats.length(job.running()) + ", others for " + Formats.length(job.usual())
                            + " at most",
                    now.minus(job.running()),
                    "/jobs/" + job.jobId()));
        }
        Discards.of(snapshots.recentSeries())
                .forEach((queue, jobs) -> add(Point.of(
                                Cause.DISCARDED,
                                Formats.count(jobs, "job") + " of queue " + queue + (jobs == 1 ? " was" : " were")
                                        + " discarded in the last 24 hours",
                                null,
                                "/jobs")
                        .with(Map.of("state", "discarded", "queue", queue))));
    }

    private void replica() {
        snapshots
                .replicaLag()
                .filter(lag -> lag.compareTo(BEHIND) > 0)
                .ifPresent(lag -> add(Point.of(
                        Cause.REPLICA,
                        "the replica that these pages are read from is at least " + Formats.length(lag)
                                + " behind: what they show is that old",
                        now.minus(lag),
                        "/database")));
    }

    private void workers() {
        List<WorkerInfo> workers = snapshots.workers();
        boolean works = workers.stream().anyMatch(WorkerInfo::alive);
        boolean waits = snapshots.queues().stream().anyMatch(queue -> queue.available() > 0);
        if (!works && waits) {
            add(Point.of(Cause.NO_WORKER, "jobs wait, and no worker is alive", lastHeartbeat(workers), "/workers"));
        }
        for (WorkerInfo worker : workers) {
            if (!worker.alive() && worker.stoppedAt() == null && worker.running() > 0) {
                add(Point.of(
                        Cause.SILENT_WORKER,
                        "worker " + worker.name() + " has gone silent and holds "
                                + Formats.count(worker.running(), "job"),
                        worker.heartbeatAt(),
                        "/workers"));
            }
        }
        for (RemoteWorkerInfo worker : snapshots.remoteWorkers()) {
            String problem = worker.status().problem();
            if (problem != null) {
                add(Point.of(
                        Cause.REMOTE_WORKER,
                        "worker " + worker.status().url() + " gets no jobs: " + problem,
                        null,
                        "/managers"));
            }
        }
    }

    private static @Nullable Instant lastHeartbeat(List<WorkerInfo> workers) {
        return workers.stream()
                .map(worker -> Objects.requireNonNullElse(worker.stoppedAt(), worker.heartbeatAt()))
                .max(Instant::compareTo)
                .orElse(null);
    }

    /** Adds what users or outages have paused. */
    private void pauses() {
        Pauses pauses = snapshots.pauses();
        if (pauses.all() != null) {
            long waiting =
                    snapshots.queues().stream().mapToLong(Incidents::waiting).sum();
            add(Point.of(
                            Cause.ALL_PAUSED,
                            "all queues are paused, with " + Formats.count(waiting, "job") + " waiting",
                            pauses.all(),
                            "/queues")
                    .with(new Action("/queues/resume-all", "Resume all", "queues", Map.of())));
        }
        for (LimitInfo limit : snapshots.limits()) {
            Pause pause = limit.pause();
            if (pause != null) {
                Subject subject = limit.limit().subject();
                add(Point.of(
                                Cause.SUBJECT_PAUSED,
                                "the jobs of " + subject + " are "
                                        + (pause.expired()
                                                ? "being tried, one at a time: "
                                                : "paused until " + Formats.time(pause.until()) + ": ")
                                        + Formats.brief(pause.reason()),
                                null,
                                "/limits")
                        .with(new Action(
                                "/limits/resume",
                                "Resume",
                                subject.toString(),
                                Map.of("of", subject.of().word(), "name", subject.name()))));
            }
        }
    }

    private static long waiting(QueueStats queue) {
        return queue.available() + queue.delayed() + queue.retrying();
    }

    private void queues() {
        Pauses pauses = snapshots.pauses();
        for (QueueStats queue : snapshots.queues()) {
            long waiting = waiting(queue);
            boolean isAtLeast = queue.lowerBounds().stream().anyMatch(count -> count != QueueStats.Count.RUNNING);
            Instant since = pauses.queues().get(queue.name());
            if (queue.paused() && waiting > 0 && (since != null || pauses.all() == null)) {
                add(Point.of(
                                Cause.QUEUE_PAUSED,
                                "queue " + queue.name() + " is paused, with " + (isAtLeast ? "at least " : "")
                                        + Formats.count(waiting, "job") + " waiting",
                                since,
                                "/queues/one")
                        .with("name", queue.name())
                        .with(new Action(
                                "/queues/resume", "Resume", "queue " + queue.name(), Map.of("queue", queue.name()))));
            }
            Duration oldest = queue.oldestAge();
            if (!queue.paused() && oldest != null && oldest.compareTo(LONG) > 0) {
                add(Point.of(
                                Cause.OLD,
                                "the oldest job of queue " + queue.name() + " has waited for " + Formats.length(oldest),
                                now.minus(oldest),
                                "/queues/one")
                        .with("name", queue.name()));
            }
        }
    }

    private void schedules() {
        for (ScheduleInfo schedule : snapshots.schedules()) {
            if (schedule.isOverdue()) {
                add(Point.of(
                                Cause.OVERDUE,
                                "schedule " + schedule.name() + " is overdue: no live worker processes it",
                                schedule.nextAt(),
                                "/schedules/one")
                        .with("name", schedule.name()));
            }
        }
    }
}

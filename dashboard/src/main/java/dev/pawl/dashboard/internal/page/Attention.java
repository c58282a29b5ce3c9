package dev.pawl.dashboard.internal.page;

import dev.pawl.admin.QueueStats;
import dev.pawl.admin.RemoteWorkerInfo;
import dev.pawl.admin.StalledJob;
import dev.pawl.admin.UnattendedJobs;
import dev.pawl.admin.WorkerInfo;
import dev.pawl.dashboard.internal.snapshot.Snapshots;
import dev.pawl.limit.Hold;
import dev.pawl.limit.LimitInfo;
import dev.pawl.schedule.ScheduleInfo;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** Problems to show on the overview, found in data that is read anyway. */
public final class Attention {
    /** The filter of jobs that wait in any way. */
    private static final String WAITING = "available,blocked,pending,paused";

    private static final int MOST = 30;
    /** No available job should wait longer. */
    private static final Duration LONG = Duration.ofMinutes(10);

    private Attention() {}

    /**
     * A problem.
     *
     * @param text its description
     * @param path of the page with details
     * @param parameters of that page
     */
    public record Point(String text, String path, Map<String, String> parameters) {}

    /**
     * The problems.
     *
     * @param points the first of them
     * @param more how many more there are
     * @param isAtLeast whether there may be even more
     */
    public record All(List<Point> points, int more, boolean isAtLeast) {}

    static All all(Snapshots snapshots) {
        List<Point> points = points(snapshots);
        int shown = Math.min(MOST, points.size());
        return new All(
                points.subList(0, shown),
                points.size() - shown,
                snapshots.stalled().isAtLeast());
    }

    private static List<Point> points(Snapshots snapshots) {
        List<Point> points = new ArrayList<>();
        workers(snapshots, points);
        queues(snapshots, points);
        schedules(snapshots, points);
        for (UnattendedJobs jobs : snapshots.unattended()) {
            points.add(new Point(
                    "no live worker handles kind " + jobs.kind() + ": " + (jobs.isAtLeast() ? "at least " : "")
                            + Formats.count(jobs.jobs(), "job")
                            + " waiting in queue " + jobs.queue(),
                    "/jobs",
                    Map.of("state", WAITING, "queue", jobs.queue(), "kind", jobs.kind())));
        }
        for (StalledJob job : snapshots.stalled().jobs()) {
            points.add(new Point(
                    "job " + job.jobId() + " of kind " + job.kind() + " has been running for "
                            + Formats.length(job.running()) + ", others for " + Formats.length(job.usual())
                            + " at most",
                    "/jobs/" + job.jobId(),
                    Map.of()));
        }
        for (LimitInfo limit : snapshots.limits()) {
            Hold hold = limit.hold();
            if (hold != null) {
                points.add(new Point(
                        "the jobs of " + limit.limit().subject() + " are on hold until " + Formats.time(hold.until())
                                + ": " + Formats.brief(hold.reason()),
                        "/limits",
                        Map.of()));
            }
        }
        Discards.of(snapshots.recentSeries())
                .forEach((queue, jobs) -> points.add(new Point(
                        Formats.count(jobs, "job") + " of queue " + queue + (jobs == 1 ? " was" : " were")
                                + " discarded in the last 24 hours",
                        "/jobs",
                        Map.of("state", "discarded", "queue", queue))));
        return points;
    }

    private static void workers(Snapshots snapshots, List<Point> points) {
        List<WorkerInfo> workers = snapshots.workers();
        boolean works = workers.stream().anyMatch(WorkerInfo::alive);
        boolean waits = snapshots.queues().stream().anyMatch(queue -> queue.available() > 0);
        if (!works && waits) {
            points.add(new Point("jobs wait, and no worker is alive", "/workers", Map.of()));
        }
        for (WorkerInfo worker : workers) {
            if (!worker.alive() && worker.stoppedAt() == null && worker.running() > 0) {
                points.add(new Point(
                        "worker " + worker.name() + " has been silent since " + Formats.time(worker.heartbeatAt())
                                + " and holds " + Formats.count(worker.running(), "job"),
                        "/workers",
                        Map.of()));
            }
        }
        for (RemoteWorkerInfo worker : snapshots.remoteWorkers()) {
            String problem = worker.status().problem();
            if (problem != null) {
                points.add(new Point(
                        "worker " + worker.status().url() + " gets no jobs: " + problem, "/workers", Map.of()));
            }
        }
    }

    private static void queues(Snapshots snapshots, List<Point> points) {
        for (QueueStats queue : snapshots.queues()) {
            long waiting = queue.available() + queue.delayed() + queue.retrying();
            boolean isAtLeast = queue.lowerBounds().stream().anyMatch(count -> count != QueueStats.Count.RUNNING);
            if (queue.paused() && waiting > 0) {
                points.add(new Point(
                        "queue " + queue.name() + " is paused, with " + (isAtLeast ? "at least " : "")
                                + Formats.count(waiting, "job") + " waiting",
                        "/queues",
                        Map.of()));
            }
            Duration oldest = queue.oldestAge();
            if (!queue.paused() && oldest != null && oldest.compareTo(LONG) > 0) {
                points.add(new Point(
                        "the oldest job of queue " + queue.name() + " has waited for " + Formats.length(oldest),
                        "/jobs",
                        Map.of("state", WAITING, "queue", queue.name())));
            }
        }
    }

    private static void schedules(Snapshots snapshots, List<Point> points) {
        TreeSet<String> overdue = new TreeSet<>();
        for (ScheduleInfo schedule : snapshots.schedules()) {
            if (schedule.isOverdue()) {
                overdue.add(schedule.name());
            }
        }
        for (String name : overdue) {
            points.add(
                    new Point("schedule " + name + " is overdue: no live worker processes it", "/schedules", Map.of()));
        }
    }
}

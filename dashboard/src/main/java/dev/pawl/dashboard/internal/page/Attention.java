package dev.pawl.dashboard.internal.page;

import dev.pawl.admin.QueueStats;
import dev.pawl.admin.RemoteWorkerInfo;
import dev.pawl.admin.StalledJob;
import dev.pawl.admin.UnattendedJobs;
import dev.pawl.admin.WorkerInfo;
import dev.pawl.dashboard.internal.look.Looks;
import dev.pawl.limit.Hold;
import dev.pawl.limit.LimitInfo;
import dev.pawl.schedule.ScheduleInfo;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** What somebody should look at, found in what is read anyway. */
public final class Attention {
    private static final int MOST = 30;
    /** For longer no job should wait that may be claimed. */
    private static final Duration LONG = Duration.ofMinutes(10);

    private Attention() {}

    /**
     * Something to look at.
     *
     * @param text what it is
     * @param path of the page that has more
     * @param parameters of that page
     */
    public record Point(String text, String path, Map<String, String> parameters) {}

    /**
     * What there is to look at.
     *
     * @param points the first of them
     * @param more how many there are beyond those
     */
    public record All(List<Point> points, int more) {}

    static All all(Looks looks) {
        List<Point> points = points(looks);
        int shown = Math.min(MOST, points.size());
        return new All(points.subList(0, shown), points.size() - shown);
    }

    private static List<Point> points(Looks looks) {
        List<Point> points = new ArrayList<>();
        workers(looks, points);
        queues(looks, points);
        schedules(looks, points);
        for (UnattendedJobs jobs : looks.unattended()) {
            points.add(new Point(
                    "no live worker handles kind " + jobs.kind() + ": " + (jobs.isAtLeast() ? "at least " : "")
                            + Words.count(jobs.jobs(), "job")
                            + " waiting in queue " + jobs.queue(),
                    "/jobs",
                    Map.of("state", "available", "queue", jobs.queue(), "kind", jobs.kind())));
        }
        for (StalledJob job : looks.stalled()) {
            points.add(new Point(
                    "job " + job.jobId() + " of kind " + job.kind() + " has been running for "
                            + Words.length(job.running()) + ", others for " + Words.length(job.usual()) + " at most",
                    "/jobs/" + job.jobId(),
                    Map.of()));
        }
        for (LimitInfo limit : looks.limits()) {
            Hold hold = limit.hold();
            if (hold != null) {
                points.add(new Point(
                        "the jobs of " + limit.limit().subject() + " are held back until " + Words.time(hold.until())
                                + ": " + Words.brief(hold.reason()),
                        "/limits",
                        Map.of()));
            }
        }
        Discards.of(looks.lately())
                .forEach((queue, jobs) -> points.add(new Point(
                        Words.count(jobs, "job") + " of queue " + queue + (jobs == 1 ? " was" : " were")
                                + " discarded in the last 24 hours",
                        "/jobs",
                        Map.of("state", "discarded", "queue", queue))));
        return points;
    }

    private static void workers(Looks looks, List<Point> points) {
        List<WorkerInfo> workers = looks.workers();
        boolean works = workers.stream().anyMatch(WorkerInfo::alive);
        boolean waits = looks.queues().stream().anyMatch(queue -> queue.available() > 0);
        if (!works && waits) {
            points.add(new Point("jobs wait, and no worker is alive", "/workers", Map.of()));
        }
        for (WorkerInfo worker : workers) {
            if (!worker.alive() && worker.stoppedAt() == null && worker.running() > 0) {
                points.add(new Point(
                        "worker " + worker.name() + " has been silent since " + Words.time(worker.heartbeatAt())
                                + " and holds " + Words.count(worker.running(), "job"),
                        "/workers",
                        Map.of()));
            }
        }
        for (RemoteWorkerInfo worker : looks.remoteWorkers()) {
            String problem = worker.status().problem();
            if (problem != null) {
                points.add(new Point(
                        "worker " + worker.status().url() + " gets no jobs: " + problem, "/workers", Map.of()));
            }
        }
    }

    private static void queues(Looks looks, List<Point> points) {
        for (QueueStats queue : looks.queues()) {
            long waiting = queue.available() + queue.delayed() + queue.retrying();
            if (queue.paused() && waiting > 0) {
                points.add(new Point(
                        "queue " + queue.name() + " is paused, with "
                                + (waiting < Looks.MOST_COUNTED ? "" : "at least ") + Words.count(waiting, "job")
                                + " waiting",
                        "/queues",
                        Map.of()));
            }
            Duration oldest = queue.oldestAge();
            if (!queue.paused() && oldest != null && oldest.compareTo(LONG) > 0) {
                points.add(new Point(
                        "the oldest job of queue " + queue.name() + " has waited for " + Words.length(oldest),
                        "/jobs",
                        Map.of("state", "available", "queue", queue.name())));
            }
        }
    }

    private static void schedules(Looks looks, List<Point> points) {
        TreeSet<String> overdue = new TreeSet<>();
        for (ScheduleInfo schedule : looks.schedules()) {
            if (schedule.isOverdue()) {
                overdue.add(schedule.name());
            }
        }
        for (String name : overdue) {
            points.add(new Point(
                    "schedule " + name + " is overdue: no live worker looks after it", "/schedules", Map.of()));
        }
    }
}

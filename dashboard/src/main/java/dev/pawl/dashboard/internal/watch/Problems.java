package dev.pawl.dashboard.internal.watch;

import dev.pawl.JobQueue;
import dev.pawl.admin.Admin;
import dev.pawl.admin.QueueStats;
import dev.pawl.admin.StalledJob;
import dev.pawl.admin.StalledJobs;
import dev.pawl.admin.UnattendedJobs;
import dev.pawl.dashboard.alert.AlertRule;
import dev.pawl.schedule.ScheduleInfo;
import dev.pawl.spi.QueueSample;
import dev.pawl.spi.Series;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Finds problems by the rules of one round, which share the reads of queues and samples. Not thread-safe. */
final class Problems {
    private static final int LEAST_ENDED = 10;

    private final JobQueue queue;
    private @Nullable List<QueueStats> queues;
    private @Nullable Map<String, long[]> ended;

    /** @param queue to query */
    Problems(JobQueue queue) {
        this.queue = queue;
    }

    /**
     * A problem.
     *
     * @param rule that detected it
     * @param subject affected by it
     * @param text for people
     */
    record Problem(String rule, String subject, String text) {}

    List<Problem> of(AlertRule rule) {
        List<Problem> found = new ArrayList<>();
        Admin admin = queue.admin();
        switch (rule.condition()) {
            case OLDEST -> queues().forEach(each -> oldest(rule, each, found));
            case FAILING, DISCARDED -> ended().forEach((name, counts) -> ended(rule, name, counts, found));
            case STALLED -> {
                // One problem per kind, because very many jobs of a kind stall if they call a server that hangs.
                Map<String, List<StalledJob>> kinds = new TreeMap<>();
                StalledJobs stalled = admin.runs().stalled();
                for (StalledJob job : stalled.jobs()) {
                    kinds.computeIfAbsent(job.kind(), kind -> new ArrayList<>()).add(job);
                }
                kinds.forEach((kind, jobs) -> stalled(rule, kind, jobs, stalled.isAtLeast(), found));
            }
            case OVERDUE -> {
                for (ScheduleInfo schedule : queue.schedules().list()) {
                    if (schedule.isOverdue()) {
                        add(
                                found,
                                rule,
                                "schedule " + schedule.name(),
                                "schedule " + schedule.name() + " is overdue: no live worker processes it");
                    }
                }
            }
            case NO_WORKER -> {
                for (UnattendedJobs jobs : admin.queues().unattended()) {
                    if (rule.concerns(jobs.queue())) {
                        add(
                                found,
                                rule,
                                "kind " + jobs.kind() + " in queue " + jobs.queue(),
                                "no live worker handles kind " + jobs.kind() + " of queue " + jobs.queue() + ": "
                                        + (jobs.isAtLeast() ? "at least " : "") + jobs.jobs() + " job(s) wait");
                    }
                }
            }
        }
        return found;
    }

    private static void add(List<Problem> found, AlertRule rule, String subject, String text) {
        found.add(new Problem(rule.toString(), subject, text));
    }

    private static String seconds(Duration length) {
        return length.toSeconds() + " s";
    }

    private static void stalled(
            AlertRule rule, String kind, List<StalledJob> jobs, boolean isAtLeast, List<Problem> found) {
        StalledJob longest =
                jobs.stream().max(Comparator.comparing(StalledJob::running)).orElseThrow();
        add(
                found,
                rule,
                "kind " + kind,
                (isAtLeast ? "at least " : "") + jobs.size() + " job(s) of kind " + kind
                        + " run far longer than others, job " + longest.jobId() + " for "
                        + seconds(longest.running()));
    }

    private List<QueueStats> queues() {
        List<QueueStats> known = queues;
        if (known == null) {
            known = queue.admin().queues().list(Admin.UNLIMITED);
            queues = known;
        }
        return known;
    }

    private static void oldest(AlertRule rule, QueueStats each, List<Problem> found) {
        Duration age = each.oldestAge();
        if (rule.concerns(each.name()) && !each.paused() && age != null && age.compareTo(rule.age()) > 0) {
            add(
                    found,
                    rule,
                    "queue " + each.name(),
                    "the oldest job of queue " + each.name() + " has waited for " + seconds(age) + ", longer than "
                            + seconds(rule.age()) + "; " + each.available() + " job(s) wait");
        }
    }

    /** Returns completed and discarded jobs by queue. */
    private Map<String, long[]> ended() {
        Map<String, long[]> known = ended;
        if (known == null) {
            known = new TreeMap<>();
            for (var sample : queue.unwrap(Series.class).last(AlertRule.WINDOW)) {
                for (QueueSample each : sample.queues()) {
                    long[] counts = known.computeIfAbsent(each.queue(), name -> new long[2]);
                    counts[0] += each.completed();
                    counts[1] += each.discarded();
                }
            }
            ended = known;
        }
        return known;
    }

    private static void ended(AlertRule rule, String name, long[] counts, List<Problem> found) {
        long all = counts[0] + counts[1];
        boolean isWrong = rule.condition() == AlertRule.Condition.DISCARDED
                ? counts[1] >= rule.number()
                : all >= LEAST_ENDED && counts[1] * 100 >= rule.number() * all;
        if (rule.concerns(name) && isWrong) {
            add(
                    found,
                    rule,
                    "queue " + name,
                    counts[1] + " of " + all + " job(s) of queue " + name
                            + " that ended in the last ten minutes have failed for good");
        }
    }
}

package dev.pawl.cli;

import static dev.pawl.cli.Output.Column.left;
import static dev.pawl.cli.Output.Column.name;
import static dev.pawl.cli.Output.Column.right;

import dev.pawl.JobQueue;
import dev.pawl.admin.Admin;
import dev.pawl.admin.FinishedJobs;
import dev.pawl.admin.QueueStats;
import dev.pawl.admin.UnattendedJobs;
import dev.pawl.limit.LimitInfo;
import dev.pawl.limit.Subject;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;

@Command(
        name = "queues",
        mixinStandardHelpOptions = true,
        description =
                "Count the jobs of each queue, finished ones included, and name jobs that no live worker handles.")
final class QueuesCommand extends CliCommand {
    /** A queue with all its data. */
    private record Row(
            QueueStats live,
            FinishedJobs finished,
            List<UnattendedJobs> unattended,
            @Nullable Integer maxWaiting,
            List<String> waitsFor) {
        boolean isFull() {
            return FullQueues.isFull(live, maxWaiting);
        }

        Map<String, @Nullable Object> asJson() {
            Map<String, @Nullable Object> fields = new LinkedHashMap<>();
            fields.put("name", live.name());
            fields.put("paused", live.paused());
            fields.put("strategy", live.strategy());
            fields.put("available", live.available());
            fields.put("delayed", live.delayed());
            fields.put("scheduled", live.scheduled());
            fields.put("blocked", live.blocked());
            fields.put("pending", live.pending());
            fields.put("pausedJobs", live.pausedJobs());
            fields.put("retrying", live.retrying());
            fields.put("running", live.running());
            fields.put("maxWaiting", maxWaiting);
            fields.put("full", maxWaiting == null ? null : isFull());
            fields.put("oldestAge", live.oldestAge());
            fields.put("completed", finished.completed());
            fields.put("cancelled", finished.cancelled());
            fields.put("discarded", finished.discarded());
            fields.put("unattended", unattended);
            fields.put("waitsFor", waitsFor);
            fields.put("atLeast", !live.lowerBounds().isEmpty());
            return fields;
        }

        /** Counting stops at a million in each lane. */
        private Object available() {
            return live.lowerBounds().contains(QueueStats.Count.AVAILABLE) ? live.available() + "+" : live.available();
        }
    }

    @Override
    public Integer call() {
        try (DatabaseOptions.Session session = database().openExisting()) {
            List<Row> rows = rows(session.queue());
            output().rows(
                            out(),
                            rows,
                            List.of(
                                    name("QUEUE", row -> row.live.name()),
                                    right("AVAILABLE", Row::available),
                                    right("SCHEDULED", row -> row.live.scheduled()),
                                    right("RETRYABLE", row -> row.live.retrying()),
                                    right("BLOCKED", row -> row.live.blocked()),
                                    right("PENDING", row -> row.live.pending()),
                                    right("PAUSED", row -> row.live.pausedJobs()),
                                    right("RUNNING", row -> row.live.running()),
                                    right("MAX WAITING", row -> row.maxWaiting),
                                    right("OLDEST", row -> Texts.age(row.live.oldestAge())),
                                    right("COMPLETED", row -> row.finished.completed()),
                                    right("CANCELLED", row -> row.finished.cancelled()),
                                    right("DISCARDED", row -> row.finished.discarded()),
                                    left("STRATEGY", row -> row.live.strategy() == null ? "auto" : row.live.strategy()),
                                    left("", row -> row.live.paused() ? "paused" : "")),
                            Row::asJson,
                            "no jobs in any queue");
            if (!output().isJson()) {
                rows.stream().flatMap(row -> row.unattended.stream()).forEach(this::warn);
                rows.stream()
                        .filter(Row::isFull)
                        .forEach(row -> out().println("! " + FullQueues.words(row.live.name(), row.maxWaiting)));
                rows.stream()
                        .flatMap(row -> row.waitsFor.stream())
                        .distinct()
                        .forEach(words -> out().println("! " + words));
            }
            return 0;
        }
    }

    private void warn(UnattendedJobs jobs) {
        out().println("! queue " + jobs.queue() + ": " + (jobs.isAtLeast() ? "at least " : "") + jobs.jobs()
                + " job(s) of kind " + jobs.kind()
                + " wait, and no live worker handles them: pawl work --queues " + jobs.queue() + " --handler "
                + jobs.kind() + "=…");
    }

    private static List<Row> rows(JobQueue queue) {
        Admin admin = queue.admin();
        Map<String, QueueStats> live = admin.queues().list(Admin.UNLIMITED).stream()
                .collect(Collectors.toMap(QueueStats::name, Function.identity()));
        Map<String, FinishedJobs> finished = new TreeMap<>();
        admin.queues().finished(Admin.UNLIMITED).forEach(each -> finished.put(each.queue(), each));
        Map<String, List<UnattendedJobs>> unattended =
                admin.queues().unattended().stream().collect(Collectors.groupingBy(UnattendedJobs::queue));
        boolean allPaused = admin.queues().allPausedSince().isPresent();
        List<LimitInfo> limits = queue.limits().list();
        Map<Subject, Integer> bounds = new HashMap<>();
        TreeSet<String> names = new TreeSet<>(live.keySet());
        names.addAll(finished.keySet());
        for (LimitInfo info : limits) {
            Subject subject = info.limit().subject();
            if (info.limit().maxWaiting() != null) {
                bounds.put(subject, info.limit().maxWaiting());
            }
            if (subject.of() == Subject.Of.QUEUE && info.pause() != null) {
                names.add(subject.name());
            }
        }
        return names.stream()
                .map(name -> {
                    QueueStats one = live.getOrDefault(name, QueueStats.empty(name, allPaused, null));
                    return new Row(
                            one,
                            finished.getOrDefault(name, new FinishedJobs(name, 0, 0, 0)),
                            unattended.getOrDefault(name, List.of()),
                            bounds.get(Subject.queue(name)),
                            WaitReasonText.of(one, limits));
                })
                .toList();
    }
}

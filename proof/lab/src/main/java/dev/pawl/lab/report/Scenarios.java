package dev.pawl.lab.report;

import dev.pawl.lab.run.Cell;
import dev.pawl.lab.run.Trial;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Jobs arriving one by one, disturbances, and a killed worker. */
final class Scenarios {
    private final Results results;

    Scenarios(Results results) {
        this.results = results;
    }

    Report.Section latencies() {
        List<Group> groups = results.of(Cell.Measure.LATENCY);
        List<List<String>> rows = new ArrayList<>();
        Map<String, List<double[]>> starts = new LinkedHashMap<>();
        for (Group group : groups) {
            List<Trial.Arrivals> known = group.trials().stream()
                    .map(Trial::arrivals)
                    .filter(Objects::nonNull)
                    .toList();
            if (known.isEmpty()) {
                rows.add(
                        List.of(name(group, groups), "–", "–", "–", "–", "–", "–", String.join("; ", Flags.of(group))));
                continue;
            }
            rows.add(List.of(
                    name(group, groups),
                    median(known, one -> one.start().p50()),
                    median(known, one -> one.start().p95()),
                    median(known, one -> one.start().p99()),
                    median(known, one -> one.done().p50()),
                    median(known, one -> one.done().p95()),
                    median(known, one -> one.done().p99()),
                    String.join("; ", Flags.of(group))));
            starts.put(
                    name(group, groups),
                    known.get(known.size() / 2).start().curve().stream()
                            .filter(point -> point[1] > 0)
                            .toList());
        }
        if (rows.isEmpty()) {
            return new Report.Section("How soon", "", List.of(), List.of());
        }
        return new Report.Section(
                "How soon",
                "Milliseconds from enqueue to the start of the handler, and until done, while jobs arrive one by one"
                        + " at a steady rate whether the queue keeps up or not; times count from when a job was due to"
                        + " arrive. Done is when the queue has recorded it; for JobRunr, Quartz and raw JDBC, when the"
                        + " handler returned. Medians over the rounds.",
                List.of(new Report.Table(
                        "Latency in ms",
                        List.of(
                                "",
                                "start p50",
                                "start p95",
                                "start p99",
                                "done p50",
                                "done p95",
                                "done p99",
                                "doubts"),
                        rows)),
                List.of(Charts.lines(
                        "Enqueue to start, one of the rounds", "percentile", "milliseconds", starts, false, true)));
    }

    private static String name(Group group, List<Group> groups) {
        return group.cell().database() + ": " + Formats.system(group.cell().system()) + ", "
                + group.cell().rate()
                + " a second"
                + (groups.stream()
                                .anyMatch(other ->
                                        other.cell().workers() != group.cell().workers())
                        ? ", " + group.cell().workers() + " workers"
                        : "")
                + Formats.run(group);
    }

    private interface Figure {
        double of(Trial.Arrivals arrivals);
    }

    private static String median(List<Trial.Arrivals> known, Figure figure) {
        return Formats.number(
                Summary.of(known.stream().map(figure::of).toList()).median());
    }

    Report.Section disturbances() {
        List<List<String>> rows = new ArrayList<>();
        for (Group group : results.of(Cell.Measure.DRAIN)) {
            Cell cell = group.cell();
            if (cell.hindrance() == Cell.Disturbance.NONE || cell.hindrance() == Cell.Disturbance.BACKLOG) {
                continue;
            }
            Cell free = cell.with(Cell.Disturbance.NONE);
            Double with = group.median(Trial.Drained::jobsPerSecond);
            Double without = results.groups().stream()
                    .filter(other -> other.isOfSameRun(group) && other.cell().equals(free))
                    .findFirst()
                    .map(other -> other.median(Trial.Drained::jobsPerSecond))
                    .orElse(null);
            rows.add(List.of(
                    cell.database() + ": " + Formats.system(cell.system()) + Formats.run(group),
                    switch (cell.hindrance()) {
                        case DELAYED -> "delayed jobs in the table";
                        case HELD_SNAPSHOT -> "an open transaction";
                        case NO_DETECTION -> "no deadlock detection";
                        case NONE, BACKLOG -> "";
                    },
                    Formats.number(without),
                    Formats.number(with),
                    with == null || without == null || without == 0 ? "–" : Formats.number(100 * with / without) + " %",
                    Formats.number(group.ofDrained(drained -> {
                        Long dead = drained.cost().deadRows();
                        return dead == null ? null : Double.valueOf(dead);
                    })),
                    seconds(group, drained -> drained.longestPauseMillis()),
                    Faults.counted(group, Trial.Faults::lockTimeouts),
                    String.join("; ", Flags.of(group))));
        }
        String delayed = results.files().stream()
                .map(file -> String.format(Locale.ROOT, "%,d", file.plan().delayed()))
                .distinct()
                .reduce((one, other) -> one + " or " + other)
                .orElse("");
        return new Report.Section(
                "With something in the way",
                "Each drain was measured without and with one thing in its way. Delayed jobs: " + delayed
                        + " in the same table, written just before, so that the server may still be writing them to its"
                        + " disk. An open transaction: of another session, from before the first claim to the end, so"
                        + " that no dead row can be removed. No deadlock detection: transactions that wait for each"
                        + " other wait until the lock timeout, here 2 s, by default 50. The longest pause is the"
                        + " longest time in which no job began.",
                rows.isEmpty()
                        ? List.of()
                        : List.of(new Report.Table(
                                "Drain, jobs per second",
                                List.of(
                                        "",
                                        "in the way",
                                        "without",
                                        "with",
                                        "ratio",
                                        "dead rows",
                                        "longest pause s",
                                        "lock timeouts met",
                                        "doubts"),
                                rows)),
                List.of());
    }

    private static String seconds(Group group, Function<Trial.Drained, @Nullable Double> millis) {
        return group.ofDrained(millis)
                .map(summary -> Formats.number(summary.median() / 1000))
                .orElse("–");
    }

    Report.Section recoveries() {
        List<List<String>> rows = new ArrayList<>();
        for (Group group : results.of(Cell.Measure.RECOVERY)) {
            rows.add(List.of(
                    group.cell().database() + ": " + Formats.system(group.cell().system()) + Formats.run(group),
                    group.summary(Trial::recoveryMillis)
                            .map(summary -> Formats.number(summary.median() / 1000))
                            .orElse("–"),
                    group.summary(Trial::recoveryMillis)
                            .map(summary -> Formats.number(summary.max() / 1000))
                            .orElse("–"),
                    String.join("; ", Flags.of(group))));
        }
        String lease = results.files().stream()
                .map(file -> Formats.number(file.plan().leaseMillis() / 1000.0) + " s")
                .distinct()
                .reduce((one, other) -> one + " or " + other)
                .orElse("");
        return new Report.Section(
                "After kill -9",
                "Seconds from the kill of a worker process with ten claimed jobs until another worker runs the last of"
                        + " them. Leases are " + lease
                        + " long. The first must run within lease + 1 s. The others ran at the same time, so one of"
                        + " them may have killed the process: they follow one by one, half a second apart.",
                rows.isEmpty()
                        ? List.of()
                        : List.of(new Report.Table("Recovery", List.of("", "median s", "longest s", "doubts"), rows)),
                List.of());
    }
}

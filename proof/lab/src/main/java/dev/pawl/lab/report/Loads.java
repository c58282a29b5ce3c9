package dev.pawl.lab.report;

import dev.pawl.lab.run.Cell;
import dev.pawl.lab.run.LabFile;
import dev.pawl.lab.run.Trial;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Queues that are full for a long time: under a long open transaction, and with millions of waiting jobs. */
final class Loads {
    private static final double MEBI = 1024 * 1024;

    private final Results results;

    Loads(Results results) {
        this.results = results;
    }

    Report.Section underLoad() {
        List<List<String>> rows = new ArrayList<>();
        Map<String, List<double[]>> curves = new LinkedHashMap<>();
        for (Group group : results.of(Cell.Measure.LOAD)) {
            Optional<Group> free = free(group);
            boolean held = group.cell().hindrance() == Cell.Disturbance.HELD_SNAPSHOT;
            rows.add(List.of(
                    name(group),
                    held ? "an open transaction" : "nothing",
                    of(group, Trial.Loaded::jobsPerSecond),
                    of(group, Trial.Loaded::atTheEnd),
                    held ? share(group, free, Trial.Loaded::jobsPerSecond) : "",
                    held ? share(group, free, Trial.Loaded::atTheEnd) : "",
                    of(group, loaded -> loaded.deadRows() == null ? null : Double.valueOf(loaded.deadRows())),
                    of(group, loaded -> loaded.memory().heapBytes() / MEBI),
                    String.join("; ", Flags.of(group))));
            group.trials().stream()
                    .map(Trial::loaded)
                    .filter(Objects::nonNull)
                    .findFirst()
                    .ifPresent(loaded -> curves.put(name(group) + (held ? ", held" : ""), points(loaded)));
        }
        if (rows.isEmpty()) {
            return new Report.Section("Under load", "", List.of(), List.of());
        }
        return new Report.Section(
                "Under load",
                "The queue is full for " + seconds()
                        + ": one thread writes a job for each that is done, so the rate is that of enqueue and drain"
                        + " together. An open transaction belongs to another session and is open from before the first"
                        + " claim to the end. At the end: the last sixth of the time. Shares compare with the rate"
                        + " without an obstacle in the same rounds. Heap: MiB of the lab's process after a collection.",
                List.of(new Report.Table(
                        "In and out, jobs per second",
                        List.of(
                                "",
                                "in the way",
                                "rate",
                                "at the end",
                                "share",
                                "at the end",
                                "dead rows",
                                "heap MiB",
                                "doubts"),
                        rows)),
                List.of(Charts.lines("One of the rounds", "second", "jobs per second", curves, false, true)));
    }

    private static List<double[]> points(Trial.Loaded loaded) {
        List<double[]> points = new ArrayList<>();
        for (int second = 0; second < loaded.perSecond().size(); second++) {
            if (loaded.perSecond().get(second) > 0) { // the axis is logarithmic
                points.add(new double[] {second + 1.0, loaded.perSecond().get(second)});
            }
        }
        return points;
    }

    private String seconds() {
        return words(LabFile.Plan::loadSeconds) + " s";
    }

    private String words(Function<LabFile.Plan, @Nullable Integer> what) {
        return results.files().stream()
                .map(file -> what.apply(file.plan()))
                .filter(Objects::nonNull)
                .map(number -> Formats.number(number.doubleValue()))
                .distinct()
                .reduce((one, other) -> one + " or " + other)
                .orElse("");
    }

    /** {@return the same cell of the same run, without a disturbance} */
    private Optional<Group> free(Group group) {
        Cell free = group.cell().with(Cell.Disturbance.NONE);
        return results.groups().stream()
                .filter(other -> other.isOfSameRun(group) && other.cell().equals(free))
                .findFirst();
    }

    private static String name(Group group) {
        return group.cell().database() + ": " + Formats.system(group.cell().system()) + ", "
                + Formats.number(group.cell().jobs()) + " waiting" + Formats.run(group);
    }

    private static Optional<Summary> summary(Group group, Function<Trial.Loaded, @Nullable Double> figure) {
        return group.summary(trial -> trial.loaded() == null ? null : figure.apply(trial.loaded()));
    }

    private static String of(Group group, Function<Trial.Loaded, @Nullable Double> figure) {
        return Formats.number(summary(group, figure));
    }

    private static String share(Group group, Optional<Group> free, Function<Trial.Loaded, @Nullable Double> figure) {
        return percent(summary(group, figure), free.flatMap(other -> summary(other, figure)));
    }

    private static String percent(Optional<Summary> one, Optional<Summary> other) {
        return one.isEmpty() || other.isEmpty() || other.get().median() == 0
                ? "–"
                : Formats.number(100 * one.get().median() / other.get().median()) + " %";
    }

    Report.Section behindABacklog() {
        List<List<String>> rows = new ArrayList<>();
        for (Group group : results.of(Cell.Measure.DRAIN)) {
            if (group.cell().hindrance() != Cell.Disturbance.BACKLOG) {
                continue;
            }
            Optional<Group> alone = free(group);
            rows.add(List.of(
                    group.cell().database() + ": " + Formats.system(group.cell().system()) + ", "
                            + Formats.number(group.cell().jobs()) + " jobs" + Formats.run(group),
                    Formats.number(group.ofDrained(Trial.Drained::backlogPerSecond)),
                    Formats.number(group.ofDrained(Trial.Drained::settledSeconds)),
                    Formats.number(alone.flatMap(Group::rate)),
                    Formats.number(group.rate()),
                    percent(group.rate(), alone.flatMap(Group::rate)),
                    both(alone, group, memory -> memory.heapBytes() / MEBI),
                    both(
                            alone,
                            group,
                            memory -> memory.residentBytes() == null
                                    ? null
                                    : Double.valueOf(memory.residentBytes() / MEBI)),
                    String.join("; ", Flags.of(group))));
        }
        return new Report.Section(
                "Behind a backlog",
                "The same jobs alone in the queue, and with " + words(LabFile.Plan::backlog)
                        + " others behind them, written just before. Settled: how many seconds the server then had to"
                        + " finish its pending work for them. Memory: MiB of the lab's process, which is the client,"
                        + " alone and with the backlog, when the last of the jobs was done; the heap after a"
                        + " collection, and the resident memory, which a JVM seldom returns.",
                rows.isEmpty()
                        ? List.of()
                        : List.of(new Report.Table(
                                "Drain, jobs per second",
                                List.of(
                                        "",
                                        "backlog written at",
                                        "settled",
                                        "alone",
                                        "with it",
                                        "ratio",
                                        "heap",
                                        "resident",
                                        "doubts"),
                                rows)),
                List.of());
    }

    private static String both(Optional<Group> alone, Group group, Function<Trial.Memory, @Nullable Double> figure) {
        Function<Trial.Drained, @Nullable Double> of =
                drained -> drained.memory() == null ? null : figure.apply(drained.memory());
        return Formats.number(alone.flatMap(other -> other.ofDrained(of))) + ", " + Formats.number(group.ofDrained(of));
    }
}

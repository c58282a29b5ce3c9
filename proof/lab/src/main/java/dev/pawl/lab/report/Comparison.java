package dev.pawl.lab.report;

import dev.pawl.lab.contender.Contenders;
import dev.pawl.lab.run.Cell;
import dev.pawl.lab.run.Trial;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** The same cells in several runs, side by side; with a ratio only if nothing but Pawl differs. */
final class Comparison {
    private final Results results;
    private final List<Integer> runs;

    Comparison(Results results) {
        this.results = results;
        this.runs = results.runs();
    }

    private interface Figure {
        Optional<Summary> of(Group group);
    }

    Report.Section sideBySide() {
        List<Report.Table> tables = new ArrayList<>();
        add(
                tables,
                "Enqueue, jobs per second",
                Cell.Measure.DRAIN,
                group -> group.ofDrained(Trial.Drained::enqueuedPerSecond));
        add(tables, "Drain, jobs per second", Cell.Measure.DRAIN, Group::rate);
        add(
                tables,
                "Enqueue to start, p99 in ms",
                Cell.Measure.LATENCY,
                group -> group.summary(trial -> trial.arrivals() == null
                        ? null
                        : trial.arrivals().start().p99()));
        add(tables, "Recovery in ms", Cell.Measure.RECOVERY, group -> group.summary(Trial::recoveryMillis));
        if (!runs.isEmpty()) {
            tables.add(new Report.Table("What differs", List.of("", "from run " + runs.get(0)), differences()));
        }
        return new Report.Section(
                "Side by side",
                "Runs under different conditions are never put into one figure. Medians. A ratio to the first run is"
                        + " given where machine, server, settings and plan are equal, so that only Pawl may differ;"
                        + " even then the load of the machine may differ.",
                tables,
                List.of());
    }

    private void add(List<Report.Table> tables, String caption, Cell.Measure measure, Figure figure) {
        Map<Cell, Map<Integer, Group>> rows = new LinkedHashMap<>();
        List<Group> groups = results.of(measure);
        for (Group group : groups) {
            if (group.run() > 0 && figure.of(group).isPresent()) {
                rows.computeIfAbsent(group.cell(), key -> new LinkedHashMap<>()).put(group.run(), group);
            }
        }
        rows.values().removeIf(own -> own.size() < 2);
        if (rows.isEmpty()) {
            return;
        }
        List<String> head = new ArrayList<>(List.of(""));
        runs.forEach(run -> head.add("run " + run));
        runs.stream().skip(1).forEach(run -> head.add(run + " to " + runs.get(0)));
        head.add("doubts");
        List<List<String>> lines = new ArrayList<>();
        rows.forEach((cell, own) -> {
            List<String> line = new ArrayList<>(List.of(name(cell, rows.keySet())));
            runs.forEach(run ->
                    line.add(Formats.number(Optional.ofNullable(own.get(run)).flatMap(figure::of))));
            runs.stream().skip(1).forEach(run -> line.add(ratio(own.get(runs.get(0)), own.get(run), figure)));
            List<String> doubts = new ArrayList<>();
            own.forEach((run, group) -> Flags.of(group).forEach(flag -> doubts.add("run " + run + ": " + flag)));
            line.add(String.join("; ", doubts));
            lines.add(line);
        });
        tables.add(new Report.Table(caption, head, lines));
    }

    /** {@return the cell as text, with the values that distinguish it from the others} */
    private static String name(Cell cell, Set<Cell> cells) {
        return cell.text()
                + (differs(cells, Cell::jobs) ? ", " + Formats.number(cell.jobs()) + " jobs" : "")
                + (differs(cells, Cell::payloadBytes) ? ", " + cell.payloadBytes() + " B" : "")
                + (differs(cells, Cell::rate) ? ", " + cell.rate() + " a second" : "");
    }

    private static boolean differs(Set<Cell> cells, ToIntFunction<Cell> what) {
        return cells.stream().mapToInt(what).distinct().count() > 1;
    }

    private static String ratio(@Nullable Group first, @Nullable Group other, Figure figure) {
        return first == null || other == null || !isComparable(first, other)
                ? "–"
                : Formats.ratio(
                        figure.of(other).map(Summary::median).orElse(null),
                        figure.of(first).map(Summary::median).orElse(null));
    }

    /** Different descriptions of the setup prevent a ratio, except for Pawl, whose versions may describe the same setup differently. */
    private static boolean isComparable(Group first, Group other) {
        return first.conditions().areComparable(other.conditions())
                && (Contenders.family(first.cell().system()) == Contenders.Family.PAWL
                        || first.conditions()
                                .settings()
                                .equals(other.conditions().settings()));
    }

    /** One row per run and kind of difference, instead of one per result. */
    private List<List<String>> differences() {
        Map<Integer, Set<String>> found = new LinkedHashMap<>();
        for (Group first : results.groups()) {
            for (Group other : results.groups()) {
                if (first.run() == runs.get(0)
                        && other.run() > first.run()
                        && first.cell().database().equals(other.cell().database())) {
                    Set<String> what = found.computeIfAbsent(other.run(), key -> new LinkedHashSet<>());
                    what.addAll(first.conditions().differences(other.conditions()));
                    if (!first.cell().system().equals(other.cell().system())) {
                        what.remove(Conditions.SETTINGS);
                    }
                }
            }
        }
        List<List<String>> rows = new ArrayList<>();
        found.forEach((run, what) -> rows.add(List.of("run " + run, String.join(", ", what))));
        return rows;
    }
}

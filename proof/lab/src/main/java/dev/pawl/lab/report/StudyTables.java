package dev.pawl.lab.report;

import dev.pawl.lab.contender.Contenders;
import dev.pawl.lab.run.LabFile;
import dev.pawl.lab.run.Trial;
import dev.pawl.lab.study.Published;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The study's designs by the study's own measures: its published results, and the lab's. */
final class StudyTables {
    private final Results results;

    StudyTables(Results results) {
        this.results = results;
    }

    /** Rates, from runs without the protocol as in the study. */
    Report.Section rates() {
        List<Report.Table> tables = new ArrayList<>();
        servers(false).forEach((server, groups) -> {
            List<List<String>> rows = new ArrayList<>();
            for (Group group : groups) {
                Optional<Summary> own = group.ofDrained(Trial.Drained::ownJobsPerSecond);
                rows.add(List.of(
                        Formats.row(group, groups),
                        Formats.number(Published.rate(group.cell().system(), product(group))
                                .orElse(null)),
                        Formats.number(own),
                        own.map(summary -> Formats.number(summary.min()) + " … " + Formats.number(summary.max()))
                                .orElse("–"),
                        Formats.number(group.rate()),
                        Faults.counted(group, Trial.Faults::deadlocks),
                        Order.lost(group),
                        Integer.toString(group.drained().size()),
                        String.join("; ", Flags.of(group))));
            }
            tables.add(new Report.Table(
                    "The study's designs on " + server + ", jobs per second",
                    List.of(
                            "",
                            "theirs",
                            "here, their clock",
                            "lowest and highest",
                            "our clock",
                            "deadlocks met",
                            "claims lost",
                            "rounds",
                            "doubts"),
                    rows));
        });
        return new Report.Section(
                "The study's rates",
                "Without the protocol table, as in the study. Theirs: means of MySQL 5.7, PostgreSQL 9.5 and SQLite on"
                        + " a machine with two processors. Their clock starts when the jobs are released, although"
                        + " sleeping workers may notice that a second later; it stops when a poll, one every half"
                        + " second, finds no job. A job that runs twice counts once. Our clock starts with the first"
                        + " execution. Medians over the rounds.",
                tables,
                List.of());
    }

    /** Order and repeats, from runs with the protocol as in the study. */
    Report.Section order() {
        List<Report.Table> tables = new ArrayList<>();
        servers(true).forEach((server, groups) -> {
            List<List<String>> rows = new ArrayList<>();
            for (Group group : groups) {
                Optional<Published.Order> theirs = Published.order(group.cell().system(), product(group))
                        .filter(order -> group.cell().jobs() == Published.JOBS);
                rows.add(List.of(
                        Formats.row(group, groups),
                        theirs.map(order -> Formats.count(order.executions())).orElse("–"),
                        mean(group, drained -> Double.valueOf(executions(drained))),
                        theirs.map(order -> Formats.number(order.meanDistance()))
                                .orElse("–"),
                        mean(group, drained -> order(drained, Trial.OrderFigures::sourceMean)),
                        theirs.map(order ->
                                        Formats.number(order.meanLargest()) + ", " + Formats.number(order.largest()))
                                .orElse("–"),
                        largest(group, drained -> order(drained, figures -> (double) figures.sourceMax())),
                        largest(group, drained -> order(drained, figures -> (double) figures.max())),
                        Integer.toString(group.drained().size())));
            }
            tables.add(new Report.Table(
                    "Executions of the study's designs on " + server,
                    List.of(
                            "",
                            "executions, theirs",
                            "here",
                            "distance, theirs",
                            "here",
                            "largest, theirs",
                            "here",
                            "of first runs",
                            "rounds"),
                    rows));
        });
        return new Report.Section(
                "The study's order and repeats",
                "With the protocol table. Columns: executions in a run; the mean distance of all executions from their"
                        + " place, as in the study; the largest distance of a run, as mean and as maximum over the"
                        + " runs; and the same for first executions only, which repeated jobs do not shift. Means over"
                        + " the rounds. Theirs are shown beside runs of 10,000 jobs only, as many as they had.",
                tables,
                List.of());
    }

    /** {@return the groups of each server and version; none is empty} */
    private Map<String, List<Group>> servers(boolean verified) {
        Map<String, List<Group>> servers = new LinkedHashMap<>();
        for (String database : results.databases()) {
            results.plainDrains().stream()
                    .filter(group -> group.cell().database().equals(database)
                            && group.cell().verify() == verified
                            && Contenders.family(group.cell().system()) == Contenders.Family.STUDY
                            && !group.drained().isEmpty())
                    .forEach(group -> servers.computeIfAbsent(named(group), title -> new ArrayList<>())
                            .add(group));
        }
        return servers;
    }

    /** Returns the server's version, with the name of the database if several databases have that version. */
    private String named(Group group) {
        String title = title(group);
        boolean isOnly = results.groups().stream()
                .filter(other -> title(other).equals(title))
                .allMatch(other -> other.cell().database().equals(group.cell().database()));
        return isOnly ? title : title + " (" + group.cell().database() + ")";
    }

    private static String product(Group group) {
        LabFile.TargetFacts target = group.conditions().target();
        return target == null ? group.cell().database() : target.product();
    }

    private static String title(Group group) {
        LabFile.TargetFacts target = group.conditions().target();
        return target == null
                ? group.cell().database()
                : target.version().replaceAll(", driver.*", "").replaceAll(" \\(.*", "");
    }

    private static double executions(Trial.Drained drained) {
        return drained.executions().entrySet().stream()
                .mapToDouble(one -> one.getKey() * (double) one.getValue())
                .sum();
    }

    private static @Nullable Double order(Trial.Drained drained, Function<Trial.OrderFigures, Double> figure) {
        return drained.ordering() == null ? null : figure.apply(drained.ordering());
    }

    private static List<Double> values(Group group, Function<Trial.Drained, @Nullable Double> figure) {
        return group.drained().stream().map(figure).filter(Objects::nonNull).toList();
    }

    private static String mean(Group group, Function<Trial.Drained, @Nullable Double> figure) {
        List<Double> values = values(group, figure);
        double mean = values.stream().mapToDouble(Double::doubleValue).average().orElse(0);
        return values.isEmpty() ? "–" : mean >= 10_000 ? Formats.count(Math.rint(mean)) : Formats.number(mean);
    }

    private static String largest(Group group, Function<Trial.Drained, @Nullable Double> figure) {
        List<Double> values = values(group, figure);
        double most = values.stream().mapToDouble(Double::doubleValue).max().orElse(0);
        return values.isEmpty() ? "–" : mean(group, figure) + ", " + Formats.number(most);
    }
}

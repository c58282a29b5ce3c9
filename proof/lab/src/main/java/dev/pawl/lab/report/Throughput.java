package dev.pawl.lab.report;

import dev.pawl.lab.contender.Contenders;
import dev.pawl.lab.run.Cell;
import dev.pawl.lab.run.Trial;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** The speed of draining backlogs: tables, box plots, ratios to peers, and curves over workers and batches. */
final class Throughput {
    private static final String STUDY_NAMES =
            " DBP-a-b-c is the study's pessimistic queue: with a mark before the delete (a = 1) or without, with a"
                    + " fetch before the delete (b = 1) or without, and with so many tries of the delete (c). DBO-0 is"
                    + " its optimistic queue with a window of one, DBO-1 with a window of as many jobs as there are"
                    + " workers. -noindex has no index on the queue, -index54 the one of old versions; -skip skips"
                    + " locked rows; -planner lets MySQL and MariaDB choose the index, which is forced otherwise;"
                    + " -fresh is a table that the server has never counted; -alone has workers that ask for one queue"
                    + " only.";

    private final Results results;

    Throughput(Results results) {
        this.results = results;
    }

    Report.Section rates() {
        List<Report.Table> tables = new ArrayList<>();
        List<Report.Chart> charts = new ArrayList<>();
        for (String database : results.databases()) {
            List<Group> groups = on(database);
            if (groups.isEmpty()) {
                continue;
            }
            Map<String, Summary> boxes = new LinkedHashMap<>();
            List<List<String>> rows = new ArrayList<>();
            for (Group group : groups) {
                String name = Formats.row(group, groups);
                group.rate().ifPresent(rate -> boxes.put(name, rate));
                rows.add(List.of(
                        name,
                        Formats.number(group.ofDrained(drained -> drained.enqueuedPerSecond())),
                        Formats.number(group.rate()),
                        group.rate().map(Formats::quarters).orElse("–"),
                        Formats.number(group.ofDrained(drained -> drained.startupMillis())),
                        Integer.toString(group.trials().size()),
                        String.join("; ", Flags.of(group))));
            }
            tables.add(new Report.Table(
                    "Jobs per second on " + database,
                    List.of("", "enqueue", "drain", "its quarters", "start-up ms", "rounds", "doubts"),
                    rows));
            if (!boxes.isEmpty()) {
                charts.add(Charts.boxes("Drain on " + database, "jobs per second", boxes));
            }
        }
        return new Report.Section(
                "How fast",
                "Medians. A drain runs from the first execution until the store holds no unfinished job; jobs count,"
                        + " not executions. The start-up of the workers is not included."
                        + (anyOfTheStudy() ? STUDY_NAMES : ""),
                tables,
                charts);
    }

    private boolean anyOfTheStudy() {
        return results.plainDrains().stream()
                .anyMatch(group -> Contenders.family(group.cell().system()) == Contenders.Family.STUDY);
    }

    private List<Group> on(String database) {
        return results.plainDrains().stream()
                .filter(group -> group.cell().database().equals(database))
                .toList();
    }

    /** Pawl against each peer in cells that differ only in the system. */
    Report.Section peers() {
        List<Report.Table> tables = new ArrayList<>();
        for (String database : results.databases()) {
            List<List<String>> rows = new ArrayList<>();
            for (Group peer : on(database)) {
                Contenders.Family family = Contenders.family(peer.cell().system());
                if (family != Contenders.Family.PEER && family != Contenders.Family.BROKER) {
                    continue;
                }
                on(database).stream()
                        .filter(group -> group.isOfSameRun(peer)
                                && group.cell().equals(peer.cell().of("auto")))
                        .findFirst()
                        .ifPresent(pawl -> rows.add(ratio(pawl, peer)));
            }
            if (!rows.isEmpty()) {
                tables.add(new Report.Table(
                        "Pawl against others on " + database + ", in the same rounds",
                        List.of(
                                "",
                                "jobs",
                                "workers",
                                "handler ms",
                                "enqueue, theirs",
                                "Pawl's",
                                "ratio",
                                "drain, theirs",
                                "Pawl's",
                                "ratio",
                                "doubts"),
                        rows));
            }
        }
        return new Report.Section(
                "Against others",
                "Same machine, server, durability, number of jobs and number of handlers. Each is set up as its"
                        + " documentation advises; the settings are at the end. A ratio of 10 means that Pawl does ten"
                        + " jobs in the time of one. Brokers keep their jobs outside the database, with the durability"
                        + " that they are configured for.",
                tables,
                List.of());
    }

    private static List<String> ratio(Group pawl, Group peer) {
        Double theirEnqueue = peer.median(drained -> drained.enqueuedPerSecond());
        Double ourEnqueue = pawl.median(drained -> drained.enqueuedPerSecond());
        Double theirs = peer.median(drained -> drained.jobsPerSecond());
        Double ours = pawl.median(drained -> drained.jobsPerSecond());
        List<String> flags = new ArrayList<>();
        Flags.of(peer).forEach(flag -> flags.add("theirs: " + flag));
        Flags.of(pawl).forEach(flag -> flags.add("Pawl's: " + flag));
        return List.of(
                peer.cell().system() + Formats.run(peer),
                Formats.number(peer.cell().jobs()),
                Integer.toString(peer.cell().workers()),
                Integer.toString(peer.cell().handlerMillis()),
                Formats.number(theirEnqueue),
                Formats.number(ourEnqueue),
                Formats.ratio(ourEnqueue, theirEnqueue),
                Formats.number(theirs),
                Formats.number(ours),
                Formats.ratio(ours, theirs),
                String.join("; ", flags));
    }

    /** Lanes against rows in cells that differ in nothing else. */
    Report.Section lanes() {
        List<List<String>> rows = new ArrayList<>();
        for (String database : results.databases()) {
            for (Group lanes : on(database)) {
                if (lanes.cell().system().equals("auto")) {
                    on(database).stream()
                            .filter(group -> group.isOfSameRun(lanes)
                                    && group.cell().equals(lanes.cell().by("rows")))
                            .findFirst()
                            .ifPresent(other -> rows.add(laneRatio(database, lanes, other)));
                }
            }
        }
        return new Report.Section(
                "Lanes and rows",
                "The same jobs in lanes (auto), and with a row for each; the batch is the most that one claim takes"
                        + " (0: the default, up to a thousand). A ratio of 2 means that lanes do two jobs in the time"
                        + " of one.",
                rows.isEmpty()
                        ? List.of()
                        : List.of(new Report.Table(
                                "Drain, jobs per second",
                                List.of("", "batch", "jobs", "lanes", "rows", "ratio", "its quarters", "doubts"),
                                rows)),
                List.of());
    }

    private static List<String> laneRatio(String database, Group lanes, Group rows) {
        Double ours = lanes.median(Trial.Drained::jobsPerSecond);
        Double theirs = rows.median(Trial.Drained::jobsPerSecond);
        List<String> flags = new ArrayList<>();
        Flags.of(lanes).forEach(flag -> flags.add("lanes: " + flag));
        Flags.of(rows).forEach(flag -> flags.add("rows: " + flag));
        return List.of(
                database + ", " + lanes.cell().workers() + " workers"
                        + (lanes.cell().handlerMillis() == 0
                                ? ""
                                : ", " + lanes.cell().handlerMillis() + " ms")
                        + Formats.run(lanes),
                Integer.toString(lanes.cell().batch()),
                Formats.number(lanes.cell().jobs()),
                Formats.number(ours),
                Formats.number(theirs),
                Formats.ratio(ours, theirs),
                byRounds(lanes, rows).map(Formats::quarters).orElse("–"),
                String.join("; ", flags));
    }

    /** Rounds are interleaved, so each round yields a ratio. */
    private static Optional<Summary> byRounds(Group lanes, Group rows) {
        Map<Integer, Double> theirs = new TreeMap<>();
        for (Trial trial : rows.trials()) {
            if (trial.drained() != null) {
                theirs.put(trial.round(), trial.drained().jobsPerSecond());
            }
        }
        return lanes.summary(trial -> {
            Double other = theirs.get(trial.round());
            return trial.drained() == null || other == null
                    ? null
                    : Double.valueOf(trial.drained().jobsPerSecond() / other);
        });
    }

    Report.Section scaling() {
        List<Report.Chart> charts = new ArrayList<>();
        for (String database : results.databases()) {
            over(database, "workers", Cell::workers, charts);
            lost(database, charts);
            over(database, "batch", Cell::batch, charts);
            over(database, "processes", Cell::processes, charts);
        }
        return new Report.Section(
                "How it scales",
                "Medians over one dimension, the others as they are: jobs per second, and how many of the tries to"
                        + " take a job another worker won.",
                List.of(),
                charts);
    }

    private void over(String database, String dimension, ToIntFunction<Cell> size, List<Report.Chart> charts) {
        Map<String, List<double[]>> series =
                curves(database, dimension, size, group -> group.median(Trial.Drained::jobsPerSecond));
        if (!series.isEmpty()) {
            charts.add(Charts.lines(
                    "Drain on " + database + " over " + dimension, dimension, "jobs per second", series, true, false));
        }
    }

    private void lost(String database, List<Report.Chart> charts) {
        Map<String, List<double[]>> series = curves(database, "workers", Cell::workers, Order::lostPercent);
        series.values().removeIf(points -> points.stream().allMatch(point -> point[1] == 0));
        if (!series.isEmpty()) {
            charts.add(Charts.lines(
                    "Claims lost on " + database + " over workers", "workers", "percent", series, true, false));
        }
    }

    /** Runs under different conditions have different names, so that a curve never joins their points. */
    private Map<String, List<double[]>> curves(
            String database, String dimension, ToIntFunction<Cell> size, Function<Group, @Nullable Double> figure) {
        Map<String, Map<Integer, Double>> curves = new LinkedHashMap<>();
        for (Group group : on(database)) {
            Double value = figure.apply(group);
            if (size.applyAsInt(group.cell()) > 0 && value != null) {
                String name =
                        Formats.system(group.cell().system()) + rest(group.cell(), dimension) + Formats.run(group);
                curves.computeIfAbsent(name, key -> new TreeMap<>()).put(size.applyAsInt(group.cell()), value);
            }
        }
        curves.values().removeIf(points -> points.size() < 2);
        Map<String, List<double[]>> series = new LinkedHashMap<>();
        curves.forEach((name, points) -> series.put(
                name,
                points.entrySet().stream()
                        .map(point -> new double[] {point.getKey(), point.getValue()})
                        .toList()));
        return series;
    }

    private static String rest(Cell cell, String dimension) {
        return (dimension.equals("workers") ? "" : ", " + cell.workers() + " workers")
                + (dimension.equals("batch") || cell.batch() == 0 ? "" : ", batch " + cell.batch())
                + (dimension.equals("processes") || cell.processes() == 0 ? "" : ", " + cell.processes() + " processes")
                + (cell.handlerMillis() == 0 ? "" : ", " + cell.handlerMillis() + " ms")
                + (cell.verify() ? ", verified" : "")
                + ", " + cell.payloadBytes() + " B"
                + ", " + Formats.number(cell.jobs()) + " jobs";
    }
}

package dev.pawl.lab.report;

import dev.pawl.lab.contender.Contenders;
import dev.pawl.lab.run.Trial;
import dev.pawl.lab.study.Designs;
import dev.pawl.lab.study.WindowMath;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The order in which jobs ran, the number of runs of each, and their wait in a window. */
final class Order {
    private static final int SIMULATED = 200_000;
    private static final long SEED = 42;
    /** Tolerance for means over rounds. */
    private static final double ROUNDING = 1e-6;

    private final Results results;

    Order(Results results) {
        this.results = results;
    }

    Report.Section ordering() {
        List<Report.Table> tables = new ArrayList<>();
        List<Report.Chart> charts = new ArrayList<>();
        for (String database : results.databases()) {
            List<Group> groups = on(database);
            List<List<String>> rows = new ArrayList<>();
            Map<String, Map<Long, Double>> histograms = new LinkedHashMap<>();
            for (Group group : groups) {
                String name = Formats.row(group, groups);
                rows.add(List.of(
                        name,
                        figure(group, figures -> figures.sourceMean()),
                        figure(group, figures -> figures.sourceMax()),
                        figure(group, figures -> figures.mean()),
                        figure(group, figures -> figures.p50()),
                        figure(group, figures -> figures.p95()),
                        figure(group, figures -> figures.p99()),
                        figure(group, figures -> figures.max()),
                        window(group) > 1
                                ? Formats.number(WindowMath.expectedFurthest(
                                        window(group), group.cell().jobs()))
                                : "–"));
                histograms.put(name, histogram(group));
            }
            if (!rows.isEmpty()) {
                tables.add(new Report.Table(
                        "Distance of executions from their place, on " + database,
                        List.of("", "study's mean", "study's max", "mean", "p50", "p95", "p99", "max", "predicted max"),
                        rows));
                charts.add(chart("Distances on " + database, histograms));
            }
        }
        return new Report.Section(
                "In which order",
                "Jobs are numbered as they were enqueued; the distance of the i-th execution is how far its job's"
                        + " number is from i. The study counts every execution, so a job that runs again moves all"
                        + " that follow; the other columns count first executions only. Medians over the rounds."
                        + " Predicted for a window of N and J jobs: N ln J. With handlers that do nothing, one thread"
                        + " that waits for a processor is overtaken by hundreds of jobs: that is the max of designs"
                        + " that claim in batches.",
                tables,
                charts);
    }

    private List<Group> on(String database) {
        return results.plainDrains().stream()
                .filter(group -> group.cell().database().equals(database)
                        && group.drained().stream().anyMatch(drained -> drained.ordering() != null))
                .toList();
    }

    private interface Figure {
        double of(Trial.OrderFigures figures);
    }

    private static String figure(Group group, Figure figure) {
        return Formats.number(group.ofDrained(
                drained -> drained.ordering() == null ? null : Double.valueOf(figure.of(drained.ordering()))));
    }

    private static int window(Group group) {
        String system = group.cell().system();
        return Contenders.family(system) == Contenders.Family.STUDY
                ? Designs.named(system, group.cell().workers()).window()
                : 1;
    }

    /** Returns the mean number of executions in each of the study's bins. */
    private static Map<Long, Double> histogram(Group group) {
        Map<Long, Double> mean = new TreeMap<>();
        List<Trial.Drained> trials = group.drained();
        for (Trial.Drained drained : trials) {
            if (drained.ordering() != null) {
                drained.ordering()
                        .histogram()
                        .forEach((bin, count) -> mean.merge(bin, (double) count / trials.size(), Double::sum));
            }
        }
        return mean;
    }

    private static Report.Chart chart(String caption, Map<String, Map<Long, Double>> histograms) {
        TreeSet<Long> bins = new TreeSet<>();
        histograms.values().forEach(histogram -> bins.addAll(histogram.keySet()));
        Map<String, List<Double>> series = new LinkedHashMap<>();
        histograms.forEach((name, histogram) -> series.put(
                name, bins.stream().map(bin -> histogram.getOrDefault(bin, 0.0)).toList()));
        return Charts.bars(
                caption,
                "distance (bins of the study, by their lower end)",
                "executions in a run",
                bins.stream().map(Object::toString).toList(),
                series,
                true);
    }

    Report.Section repeats() {
        List<List<String>> rows = new ArrayList<>();
        Map<String, Map<Integer, Double>> counts = new LinkedHashMap<>();
        for (Group group : results.plainDrains()) {
            if (group.drained().isEmpty()) {
                continue;
            }
            Map<Integer, Double> mean = new TreeMap<>();
            List<Trial.Drained> trials = group.drained();
            trials.forEach(drained -> drained.executions()
                    .forEach((times, jobs) -> mean.merge(times, (double) jobs / trials.size(), Double::sum)));
            double executions = mean.entrySet().stream()
                    .mapToDouble(one -> one.getKey() * one.getValue())
                    .sum();
            String name = group.cell().database() + ": " + Formats.row(group, results.plainDrains());
            rows.add(List.of(
                    name,
                    Formats.count(group.cell().jobs()),
                    mean.isEmpty() ? "–" : Formats.count(executions),
                    text(mean, group.cell().jobs())));
            mean.keySet().removeIf(times -> times == 1);
            if (!mean.isEmpty()) {
                counts.put(name, mean);
            }
        }
        List<Report.Chart> charts = counts.isEmpty() ? List.of() : List.of(repeatChart(counts));
        return new Report.Section(
                "How often each job ran",
                "Executions in a run, mean over the rounds. Nothing is killed here, so more than one is a flaw of the"
                        + " design. The chart leaves out the jobs that ran once.",
                rows.isEmpty()
                        ? List.of()
                        : List.of(
                                new Report.Table("Executions", List.of("", "jobs", "executions", "times: jobs"), rows)),
                charts);
    }

    /** Also counts jobs without a recorded run, because the store may become empty although a job was never run. */
    private static String text(Map<Integer, Double> mean, int jobs) {
        double seen = mean.values().stream().mapToDouble(Double::doubleValue).sum();
        if (mean.isEmpty()) {
            return "–";
        }
        if (Math.abs(mean.getOrDefault(1, 0.0) - jobs) < ROUNDING && mean.size() == 1) {
            return "each once";
        }
        List<String> parts = new ArrayList<>();
        if (jobs - seen > ROUNDING) {
            parts.add("0×: " + Formats.count(jobs - seen));
        }
        mean.forEach((times, count) -> parts.add(times + "×: " + Formats.count(count)));
        return String.join(", ", parts);
    }

    private static Report.Chart repeatChart(Map<String, Map<Integer, Double>> counts) {
        TreeSet<Integer> times = new TreeSet<>();
        counts.values().forEach(one -> times.addAll(one.keySet()));
        Map<String, List<Double>> series = new LinkedHashMap<>();
        counts.forEach((name, one) -> series.put(
                name, times.stream().map(count -> one.getOrDefault(count, 0.0)).toList()));
        return Charts.bars(
                "Jobs that ran more than once",
                "executions of a job",
                "jobs in a run",
                times.stream().map(Object::toString).toList(),
                series,
                true);
    }

    /** E[X]: the study's printed value, the correct one, a simulation, and the measurement. */
    Report.Section windows() {
        List<List<String>> rows = new ArrayList<>();
        for (Group group : results.plainDrains()) {
            int window = window(group);
            if (window > 1) {
                rows.add(List.of(
                        group.cell().database() + ": " + Formats.row(group, results.plainDrains()),
                        Integer.toString(window),
                        three(WindowMath.printedFormula(window)),
                        three(WindowMath.expectedRounds(window)),
                        three(WindowMath.simulate(window, SIMULATED, new Random(SEED))),
                        Formats.number(group.ofDrained(drained -> drained.ordering() == null
                                ? null
                                : drained.ordering().roundsInWindow())),
                        lost(group)));
            }
        }
        return new Report.Section(
                "How long jobs wait in a window",
                "E[X], the rounds of picks until a job in a window of N is taken by one of N workers. The study's"
                        + " printed formula has a wrong exponent; the right one is 1/(1-((N-1)/N)^N). Both formulas,"
                        + " and the simulation, let all workers pick at the same time. Real workers pick one after the"
                        + " other, so the measured rounds (N picks each, in the order of executions) are mostly fewer,"
                        + " and fewer claims are lost.",
                rows.isEmpty()
                        ? List.of()
                        : List.of(new Report.Table(
                                "E[X]",
                                List.of("", "N", "printed", "corrected", "simulated", "measured", "claims lost"),
                                rows)),
                List.of());
    }

    private static String three(double value) {
        return String.format(java.util.Locale.ROOT, "%.3f", value);
    }

    private static @Nullable Double share(Trial.Faults faults) {
        Long won = faults.claims();
        Long lost = faults.claimsLost();
        return won == null || lost == null || won + lost == 0 ? null : 100.0 * lost / (won + lost);
    }

    /** {@return the percentage of attempts to claim a job that another worker won; null if it was not counted} */
    static @Nullable Double lostPercent(Group group) {
        return group.median(drained -> share(drained.faults()));
    }

    static String lost(Group group) {
        Double percent = lostPercent(group);
        return percent == null ? "–" : Formats.number(percent) + " %";
    }
}

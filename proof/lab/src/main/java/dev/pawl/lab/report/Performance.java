package dev.pawl.lab.report;

import dev.pawl.lab.contender.Variant;
import dev.pawl.lab.run.Cell;
import dev.pawl.lab.run.LabFile;
import dev.pawl.lab.run.Trial;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Few and large tables, one for each subject over all databases, for the page on performance. */
final class Performance {
    private static final String PEER = "db-scheduler";

    private final Results results;

    Performance(Results results) {
        this.results = results;
    }

    /** What a measurement is about. */
    private enum Subject {
        THROUGHPUT,
        MANY_WORKERS,
        ONCE,
        LATENCY,
        FEATURES,
        DELAYED,
        OTHER
    }

    private static Subject subject(Group group) {
        Cell cell = group.cell();
        if (cell.measure() == Cell.Measure.LATENCY) {
            return Subject.LATENCY;
        }
        if (cell.measure() != Cell.Measure.DRAIN) {
            return Subject.OTHER;
        }
        if (cell.hindrance() == Cell.Disturbance.DELAYED || Variant.DUE.in(cell.system())) {
            return Subject.DELAYED;
        }
        if (cell.hindrance() != Cell.Disturbance.NONE) {
            return Subject.OTHER;
        }
        if (cell.handlerMillis() > 0) {
            return Subject.MANY_WORKERS;
        }
        if (Variant.TRANSACTION.in(cell.system()) || cell.system().equals("raw-marker")) {
            return Subject.ONCE;
        }
        return cell.system().equals(Variant.base(cell.system())) ? Subject.THROUGHPUT : Subject.FEATURES;
    }

    private List<Group> about(Subject subject) {
        return results.groups().stream()
                .filter(group -> subject(group) == subject)
                .toList();
    }

    /** Returns the measurement of another system, for a ratio. */
    private Optional<Group> beside(Group group, Subject subject, Predicate<Cell> which) {
        return about(subject).stream()
                .filter(other -> other.cell().database().equals(group.cell().database())
                        && other.isOfSameRun(group)
                        && which.test(other.cell()))
                .findFirst();
    }

    private static Predicate<Cell> is(String system) {
        return cell -> cell.system().equals(system);
    }

    private static Predicate<Cell> isOf(String base) {
        return cell -> Variant.base(cell.system()).equals(base);
    }

    Report report() {
        return new Report(
                "Performance",
                Stream.of(throughput(), manyWorkers(), once(), latency(), features(), delayed())
                        .filter(section -> !section.isEmpty())
                        .toList());
    }

    private Report.Section throughput() {
        List<List<String>> rows = new ArrayList<>();
        for (Group group : about(Subject.THROUGHPUT)) {
            Optional<Group> peer = beside(group, Subject.THROUGHPUT, is(PEER));
            rows.add(List.of(
                    name(group),
                    Formats.number(group.cell().jobs()),
                    enqueue(group),
                    times(group, peer, Trial.Drained::enqueuedPerSecond),
                    drain(group),
                    times(group, peer, Trial.Drained::jobsPerSecond),
                    serverCpu(group),
                    log(group),
                    doubts(group)));
        }
        return section(
                "Throughput",
                "Jobs a second of handlers that do nothing; medians. Each system has as many jobs as it runs in some"
                        + " seconds. Factors compare with db-scheduler in the same rounds. Server: its CPU in µs; log:"
                        + " bytes; both for each job, enqueue and drain together.",
                "Jobs per second",
                List.of("", "jobs", "enqueue", "factor", "drain", "factor", "server", "log", "doubts"),
                rows);
    }

    private Report.Section manyWorkers() {
        List<List<String>> rows = new ArrayList<>();
        for (Group group : about(Subject.MANY_WORKERS)) {
            Cell cell = group.cell();
            int workers = cell.processes() > 0 ? cell.processes() : Variant.workers(cell.system());
            double ideal = 1000.0 * cell.workers() / cell.handlerMillis();
            Optional<Group> peer = beside(
                    group,
                    Subject.MANY_WORKERS,
                    isOf(PEER)
                            .and(other -> Variant.workers(other.system()) == workers
                                    && other.handlerMillis() == cell.handlerMillis()));
            rows.add(List.of(
                    cell.database() + ": " + Formats.system(Variant.base(cell.system())) + Formats.run(group),
                    workers + " × " + cell.workers() / workers + (cell.processes() > 0 ? ", processes" : ""),
                    cell.handlerMillis() + " ms",
                    Formats.number(cell.jobs()),
                    drain(group),
                    group.rate().map(rate -> percent(rate.median(), ideal)).orElse("–"),
                    times(group, peer, Trial.Drained::jobsPerSecond),
                    doubts(group)));
        }
        return section(
                "Many workers",
                "Workers × handlers of each. Each worker has a pool of its own, as in a program of its own; with"
                        + " processes it is one, which starts cold. The share is that of what the handlers could do if nothing else took"
                        + " time. Factors compare with as many workers of db-scheduler.",
                "Jobs per second, many workers",
                List.of("", "workers × handlers", "handler", "jobs", "jobs a second", "share", "factor", "doubts"),
                rows);
    }

    private Report.Section once() {
        List<List<String>> rows = new ArrayList<>();
        for (Group group : about(Subject.ONCE)) {
            rows.add(List.of(
                    name(group),
                    Integer.toString(group.cell().workers()),
                    drain(group),
                    share(group, beside(group, Subject.ONCE, is("raw-marker")), Trial.Drained::jobsPerSecond),
                    times(group, beside(group, Subject.ONCE, isOf(PEER)), Trial.Drained::jobsPerSecond),
                    log(group),
                    doubts(group)));
        }
        return section(
                "Exactly once",
                "Each handler inserts a row in the transaction that completes its job. raw-marker does that by hand"
                        + " without a queue, as an upper bound. db-scheduler completes a job in a transaction of its"
                        + " own, so there the handler adds a marker, by which a second run would be found.",
                "Jobs per second, exactly once",
                List.of("", "handlers", "jobs a second", "of raw-marker", "factor to db-scheduler", "log", "doubts"),
                rows);
    }

    private Report.Section latency() {
        List<List<String>> rows = new ArrayList<>();
        for (Group group : about(Subject.LATENCY)) {
            rows.add(List.of(
                    name(group),
                    group.cell().processes() == 0 ? "the same" : "another",
                    Integer.toString(group.cell().rate()),
                    millis(group, arrivals -> arrivals.start().p50()),
                    millis(group, arrivals -> arrivals.start().p99()),
                    millis(group, arrivals -> arrivals.done().p50()),
                    millis(group, arrivals -> arrivals.done().p99()),
                    doubts(group)));
        }
        return section(
                "Latency",
                "Milliseconds from enqueue to the start of the handler, and until the job is recorded as done, of jobs"
                        + " that arrive one by one at idle workers, in the process that enqueues or in another."
                        + " db-scheduler starts a job at once in the same process only; another process polls.",
                "Latency in ms",
                List.of("", "process", "a second", "start p50", "start p99", "done p50", "done p99", "doubts"),
                rows);
    }

    private Report.Section features() {
        List<List<String>> rows = new ArrayList<>();
        for (Group group : about(Subject.FEATURES)) {
            Optional<Group> base = beside(group, Subject.THROUGHPUT, is("rows"));
            rows.add(List.of(
                    name(group),
                    enqueue(group),
                    share(group, base, Trial.Drained::enqueuedPerSecond),
                    drain(group),
                    share(group, base, Trial.Drained::jobsPerSecond),
                    log(group),
                    doubts(group)));
        }
        return section(
                "Features",
                "The cost of what jobs can have; shares compare with plain jobs that have a row each (rows). limit: of"
                        + " the queue; keys: a hundred, of which ten jobs each run at once; strict-keys: ten thousand,"
                        + " one at a time; batch: all jobs in one; small-batches: ten in each; chunks: up to a hundred"
                        + " jobs a call; queues: twenty, served by a pattern.",
                "Jobs per second, and share of rows",
                List.of("", "enqueue", "of rows", "drain", "of rows", "log", "doubts"),
                rows);
    }

    private Report.Section delayed() {
        List<List<String>> rows = new ArrayList<>();
        for (Group group : about(Subject.DELAYED)) {
            boolean beside = group.cell().hindrance() == Cell.Disturbance.DELAYED;
            rows.add(List.of(
                    group.cell().database() + ": "
                            + Formats.system(Variant.base(group.cell().system())) + Formats.run(group),
                    Formats.number(group.cell().jobs()),
                    beside ? "beside " + delayedJobs() + " delayed jobs" : "all due in one second",
                    enqueue(group),
                    drain(group),
                    share(
                            group,
                            beside(
                                    group,
                                    Subject.THROUGHPUT,
                                    is(Variant.base(group.cell().system()))),
                            Trial.Drained::jobsPerSecond),
                    beside
                            ? "–"
                            : times(group, beside(group, Subject.DELAYED, isOf(PEER)), Trial.Drained::jobsPerSecond),
                    doubts(group)));
        }
        return section(
                "Delayed jobs",
                "Jobs that were enqueued for the same second in the future, with workers that wait for them; and jobs"
                        + " that are due at once, beside many that are due in an hour. The share compares with the same"
                        + " system, without delayed jobs.",
                "Jobs per second, delayed",
                List.of("", "jobs", "which", "enqueue", "drain", "share", "factor to db-scheduler", "doubts"),
                rows);
    }

    private String delayedJobs() {
        return results.files().stream()
                .map(LabFile::plan)
                .map(plan -> Formats.number(plan.delayed()))
                .distinct()
                .reduce((one, other) -> one + " or " + other)
                .orElse("");
    }

    private static Report.Section section(
            String title, String prose, String caption, List<String> head, List<List<String>> rows) {
        return new Report.Section(
                title, prose, rows.isEmpty() ? List.of() : List.of(new Report.Table(caption, head, rows)), List.of());
    }

    private static String name(Group group) {
        return group.cell().database() + ": " + Formats.system(group.cell().system()) + Formats.run(group);
    }

    private static String enqueue(Group group) {
        return Formats.number(group.ofDrained(Trial.Drained::enqueuedPerSecond));
    }

    private static String drain(Group group) {
        return Formats.number(group.rate());
    }

    private static String serverCpu(Group group) {
        return Formats.number(group.ofDrained(drained -> drained.cost().serverCpuMicros()));
    }

    private static String log(Group group) {
        return Formats.number(group.ofDrained(drained -> drained.cost().logBytes()));
    }

    private static String doubts(Group group) {
        return String.join("; ", Flags.of(group));
    }

    private static String millis(Group group, Function<Trial.Arrivals, Double> figure) {
        return Formats.number(group.summary(trial -> trial.arrivals() == null ? null : figure.apply(trial.arrivals())));
    }

    private static String times(Group group, Optional<Group> other, Function<Trial.Drained, @Nullable Double> figure) {
        return Formats.ratio(
                group.median(figure), other.map(known -> known.median(figure)).orElse(null));
    }

    private static String share(Group group, Optional<Group> other, Function<Trial.Drained, @Nullable Double> figure) {
        Double own = group.median(figure);
        Double base = other.map(known -> known.median(figure)).orElse(null);
        return own == null || base == null ? "–" : percent(own, base);
    }

    private static String percent(double part, double whole) {
        return whole == 0 ? "–" : Math.round(100 * part / whole) + " %";
    }
}

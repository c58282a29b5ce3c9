package dev.pawl.lab.report;

import dev.pawl.lab.run.Cell;
import dev.pawl.lab.run.DeadlockListing;
import dev.pawl.lab.run.Environment;
import dev.pawl.lab.run.LabFile;
import dev.pawl.lab.run.Trial;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/** What lies behind the rates: faults, costs, times of single jobs, what stands in the way, and where it was measured. */
final class Behind {
    private final Results results;

    Behind(Results results) {
        this.results = results;
    }

    Report.Section faults() {
        List<List<String>> rows = new ArrayList<>();
        for (Group group : results.plainDrains()) {
            if (!group.drained().isEmpty()) {
                rows.add(List.of(
                        group.cell().database() + ": " + Words.row(group.cell(), results.plainDrains()),
                        Words.number(group.median(
                                drained -> (double) drained.faults().deadlocks())),
                        Words.number(group.ofDrained(drained -> {
                            Long counted = drained.faults().serverDeadlocks();
                            return counted == null ? null : Double.valueOf(counted);
                        })),
                        Words.number(group.median(
                                drained -> (double) drained.faults().lockTimeouts())),
                        Order.lost(group)));
            }
        }
        List<Report.Table> tables = new ArrayList<>();
        if (!rows.isEmpty()) {
            tables.add(new Report.Table(
                    "Faults in a run",
                    List.of("", "deadlocks met", "deadlocks by the server", "lock timeouts, busy", "claims lost"),
                    rows));
        }
        results.files().forEach(file -> file.deadlocks().forEach(listing -> listing(listing, tables)));
        return new Report.Section(
                "Deadlocks, timeouts, lost claims",
                "Medians over the rounds. Lost are tries for a job that another worker was faster at, of all tries. Below, the"
                        + " last deadlock of a run as InnoDB lists it: who held and who waited, for which record of which index.",
                tables,
                List.of());
    }

    private static void listing(DeadlockListing listing, List<Report.Table> tables) {
        String where = listing.system() + " on " + listing.database() + ", " + listing.at();
        tables.add(new Report.Table(
                "A deadlock of " + where + ": its transactions",
                List.of("ID", "user", "host", "victim", "time s", "undo", "lock structs", "query"),
                listing.transactions().stream()
                        .map(one -> List.of(
                                one.id(),
                                one.user(),
                                one.host(),
                                one.victim() ? "yes" : "no",
                                one.activeSeconds(),
                                Integer.toString(one.undo()),
                                Integer.toString(one.lockStructs()),
                                one.query()))
                        .toList()));
        tables.add(new Report.Table(
                "Its locks",
                List.of("ID", "waiting", "mode", "table", "index", "special", "insert intention"),
                listing.locks().stream()
                        .map(one -> List.of(
                                one.id(),
                                one.waiting() ? "waits" : "holds",
                                one.mode(),
                                one.table(),
                                one.index(),
                                one.special(),
                                one.insertIntention() ? "yes" : "no"))
                        .toList()));
    }

    Report.Section costs() {
        List<List<String>> rows = new ArrayList<>();
        for (Group group : results.plainDrains()) {
            if (!group.drained().isEmpty()) {
                rows.add(List.of(
                        group.cell().database() + ": " + Words.row(group.cell(), results.plainDrains()),
                        Words.number(group.ofDrained(drained -> drained.cost().clientCpuMicros())),
                        Words.number(group.ofDrained(drained -> drained.cost().serverCpuMicros())),
                        Words.number(group.ofDrained(drained -> drained.cost().logBytes())),
                        Words.number(group.ofDrained(drained -> {
                            Long rows1 = drained.cost().deadRows();
                            return rows1 == null ? null : Double.valueOf(rows1);
                        }))));
            }
        }
        return new Report.Section(
                "What it costs",
                "For each job, enqueue and drain together; medians. CPU of the client is the lab's process, whole. Dead rows"
                        + " are what is left at the end (PostgreSQL: dead tuples; InnoDB: length of the history list). A dash is"
                        + " what the system does not tell.",
                rows.isEmpty()
                        ? List.of()
                        : List.of(new Report.Table(
                                "Cost of a job",
                                List.of("", "client CPU µs", "server CPU µs", "log bytes", "dead rows"),
                                rows)),
                List.of());
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
                "Milliseconds from enqueue to the start of the handler, and until done, while jobs arrive one by one at a"
                        + " steady rate whether the queue keeps up or not; times count from when a job was due to arrive. Done is"
                        + " when the queue has recorded it; for JobRunr, Quartz and raw JDBC, when the handler returned. Medians"
                        + " over the rounds.",
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
                                "do not trust it?"),
                        rows)),
                List.of(Charts.lines(
                        "Enqueue to start, one of the rounds", "percentile", "milliseconds", starts, false, true)));
    }

    private static String name(Group group, List<Group> groups) {
        return group.cell().database() + ": " + Words.system(group.cell().system()) + ", "
                + group.cell().rate()
                + " a second"
                + (groups.stream()
                                .anyMatch(other ->
                                        other.cell().workers() != group.cell().workers())
                        ? ", " + group.cell().workers() + " workers"
                        : "");
    }

    private interface Figure {
        double of(Trial.Arrivals arrivals);
    }

    private static String median(List<Trial.Arrivals> known, Figure figure) {
        return Words.number(Summary.of(known.stream().map(figure::of).toList()).median());
    }

    Report.Section hindrances() {
        List<List<String>> rows = new ArrayList<>();
        for (Group group : results.of(Cell.Measure.DRAIN)) {
            Cell cell = group.cell();
            if (cell.hindrance() == Cell.Hindrance.NONE) {
                continue;
            }
            Cell free = new Cell(
                    cell.measure(),
                    cell.database(),
                    cell.system(),
                    cell.workers(),
                    cell.processes(),
                    cell.jobs(),
                    cell.batch(),
                    cell.payloadBytes(),
                    cell.handlerMillis(),
                    Cell.Hindrance.NONE,
                    cell.verify(),
                    cell.rate());
            double with = group.median(drained -> drained.jobsPerSecond());
            double without = results.groups().stream()
                    .filter(other -> other.cell().equals(free))
                    .mapToDouble(other -> other.median(drained -> drained.jobsPerSecond()))
                    .findFirst()
                    .orElse(0);
            rows.add(List.of(
                    cell.database() + ": " + Words.system(cell.system()),
                    cell.hindrance() == Cell.Hindrance.DELAYED ? "delayed jobs in the table" : "an open transaction",
                    Words.number(without),
                    Words.number(with),
                    without == 0 ? "–" : Words.number(100 * with / without) + " %",
                    Words.number(group.ofDrained(drained -> {
                        Long dead = drained.cost().deadRows();
                        return dead == null ? null : Double.valueOf(dead);
                    })),
                    String.join("; ", Flags.of(group))));
        }
        String delayed = results.files().stream()
                .map(file -> String.format(Locale.ROOT, "%,d", file.plan().delayed()))
                .distinct()
                .reduce((one, other) -> one + " or " + other)
                .orElse("");
        return new Report.Section(
                "With something in the way",
                "Drain with " + delayed
                        + " delayed jobs in the same table, and with a transaction of somebody else open from"
                        + " before the first claim to the end, so that no dead row can be removed.",
                rows.isEmpty()
                        ? List.of()
                        : List.of(new Report.Table(
                                "Drain, jobs per second",
                                List.of("", "in the way", "without", "with", "ratio", "dead rows", "do not trust it?"),
                                rows)),
                List.of());
    }

    Report.Section recoveries() {
        List<List<String>> rows = new ArrayList<>();
        for (Group group : results.of(Cell.Measure.RECOVERY)) {
            rows.add(List.of(
                    group.cell().database() + ": " + Words.system(group.cell().system()),
                    group.summary(Trial::recoveryMillis)
                            .map(summary -> Words.number(summary.median() / 1000))
                            .orElse("–"),
                    group.summary(Trial::recoveryMillis)
                            .map(summary -> Words.number(summary.max() / 1000))
                            .orElse("–"),
                    String.join("; ", Flags.of(group))));
        }
        String lease = results.files().stream()
                .map(file -> Words.number(file.plan().leaseMillis() / 1000.0) + " s")
                .distinct()
                .reduce((one, other) -> one + " or " + other)
                .orElse("");
        return new Report.Section(
                "After kill -9",
                "Seconds from the kill of a worker process with ten jobs in hand until the last of them runs elsewhere. Leases"
                        + " are " + lease + " long; the promise is lease + 1 s.",
                rows.isEmpty()
                        ? List.of()
                        : List.of(new Report.Table(
                                "Recovery", List.of("", "median s", "longest s", "do not trust it?"), rows)),
                List.of());
    }

    Report.Section where() {
        List<Report.Table> tables = new ArrayList<>();
        List<List<String>> machine = new ArrayList<>();
        List<List<String>> servers = new ArrayList<>();
        List<List<String>> settings = new ArrayList<>();
        List<List<String>> left = new ArrayList<>();
        for (LabFile file : results.files()) {
            Environment on = file.environment();
            machine.add(List.of("command", file.command()));
            machine.add(List.of(
                    "run",
                    on.at() + ", Pawl " + on.commit() + ", " + file.trials().size() + " of "
                            + file.plan().cells().size() * file.plan().rounds() + " trials done"));
            machine.add(List.of(
                    "machine",
                    on.cpu() + ", " + on.cores() + " cores for clients and embedded servers together, " + on.memoryMiB()
                            + " MiB; " + on.system()));
            machine.add(List.of("Java", on.java() + ", heap up to " + on.heapMiB() + " MiB " + on.javaOptions()));
            machine.add(List.of(
                    "disk",
                    on.disk() + ", fsync of a small write " + Words.number(on.fsyncMicros())
                            + " µs (temporary folder)"));
            file.targets()
                    .forEach((name, facts) -> servers.add(List.of(
                            name,
                            facts.version(),
                            facts.variables().entrySet().stream()
                                    .map(one -> one.getKey() + "=" + one.getValue())
                                    .reduce((one, other) -> one + ", " + other)
                                    .orElse("–"))));
            file.settings().forEach((system, words) -> settings.add(List.of(system, words)));
            file.skipped().forEach(why -> left.add(List.of(why)));
        }
        tables.add(new Report.Table("Machine and run", List.of("", ""), machine));
        tables.add(new Report.Table("Databases", List.of("", "version", "settings"), servers));
        if (!settings.isEmpty()) {
            tables.add(new Report.Table("How each was set up", List.of("", "settings"), settings));
        }
        if (!left.isEmpty()) {
            tables.add(new Report.Table("Left out", List.of("why"), left));
        }
        List<List<String>> failures = results.groups().stream()
                .flatMap(group -> group.trials().stream())
                .filter(trial -> trial.failure() != null)
                .map(trial -> List.of(trial.cell().text(), String.valueOf(trial.failure())))
                .distinct()
                .toList();
        if (!failures.isEmpty()) {
            tables.add(new Report.Table("Failed", List.of("", "why"), failures));
        }
        return new Report.Section("Where and how", "All that it takes to do it again.", tables, List.of());
    }
}

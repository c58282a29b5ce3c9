package dev.pawl.lab.report;

import dev.pawl.lab.run.DeadlockListing;
import dev.pawl.lab.run.Trial;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Errors within a run, and the cost of a job. */
final class Faults {
    private final Results results;

    Faults(Results results) {
        this.results = results;
    }

    Report.Section faults() {
        List<List<String>> rows = new ArrayList<>();
        for (Group group : results.plainDrains()) {
            if (!group.drained().isEmpty()) {
                rows.add(List.of(
                        group.cell().database() + ": " + Formats.row(group, results.plainDrains()),
                        counted(group, Trial.Faults::deadlocks),
                        counted(group, Trial.Faults::serverDeadlocks),
                        counted(group, Trial.Faults::lockTimeouts),
                        counted(group, Trial.Faults::serverLockTimeouts),
                        Order.lost(group)));
            }
        }
        List<Report.Table> tables = new ArrayList<>();
        if (!rows.isEmpty()) {
            tables.add(new Report.Table(
                    "Faults in a run",
                    List.of(
                            "",
                            "deadlocks met",
                            "by the server",
                            "lock timeouts met, busy",
                            "by the server",
                            "claims lost"),
                    rows));
        }
        results.files().forEach(file -> file.deadlocks().forEach(listing -> listing(listing, tables)));
        return new Report.Section(
                "Deadlocks, timeouts, lost claims",
                "Medians over the rounds. Met: errors that the workers received; by the server: its own counter, for"
                        + " every system. A dash means: not counted. Lost: the share of claims of a job that another"
                        + " worker claimed first. Below is the last deadlock of a run as InnoDB lists it: which"
                        + " transaction held, and which waited for, which record of which index.",
                tables,
                List.of());
    }

    static String counted(Group group, Function<Trial.Faults, @Nullable Long> count) {
        return Formats.number(group.ofDrained(drained -> {
            Long counted = count.apply(drained.faults());
            return counted == null ? null : Double.valueOf(counted);
        }));
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
                        group.cell().database() + ": " + Formats.row(group, results.plainDrains()),
                        Formats.number(group.ofDrained(drained -> drained.cost().clientCpuMicros())),
                        Formats.number(group.ofDrained(drained -> drained.cost().serverCpuMicros())),
                        Formats.number(group.ofDrained(drained -> drained.cost().logBytes())),
                        Formats.number(group.ofDrained(drained -> {
                            Long rows1 = drained.cost().deadRows();
                            return rows1 == null ? null : Double.valueOf(rows1);
                        }))));
            }
        }
        return new Report.Section(
                "What it costs",
                "For each job, enqueue and drain together; medians. CPU of the client is the lab's process, whole."
                        + " Dead rows are what is left at the end (PostgreSQL: dead tuples; InnoDB: length of the"
                        + " history list). A dash is what the system does not report.",
                rows.isEmpty()
                        ? List.of()
                        : List.of(new Report.Table(
                                "Cost of a job",
                                List.of("", "client CPU µs", "server CPU µs", "log bytes", "dead rows"),
                                rows)),
                List.of());
    }
}

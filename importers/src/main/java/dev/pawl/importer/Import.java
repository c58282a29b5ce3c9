package dev.pawl.importer;

import dev.pawl.JobQueue;
import dev.pawl.api.DatabaseException;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.EnqueueResult;
import dev.pawl.api.JobRequest;
import dev.pawl.cli.ImportLine;
import dev.pawl.cli.Importer;
import dev.pawl.internal.jdbc.Fault;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import javax.sql.DataSource;

/**
 * Imports waiting jobs from another queue's tables. A job that is taken over leaves the other queue in the transaction that inserts it
 * here, so at every moment exactly one of the queues has it. A copied job also stays in the other queue. No job is copied twice. Confined
 * to one thread.
 */
final class Import {
    private static final int AT_ONCE = 100;
    private static final int TRIES = 5;

    private final JobQueue queue;
    private final DataSource target;
    private final String uniqueKeys;
    private final EnqueueOptions options;
    private final Peer peer;
    private final boolean copy;

    /**
     * @param target the receiving queue
     * @param peer the other queue
     * @param copy whether the peer keeps its rows; otherwise they must be in the target's database
     */
    Import(Importer.Target target, Peer peer, boolean copy) {
        this.queue = target.queue();
        this.target = target.pool();
        this.uniqueKeys = target.uniqueKeys();
        this.options = target.options();
        this.peer = peer;
        this.copy = copy;
    }

    /**
     * @param from a connection to the peer's tables
     * @param kinds the kind of each job here, by the peer's name for it
     * @param dryRun whether to change nothing
     * @return the actual or expected result for each row
     * @throws SQLException if the peer's tables cannot be read, or a database fails; committed imports remain, and
     *     another import continues from there
     */
    List<ImportLine> run(Connection from, Map<String, String> kinds, boolean dryRun) throws SQLException {
        List<PlannedRow> plan = plan(from, kinds);
        List<PlannedRow> done = new ArrayList<>();
        if (dryRun) {
            done.addAll(plan);
        } else {
            for (int at = 0; at < plan.size(); at += AT_ONCE) {
                done.addAll(written(plan.subList(at, Math.min(plan.size(), at + AT_ONCE))));
            }
            queue.wake(options.queue());
        }
        return lines(done);
    }

    private List<PlannedRow> plan(Connection from, Map<String, String> kinds) throws SQLException {
        try (Connection connection = target.getConnection()) {
            Ledger ledger = Ledger.read(connection, uniqueKeys, peer.word());
            return new Plan(ledger, queue.schedules().list(), kinds, options, copy).of(peer.read(from));
        }
    }

    /** Runs one transaction, and repeats it after conflicts. */
    private List<PlannedRow> written(List<PlannedRow> part) throws SQLException {
        for (int tried = 1; ; tried++) {
            try (Connection connection = target.getConnection()) {
                connection.setAutoCommit(false);
                if (!connection.getMetaData().getDatabaseProductName().equals("SQLite")) {
                    connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED); // avoids gap locks
                }
                try {
                    List<PlannedRow> done = copy ? copied(connection, part) : taken(connection, part);
                    connection.commit();
                    return done;
                } catch (SQLException | DatabaseException e) {
                    connection.rollback();
                    if (tried == TRIES || !isTransient(e)) {
                        throw e;
                    }
                }
            }
        }
    }

    private static boolean isTransient(Exception error) {
        return error instanceof SQLException fault
                ? Fault.of(fault).isTransient()
                : ((DatabaseException) error).isTransient();
    }

    private List<PlannedRow> copied(Connection connection, List<PlannedRow> part) {
        List<PlannedRow> done = new ArrayList<>();
        for (PlannedRow each : part) {
            boolean isNew = each.result() == ImportLine.Result.IMPORTED
                    && (each.found().isSchedule() ? added(connection, each) : enqueued(connection, each));
            done.add(
                    each.result() == ImportLine.Result.IMPORTED && !isNew
                            ? each.as(ImportLine.Result.ALREADY, "another process has imported it")
                            : each);
        }
        return done;
    }

    private List<PlannedRow> taken(Connection connection, List<PlannedRow> part) throws SQLException {
        List<PlannedRow> done = new ArrayList<>();
        List<JobRequest> jobs = new ArrayList<>();
        for (PlannedRow each : part) {
            boolean leaves = each.result() != ImportLine.Result.REFUSED
                    && (each.result() != ImportLine.Result.ALREADY
                            || each.found().isSchedule());
            if (leaves && !peer.take(connection, each.found())) {
                done.add(each.as(ImportLine.Result.REFUSED, "it has changed in the meantime: import again"));
                continue;
            }
            if (each.result() == ImportLine.Result.IMPORTED && each.found().isSchedule() && !added(connection, each)) {
                throw new SQLException("another process has added a schedule: import again");
            }
            if (each.result() == ImportLine.Result.IMPORTED && !each.found().isSchedule()) {
                jobs.add(Objects.requireNonNull(each.request()));
            }
            done.add(each);
        }
        if (!jobs.isEmpty()) {
            List<EnqueueResult> unused = queue.within(connection).enqueueEach(jobs);
        }
        return done;
    }

    private boolean added(Connection connection, PlannedRow schedule) {
        Timetable timetable = Objects.requireNonNull(schedule.found().timetable());
        return queue.schedules()
                .add(
                        connection,
                        timetable.schedule(),
                        Objects.requireNonNull(schedule.request()),
                        timetable.recurrence(),
                        timetable.missed(),
                        timetable.overlap(),
                        timetable.first());
    }

    private boolean enqueued(Connection connection, PlannedRow job) {
        return queue.within(connection).enqueue(Objects.requireNonNull(job.request()))
                instanceof EnqueueResult.Inserted;
    }

    /** Returns a line for each schedule and each refusal, and one per group of similar jobs. */
    private static List<ImportLine> lines(List<PlannedRow> done) {
        List<ImportLine> lines = new ArrayList<>();
        Map<List<Object>, Integer> alike = new LinkedHashMap<>();
        for (PlannedRow each : done) {
            ImportLine line = each.line();
            if (line.what() == ImportLine.What.SCHEDULE || line.result() == ImportLine.Result.REFUSED) {
                lines.add(line);
                continue;
            }
            List<Object> group = List.of(line.name(), String.valueOf(line.kind()), line.result());
            Integer at = alike.get(group);
            if (at == null) {
                alike.put(group, lines.size());
                lines.add(line);
            } else {
                lines.set(at, together(lines.get(at), line));
            }
        }
        return lines;
    }

    private static ImportLine together(ImportLine one, ImportLine other) {
        String first = PlannedRow.earlier(one.when(), other.when());
        return new ImportLine(
                one.what(),
                null,
                one.name(),
                one.kind(),
                first,
                one.count() + other.count(),
                one.result(),
                Objects.equals(one.note(), other.note()) ? one.note() : null);
    }
}

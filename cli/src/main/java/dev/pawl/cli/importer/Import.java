package dev.pawl.cli.importer;

import dev.pawl.DatabaseException;
import dev.pawl.EnqueueOptions;
import dev.pawl.EnqueueResult;
import dev.pawl.JobQueue;
import dev.pawl.JobRequest;
import dev.pawl.internal.jdbc.Fault;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import javax.sql.DataSource;

/**
 * Brings what waits in another queue's tables into ours. What is taken over leaves the peer in the transaction in which it comes
 * here, so it is in one of them at every moment; what is copied stays there, and is copied once. Confined to one thread.
 */
public final class Import {
    private static final int AT_ONCE = 100;
    private static final int TRIES = 5;

    private final JobQueue queue;
    private final DataSource target;
    private final String uniqueKeys;
    private final Peer peer;
    private final boolean copy;

    /**
     * Where another queue keeps what it knows.
     *
     * @param peer quartz, db-scheduler or jobrunr
     * @param tables the prefix of its tables; for db-scheduler the table; null for the usual one
     * @param zone in which db-scheduler wrote moments, where the column has none
     * @param base64 whether its data that is neither JSON nor serialized Java is taken as a text
     */
    public record Source(
            String peer, @org.jspecify.annotations.Nullable String tables, ZoneId zone, boolean base64) {
        Peer open() {
            return switch (peer) {
                case "quartz" -> new Quartz(tables == null ? "QRTZ_" : tables);
                case "jobrunr" -> new JobRunr(tables == null ? "" : tables);
                case "db-scheduler" -> new DbScheduler(tables == null ? "scheduled_tasks" : tables, zone, base64);
                default -> throw new IllegalArgumentException(peer);
            };
        }
    }

    /**
     * @param queue on the database to import into
     * @param target its pool, of two connections or more
     * @param uniqueKeys our table of unique keys, as statements name it
     * @param source the peer
     * @param copy whether the peer keeps its rows; if not, they must be in the same database
     */
    public Import(JobQueue queue, DataSource target, String uniqueKeys, Source source, boolean copy) {
        this.queue = queue;
        this.target = target;
        this.uniqueKeys = uniqueKeys;
        this.peer = source.open();
        this.copy = copy;
    }

    /**
     * @param from a connection to the peer's tables
     * @param kinds by the peer's names
     * @param options of every job
     * @param dryRun whether to change nothing
     * @return what became of what was found, or would become of it
     * @throws SQLException if the peer's tables cannot be read, or a database fails; what was imported until then stays, and
     *     another import goes on from there
     */
    public List<Line> run(Connection from, Map<String, String> kinds, EnqueueOptions options, boolean dryRun)
            throws SQLException {
        List<Planned> plan = plan(from, kinds, options);
        List<Planned> done = new ArrayList<>();
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

    private List<Planned> plan(Connection from, Map<String, String> kinds, EnqueueOptions options) throws SQLException {
        try (Connection connection = target.getConnection()) {
            Ledger ledger = Ledger.read(connection, uniqueKeys, peer.word());
            return new Plan(ledger, queue.schedules().list(), kinds, options, copy).of(peer.read(from));
        }
    }

    /** One transaction, again if others were in its way. */
    private List<Planned> written(List<Planned> part) throws SQLException {
        for (int tried = 1; ; tried++) {
            try (Connection connection = target.getConnection()) {
                connection.setAutoCommit(false);
                if (!connection.getMetaData().getDatabaseProductName().equals("SQLite")) {
                    connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED); // no locks of gaps
                }
                try {
                    List<Planned> done = copy ? copied(connection, part) : taken(connection, part);
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

    private List<Planned> copied(Connection connection, List<Planned> part) {
        List<Planned> done = new ArrayList<>();
        for (Planned each : part) {
            boolean isNew = each.result() == Line.Result.IMPORTED
                    && (each.found().isSchedule() ? added(connection, each) : enqueued(connection, each));
            done.add(
                    each.result() == Line.Result.IMPORTED && !isNew
                            ? each.as(Line.Result.ALREADY, "somebody else has imported it meanwhile")
                            : each);
        }
        return done;
    }

    private List<Planned> taken(Connection connection, List<Planned> part) throws SQLException {
        List<Planned> done = new ArrayList<>();
        List<JobRequest> jobs = new ArrayList<>();
        for (Planned each : part) {
            boolean leaves = each.result() != Line.Result.REFUSED
                    && (each.result() != Line.Result.ALREADY || each.found().isSchedule());
            if (leaves && !peer.take(connection, each.found())) {
                done.add(each.as(Line.Result.REFUSED, "it has changed meanwhile: import again"));
                continue;
            }
            if (each.result() == Line.Result.IMPORTED && each.found().isSchedule() && !added(connection, each)) {
                throw new SQLException("somebody else has added a schedule meanwhile: import again");
            }
            if (each.result() == Line.Result.IMPORTED && !each.found().isSchedule()) {
                jobs.add(Objects.requireNonNull(each.request()));
            }
            done.add(each);
        }
        if (!jobs.isEmpty()) {
            List<EnqueueResult> unused = queue.enqueueEach(connection, jobs);
        }
        return done;
    }

    private boolean added(Connection connection, Planned schedule) {
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

    private boolean enqueued(Connection connection, Planned job) {
        return queue.enqueue(connection, Objects.requireNonNull(job.request())) instanceof EnqueueResult.Inserted;
    }

    /** A line for each schedule and each refusal, and one for all jobs alike. */
    private static List<Line> lines(List<Planned> done) {
        List<Line> lines = new ArrayList<>();
        Map<List<Object>, Integer> alike = new LinkedHashMap<>();
        for (Planned each : done) {
            Line line = each.line();
            if (line.what() == Line.What.SCHEDULE || line.result() == Line.Result.REFUSED) {
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

    private static Line together(Line one, Line other) {
        String first = Line.earlier(one.when(), other.when());
        return new Line(
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

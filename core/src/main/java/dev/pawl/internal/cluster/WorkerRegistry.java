package dev.pawl.internal.cluster;

import dev.pawl.admin.WorkerInfo;
import dev.pawl.api.JobState;
import dev.pawl.api.WorkerCommand;
import dev.pawl.internal.codec.JsonStrings;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Micros;
import dev.pawl.internal.jdbc.RowStates;
import dev.pawl.internal.jdbc.Sql;
import dev.pawl.internal.jdbc.SqlWork;
import dev.pawl.internal.place.JobPlaces;
import dev.pawl.internal.place.PlaceSql;
import dev.pawl.internal.store.QueueAndKind;
import dev.pawl.internal.store.WorkerDirectory;
import dev.pawl.internal.store.WorkerRequest;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The rows of {@code pawl_worker}, one for each worker that was started. A process may have several workers. */
public final class WorkerRegistry implements WorkerDirectory {
    private static final Duration ALIVE = Duration.ofMinutes(1);

    private final Database database;
    private final Dialect dialect;
    private final DueJobs dueJobs;
    private final Runnable afterRegistration;
    private volatile boolean isTest;
    /** Rows written by this process, whose workers have not stopped. */
    private final Map<Long, WorkerRow> own = new ConcurrentHashMap<>();

    /**
     * @param database the pool and the dialect
     */
    public WorkerRegistry(Database database) {
        this(database, () -> {});
    }

    /**
     * @param database the pool and the dialect
     * @param afterRegistration called after the row of a worker was written, except in tests; does not throw
     */
    public WorkerRegistry(Database database, Runnable afterRegistration) {
        this.database = database;
        this.afterRegistration = afterRegistration;
        this.dialect = database.dialect();
        this.dueJobs = new DueJobs(dialect);
    }

    @Override
    public long register(
            String name,
            List<String> queues,
            List<String> kinds,
            int concurrency,
            int maxConcurrency,
            Map<String, String> schedules)
            throws SQLException {
        long now = System.nanoTime();
        while (true) {
            WorkerRow row =
                    new WorkerRow(WorkerRow.draw(), name, queues, kinds, concurrency, maxConcurrency, schedules, now);
            if (database.transaction(connection -> row.insert(connection, dialect))) {
                own.put(row.id(), row);
                if (!isTest) {
                    afterRegistration.run();
                }
                return row.id();
            }
        }
    }

    @Override
    public void onlyForTests() {
        isTest = true;
    }

    /** Updates the row of a worker. If the database has lost it, inserts it again first. */
    private void update(long workerId, String sql, @Nullable Object... values) throws SQLException {
        Sql change = dialect.statement(sql);
        SqlWork<Integer> update =
                connection -> change.on(connection, values).bind(workerId).update();
        if (database.transaction(update) == 0 && restoreIfMissing(workerId)) {
            int unused = database.transaction(update);
        }
    }

    /** {@return whether the row was missing} Some servers do not count a row that an update left unchanged. */
    private boolean restoreIfMissing(long workerId) throws SQLException {
        WorkerRow row = own.get(workerId);
        return row != null && database.transaction(connection -> row.insertAgain(connection, dialect));
    }

    /**
     * Runs one statement for each queue that has rows, with the name of the previous queue as its parameter. In a single statement, the
     * name would come from an outer row, and MySQL and MariaDB would read all entries of the index.
     */
    @Override
    public Set<String> waitingQueues(Predicate<String> wanted) throws SQLException {
        return database.autocommit(connection -> {
            Set<String> names = new HashSet<>();
            for (PlaceSql place : JobPlaces.sql()) {
                names.addAll(dialect.statement(place.queues()).on(connection).strings());
            }
            for (JobState state : RowStates.waiting()) {
                addQueues(connection, state, names);
            }
            names.removeIf(wanted.negate());
            return names;
        });
    }

    /** The condition is that of {@link RowStates#along}: with another one, SQLite and PostgreSQL would use no index. */
    private void addQueues(Connection connection, JobState state, Set<String> names) throws SQLException {
        String next = dialect.sql("SELECT MIN(queue) FROM pawl_job WHERE " + RowStates.along(state) + " AND queue > ?");
        try (PreparedStatement statement = connection.prepareStatement(next)) {
            @Nullable String after = "";
            while (after != null) {
                statement.setString(1, after);
                try (ResultSet row = statement.executeQuery()) {
                    row.next();
                    after = row.getString(1);
                }
                if (after != null) {
                    names.add(after);
                }
            }
        }
    }

    @Override
    public Due dueQueues(String after, Set<String> kinds) throws SQLException {
        return database.autocommit(connection -> dueJobs.after(connection, after, kinds));
    }

    @Override
    public void claimsFrom(long workerId, List<String> queues) throws SQLException {
        own.computeIfPresent(workerId, (id, row) -> row.queues(queues));
        update(workerId, "UPDATE pawl_worker SET queues = ? WHERE id = ?", JsonStrings.write(queues));
    }

    @Override
    public WorkerRequest heartbeat(long workerId, @Nullable String runs) throws SQLException {
        touch("heartbeat_at", workerId, runs);
        return database.autocommit(connection -> request(connection, workerId));
    }

    /** Sets the time of the heartbeat to the end of the suspension. */
    @Override
    public void suspended(long workerId, Duration length) throws SQLException {
        String sql = "UPDATE pawl_worker SET heartbeat_at = " + dialect.nowPlusMicros() + " WHERE id = ?";
        update(workerId, sql, Micros.of(length));
    }

    private WorkerRequest request(Connection connection, long workerId) throws SQLException {
        Sql sql = dialect.statement("SELECT command, wanted_concurrency FROM pawl_worker WHERE id = ?");
        return sql.on(connection, workerId)
                .first(row -> new WorkerRequest(command(row.getInt("command")), number(row, "wanted_concurrency")))
                .orElse(WorkerRequest.NONE);
    }

    private static @Nullable Integer number(ResultSet row, String column) throws SQLException {
        int number = row.getInt(column);
        return row.wasNull() ? null : number;
    }

    @Override
    public void scaled(long workerId, int concurrency, int wanted) throws SQLException {
        String sql = """
                UPDATE pawl_worker SET concurrency = ?,
                       wanted_concurrency = CASE WHEN wanted_concurrency = ? THEN NULL ELSE wanted_concurrency END
                 WHERE id = ?
                """;
        own.computeIfPresent(workerId, (id, row) -> row.concurrency(concurrency));
        update(workerId, sql, concurrency, wanted);
    }

    /**
     * Requests a number of handlers that a worker may run at once.
     *
     * @return false if it has stopped, or its maximum is lower
     */
    public boolean scale(long workerId, int concurrency) throws SQLException {
        return change("wanted_concurrency", concurrency, workerId, concurrency);
    }

    /**
     * Writes a column of a working worker. The row is found by a read, because a driver may count only rows whose values an update changes.
     *
     * @param least what its maximum concurrency must be at least
     */
    private boolean change(String column, int value, long workerId, int least) throws SQLException {
        Sql find = dialect.statement(
                "SELECT 1 FROM pawl_worker WHERE id = ? AND stopped_at IS NULL AND max_concurrency >= ? "
                        + dialect.forUpdate());
        Sql write = dialect.statement("UPDATE pawl_worker SET " + column + " = ? WHERE id = ?");
        return database.transaction(connection -> {
            boolean isFound = find.on(connection, workerId, least).exists();
            if (isFound) {
                write.on(connection, value, workerId).run();
            }
            return isFound;
        });
    }

    private static WorkerCommand command(int written) {
        return switch (written) {
            case 1 -> WorkerCommand.QUIET;
            case 2 -> WorkerCommand.STOP;
            default -> WorkerCommand.WORK; // null is 0
        };
    }

    /** {@return false if there is no such worker, or it has stopped} */
    public boolean command(long workerId, WorkerCommand command) throws SQLException {
        int code = switch (command) {
            case WORK -> 0;
            case QUIET -> 1;
            case STOP -> 2;
        };
        return change("command", code, workerId, 0);
    }

    @Override
    public void stopped(long workerId, @Nullable String runs) throws SQLException {
        touch("stopped_at", workerId, runs);
        own.remove(workerId);
    }

    /**
     * Records the jobs that a worker is about to start. Handlers wait for it, so it is one statement, without round
     * trips to begin and end a transaction.
     */
    @Override
    public void logStarts(long workerId, String startedLeases, Duration timeout) throws SQLException {
        Sql sql = dialect.statement("UPDATE pawl_worker SET started_leases = ? WHERE id = ?");
        SqlWork<Integer> update =
                connection -> sql.on(connection, startedLeases, workerId).update();
        if (database.limited(timeout).statement(update) == 0 && restoreIfMissing(workerId)) {
            int unused = database.limited(timeout).statement(update);
        }
    }

    private void touch(String moment, long workerId, @Nullable String runs) throws SQLException {
        update(workerId, "UPDATE pawl_worker SET " + moment + " = " + dialect.now() + ", runs = ? WHERE id = ?", runs);
    }

    /** {@return how many workers are alive} */
    public int live() throws SQLException {
        Sql sql = dialect.statement("SELECT COUNT(*) FROM pawl_worker WHERE stopped_at IS NULL AND heartbeat_at > "
                + dialect.nowPlusMicros());
        return database.autocommit(
                connection -> sql.on(connection, -Micros.of(ALIVE)).one(row -> row.getInt(1)));
    }

    /** {@return all workers, live ones first, then the newest} */
    public List<WorkerInfo> list(Connection connection) throws SQLException {
        Sql sql = dialect.statement("""
                SELECT w.id, w.name, w.queues, w.kinds, w.concurrency, w.max_concurrency,
                       w.wanted_concurrency, w.started_at, w.heartbeat_at, w.stopped_at, w.command,
                       CASE WHEN w.stopped_at IS NULL AND w.heartbeat_at > %s THEN 1 ELSE 0 END AS alive,
                       CASE WHEN w.stopped_at IS NULL AND w.heartbeat_at > %s THEN 1 ELSE 0 END AS suspended,
                       COALESCE(r.jobs, 0)%s AS running
                  FROM pawl_worker w
                  LEFT JOIN (SELECT leased_by, COUNT(*) AS jobs FROM pawl_job WHERE %s GROUP BY leased_by) r
                    ON r.leased_by = w.id
                 ORDER BY alive DESC, w.started_at DESC, w.id DESC
                """.formatted(
                        dialect.nowPlusMicros(),
                        dialect.now(),
                        JobPlaces.sql().stream()
                                .map(place -> " + " + place.running("w.id", null))
                                .collect(Collectors.joining()),
                        RowStates.RUNS));
        return sql.on(connection, -Micros.of(ALIVE))
                .list(rows -> new WorkerInfo(
                        rows.getLong("id"),
                        rows.getString("name"),
                        JsonStrings.readAll(rows.getString("queues")),
                        JsonStrings.readAll(rows.getString("kinds")),
                        rows.getInt("concurrency"),
                        present(dialect.moment(rows, "started_at")),
                        present(dialect.moment(rows, "heartbeat_at")),
                        dialect.moment(rows, "stopped_at"),
                        rows.getInt("alive") == 1,
                        rows.getLong("running"),
                        command(rows.getInt("command")),
                        rows.getInt("max_concurrency"),
                        number(rows, "wanted_concurrency"),
                        rows.getInt("suspended") == 1));
    }

    @Override
    public List<QueueAndKind> uncovered() throws SQLException {
        return database.autocommit(connection -> new Coverage(dialect, liveKinds(connection)).uncovered(connection));
    }

    private List<Coverage.Worker> liveKinds(Connection connection) throws SQLException {
        Sql sql = dialect.statement("SELECT queues, kinds FROM pawl_worker WHERE stopped_at IS NULL AND heartbeat_at > "
                + dialect.nowPlusMicros());
        return sql.on(connection, -Micros.of(ALIVE))
                .list(row -> new Coverage.Worker(
                        Set.copyOf(JsonStrings.readAll(row.getString(1))),
                        Set.copyOf(JsonStrings.readAll(row.getString(2)))));
    }

    private static Instant present(@Nullable Instant moment) {
        return Objects.requireNonNull(moment, "a column that is NOT NULL");
    }
}

package dev.pawl.internal.schedule;

import dev.pawl.EnqueueOptions;
import dev.pawl.internal.codec.JsonStrings;
import dev.pawl.internal.enqueue.LiveJob;
import dev.pawl.internal.enqueue.LiveJobs;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Micros;
import dev.pawl.internal.store.Declaration;
import dev.pawl.schedule.Tick;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The statements over {@code pawl_schedule} and {@code pawl_tick}. */
final class ScheduleRows {
    private static final Duration ALIVE = Duration.ofMinutes(1);
    /** A program may declare thousands, some hundred each second. */
    private static final Duration TIME_TO_DECLARE = Duration.ofMinutes(1);
    /** How many of its last ticks a schedule keeps, about. */
    private static final int KEPT_TICKS = 1_000;

    private final Dialect dialect;

    ScheduleRows(Dialect dialect) {
        this.dialect = dialect;
    }

    private PreparedStatement prepare(Connection connection, String sql) throws SQLException {
        return connection.prepareStatement(dialect.sql(sql));
    }

    Instant now(Connection connection) throws SQLException {
        try (PreparedStatement statement = prepare(connection, "SELECT " + dialect.micros(dialect.now()));
                ResultSet row = statement.executeQuery()) {
            row.next();
            return Instant.EPOCH.plus(row.getLong(1), ChronoUnit.MICROS);
        }
    }

    List<ScheduleRow> all(Connection connection) throws SQLException {
        try (PreparedStatement statement =
                prepare(connection, "SELECT " + ScheduleRow.COLUMNS + " FROM pawl_schedule ORDER BY name")) {
            return read(statement);
        }
    }

    @Nullable
    ScheduleRow find(Connection connection, String name) throws SQLException {
        return one(connection, name, "");
    }

    /** Locks it until the transaction ends. */
    @Nullable
    ScheduleRow lock(Connection connection, String name) throws SQLException {
        return one(connection, name, dialect.forUpdate());
    }

    /** Null if somebody else has locked it. */
    @Nullable
    ScheduleRow lockUnlessLocked(Connection connection, String name) throws SQLException {
        return one(connection, name, dialect.skipLocked());
    }

    private @Nullable ScheduleRow one(Connection connection, String name, String lock) throws SQLException {
        try (PreparedStatement statement =
                prepare(connection, "SELECT " + ScheduleRow.COLUMNS + " FROM pawl_schedule WHERE name = ? " + lock)) {
            statement.setString(1, name);
            List<ScheduleRow> rows = read(statement);
            return rows.isEmpty() ? null : rows.get(0);
        }
    }

    private List<ScheduleRow> read(PreparedStatement statement) throws SQLException {
        List<ScheduleRow> schedules = new ArrayList<>();
        try (ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                schedules.add(ScheduleRow.of(dialect, rows));
            }
        }
        return schedules;
    }

    /** {@return false if there is one with its name} */
    boolean insert(Connection connection, Declaration schedule, boolean byHand, Instant first) throws SQLException {
        dialect.requireFits(connection, schedule.job().payload());
        String sql = dialect.insertIfMissing("""
                pawl_schedule (name, kind, queue, priority, max_attempts, tags, headers, payload, recurrence, missed, overlap,
                               own_days, declared, next_at, look_at, created_at)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, %1$s, %1$s, %2$s)
                """.formatted(dialect.moment(), dialect.now()));
        try (PreparedStatement statement = prepare(connection, sql)) {
            statement.setString(1, schedule.name());
            int index = bind(statement, 2, schedule, schedule.recurrence().toString());
            statement.setString(index++, byHand ? null : schedule.recurrence().toString());
            dialect.bind(statement, index++, first);
            dialect.bind(statement, index, first);
            return statement.executeUpdate() == 1;
        }
    }

    private static int bind(PreparedStatement statement, int start, Declaration schedule, String recurrence)
            throws SQLException {
        int index = start;
        EnqueueOptions options = schedule.job().options();
        statement.setString(index++, schedule.job().kind());
        statement.setString(index++, options.queue());
        statement.setInt(index++, options.priority());
        statement.setInt(index++, options.maxAttempts());
        statement.setString(index++, JsonStrings.tags(options.tags()));
        statement.setString(index++, JsonStrings.headers(options.headers()));
        statement.setString(index++, schedule.job().payload());
        statement.setString(index++, recurrence);
        statement.setInt(index++, schedule.missed().most());
        statement.setString(index++, ScheduleRow.word(schedule.overlap()));
        statement.setInt(index++, schedule.excluded() != null ? 1 : 0);
        return index;
    }

    /** A program declares it otherwise than before. */
    void redeclare(Connection connection, ScheduleRow before, Declaration schedule, String inForce, String declared)
            throws SQLException {
        dialect.requireFits(connection, schedule.job().payload());
        try (PreparedStatement statement = prepare(connection, """
                UPDATE pawl_schedule
                   SET kind = ?, queue = ?, priority = ?, max_attempts = ?, tags = ?, headers = ?, payload = ?, recurrence = ?,
                       missed = ?, overlap = ?, own_days = ?, declared = ?, revision = revision + 1
                 WHERE name = ? AND revision = ?
                """)) {
            int index = bind(statement, 1, schedule, inForce);
            statement.setString(index++, declared);
            statement.setString(index++, before.name());
            statement.setLong(index, before.revision());
            expectOne(statement.executeUpdate(), before);
        }
    }

    /**
     * Where a schedule goes on.
     *
     * @param nextAt the next tick; null if only the end of a job tells
     * @param lookAt when to look; null to rest
     * @param isWaiting whether the next tick is past and waits for the end of the last job
     * @param lastTick the tick of the last job
     * @param lastJobId the last job
     */
    record Position(
            @Nullable Instant nextAt,
            @Nullable Instant lookAt,
            boolean isWaiting,
            @Nullable Instant lastTick,
            @Nullable Long lastJobId) {}

    void move(Connection connection, ScheduleRow before, Position to) throws SQLException {
        String sql = """
                UPDATE pawl_schedule
                   SET next_at = %s, look_at = %s, waiting = ?, last_tick = %s, last_job_id = ?, revision = revision + 1
                 WHERE name = ? AND revision = ?
                """.formatted(moment(to.nextAt), moment(to.lookAt), moment(to.lastTick));
        try (PreparedStatement statement = prepare(connection, sql)) {
            int index = bind(statement, 1, to.nextAt);
            index = bind(statement, index, to.lookAt);
            statement.setInt(index++, to.isWaiting ? 1 : 0);
            index = bind(statement, index, to.lastTick);
            statement.setObject(index++, to.lastJobId, java.sql.Types.BIGINT);
            statement.setString(index++, before.name());
            statement.setLong(index, before.revision());
            expectOne(statement.executeUpdate(), before);
        }
    }

    private String moment(@Nullable Instant moment) {
        return moment == null ? "NULL" : dialect.moment();
    }

    private int bind(PreparedStatement statement, int index, @Nullable Instant moment) throws SQLException {
        if (moment == null) {
            return index;
        }
        dialect.bind(statement, index, moment);
        return index + 1;
    }

    /**
     * What is due next, and when to look for that; null while the end of a job tells.
     *
     * @param next the next tick
     * @param look when to look
     */
    record Due(@Nullable Instant next, Instant look) {}

    void changeRecurrence(Connection connection, ScheduleRow before, String recurrence, Due due) throws SQLException {
        boolean paused = before.pausedAt() != null;
        String sql = """
                UPDATE pawl_schedule
                   SET recurrence = ?, next_at = %s, look_at = %s, waiting = 0, revision = revision + 1
                 WHERE name = ? AND revision = ?
                """.formatted(moment(paused ? null : due.next), moment(paused ? null : due.look));
        try (PreparedStatement statement = prepare(connection, sql)) {
            statement.setString(1, recurrence);
            int index = bind(statement, 2, paused ? null : due.next);
            index = bind(statement, index, paused ? null : due.look);
            statement.setString(index++, before.name());
            statement.setLong(index, before.revision());
            expectOne(statement.executeUpdate(), before);
        }
    }

    void pause(Connection connection, ScheduleRow before) throws SQLException {
        try (PreparedStatement statement = prepare(
                connection,
                "UPDATE pawl_schedule SET paused_at = " + dialect.now()
                        + ", next_at = NULL, look_at = NULL, waiting = 0, revision = revision + 1"
                        + " WHERE name = ? AND revision = ?")) {
            statement.setString(1, before.name());
            statement.setLong(2, before.revision());
            expectOne(statement.executeUpdate(), before);
        }
    }

    void resume(Connection connection, ScheduleRow before, Due due) throws SQLException {
        try (PreparedStatement statement = prepare(
                connection,
                "UPDATE pawl_schedule SET paused_at = NULL, next_at = %s, look_at = %s, revision = revision + 1"
                                .formatted(moment(due.next), moment(due.look))
                        + " WHERE name = ? AND revision = ?")) {
            int index = bind(statement, bind(statement, 1, due.next), due.look);
            statement.setString(index++, before.name());
            statement.setLong(index, before.revision());
            expectOne(statement.executeUpdate(), before);
        }
    }

    boolean delete(Connection connection, String name) throws SQLException {
        try (PreparedStatement ticks = prepare(connection, "DELETE FROM pawl_tick WHERE schedule = ?");
                PreparedStatement schedule = prepare(connection, "DELETE FROM pawl_schedule WHERE name = ?")) {
            schedule.setString(1, name);
            boolean there = schedule.executeUpdate() == 1;
            ticks.setString(1, name);
            ticks.executeUpdate();
            return there;
        }
    }

    /** Its key is what makes a tick happen once. */
    void insertTick(Connection connection, String schedule, Instant tick, Tick.Outcome outcome, @Nullable Long jobId)
            throws SQLException {
        try (PreparedStatement statement = prepare(
                connection,
                "INSERT INTO pawl_tick (schedule, tick, looked_at, outcome, job_id) VALUES (?, " + dialect.moment()
                        + ", " + dialect.now() + ", ?, ?)")) {
            statement.setString(1, schedule);
            dialect.bind(statement, 2, tick);
            statement.setString(3, ScheduleRow.word(outcome));
            statement.setObject(4, jobId, java.sql.Types.BIGINT);
            statement.executeUpdate();
        }
    }

    boolean hasTick(Connection connection, String schedule, Instant tick) throws SQLException {
        try (PreparedStatement statement =
                prepare(connection, "SELECT 1 FROM pawl_tick WHERE schedule = ? AND tick = " + dialect.moment())) {
            statement.setString(1, schedule);
            dialect.bind(statement, 2, tick);
            try (ResultSet row = statement.executeQuery()) {
                return row.next();
            }
        }
    }

    List<Tick> ticks(Connection connection, String schedule, int limit) throws SQLException {
        List<Tick> ticks = new ArrayList<>();
        try (PreparedStatement statement = prepare(
                connection,
                "SELECT tick, looked_at, outcome, job_id FROM pawl_tick WHERE schedule = ? ORDER BY tick DESC LIMIT "
                        + limit)) {
            statement.setString(1, schedule);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    long job = rows.getLong(4);
                    ticks.add(new Tick(
                            Objects.requireNonNull(dialect.moment(rows, "tick")),
                            Objects.requireNonNull(dialect.moment(rows, "looked_at")),
                            ScheduleRow.of(Tick.Outcome.class, rows.getString(3)),
                            job == 0 ? null : Long.valueOf(job)));
                }
            }
        }
        return ticks;
    }

    /** Deletes what is older than the last thousand ticks. */
    void forgetTicks(Connection connection, String schedule) throws SQLException {
        Instant oldest = null;
        try (PreparedStatement statement = prepare(
                connection,
                "SELECT tick FROM pawl_tick WHERE schedule = ? ORDER BY tick DESC LIMIT 1 OFFSET " + KEPT_TICKS)) {
            statement.setString(1, schedule);
            try (ResultSet row = statement.executeQuery()) {
                if (row.next()) {
                    oldest = dialect.moment(row, "tick");
                }
            }
        }
        if (oldest != null) {
            try (PreparedStatement statement =
                    prepare(connection, "DELETE FROM pawl_tick WHERE schedule = ? AND tick <= " + dialect.moment())) {
                statement.setString(1, schedule);
                dialect.bind(statement, 2, oldest);
                statement.executeUpdate();
            }
        }
    }

    /**
     * How the last job of a schedule stands, which has a row of its own, because it has a unique key.
     *
     * @param isLive whether it has not ended
     * @param finishedAt when it ended; null if that is not known any more
     */
    record Last(boolean isLive, @Nullable Instant finishedAt) {}

    Last last(Connection connection, long jobId) throws SQLException {
        try (PreparedStatement live = prepare(
                connection, "SELECT " + LiveJobs.columns(dialect) + ", lease_expires_at FROM pawl_job WHERE id = ?")) {
            live.setLong(1, jobId);
            try (ResultSet row = live.executeQuery()) {
                if (row.next()) { // a job that is marked as completed has the time of the mark where its lease was
                    LiveJob.Expired expired = LiveJobs.read(dialect, row).expired();
                    if (expired != null) { // it is not cancelled yet, but will not run
                        return new Last(false, expired.at());
                    }
                    boolean ended = row.getInt(2) > 1;
                    return new Last(!ended, ended ? dialect.moment(row, "lease_expires_at") : null);
                }
            }
        }
        try (PreparedStatement finished =
                prepare(connection, "SELECT finished_at FROM pawl_job_history WHERE id = ?")) {
            finished.setLong(1, jobId);
            try (ResultSet row = finished.executeQuery()) {
                return new Last(false, row.next() ? dialect.moment(row, "finished_at") : null);
            }
        }
    }

    /** {@return what live workers declare} */
    LiveDeclarations declaredByTheLiving(Connection connection) throws SQLException {
        return declaredByTheLiving(connection, "", List.of());
    }

    /** {@return what live workers declare, of those that started long enough ago for the database to have it} */
    LiveDeclarations longDeclared(Connection connection) throws SQLException {
        return declaredByTheLiving(
                connection, " AND started_at < " + dialect.nowPlusMicros(), List.of(-Micros.of(TIME_TO_DECLARE)));
    }

    /** {@return when the worker started that started last, in microseconds since 1970} */
    long newestWorker(Connection connection) throws SQLException {
        try (PreparedStatement statement =
                        prepare(connection, "SELECT MAX(" + dialect.micros("started_at") + ") FROM pawl_worker");
                ResultSet row = statement.executeQuery()) {
            row.next();
            return row.getLong(1);
        }
    }

    private LiveDeclarations declaredByTheLiving(Connection connection, String condition, List<Long> values)
            throws SQLException {
        LiveDeclarations living = new LiveDeclarations();
        try (PreparedStatement statement = prepare(
                connection,
                "SELECT schedules, " + dialect.micros("started_at")
                        + " FROM pawl_worker WHERE schedules IS NOT NULL AND stopped_at IS NULL AND heartbeat_at > "
                        + dialect.nowPlusMicros() + condition)) {
            statement.setLong(1, -Micros.of(ALIVE));
            for (int i = 0; i < values.size(); i++) {
                statement.setLong(i + 2, values.get(i));
            }
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    living.add(rows.getLong(2), ScheduleForms.read(JsonStrings.readAll(rows.getString(1))));
                }
            }
        }
        return living;
    }

    private static void expectOne(int changed, ScheduleRow before) throws SQLException {
        if (changed != 1) {
            throw new SQLException("schedule " + before.name() + " was changed meanwhile", "40001");
        }
    }
}

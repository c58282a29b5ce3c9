package dev.pawl.internal.schedule;

import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.JobState;
import dev.pawl.api.Tick;
import dev.pawl.internal.codec.JsonStrings;
import dev.pawl.internal.enqueue.JobColumns;
import dev.pawl.internal.enqueue.LiveJobs;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Micros;
import dev.pawl.internal.jdbc.Sql;
import dev.pawl.internal.store.Declaration;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The statements on {@code pawl_schedule} and {@code pawl_tick}. */
final class ScheduleRows {
    private static final Duration ALIVE = Duration.ofMinutes(1);
    /** How long a starting worker may need to write its declarations: a program may declare thousands, at some hundred each second. */
    private static final Duration TIME_TO_DECLARE = Duration.ofMinutes(1);
    /** Approximate number of ticks that a schedule keeps. */
    private static final int KEPT_TICKS = 1_000;

    private final Dialect dialect;

    ScheduleRows(Dialect dialect) {
        this.dialect = dialect;
    }

    private Sql.Bound on(Connection connection, String sql, @Nullable Object... values) {
        return dialect.statement(sql).on(connection, values);
    }

    Instant now(Connection connection) throws SQLException {
        Sql sql = dialect.statement("SELECT " + dialect.micros(dialect.now()));
        return sql.on(connection).one(row -> Instant.EPOCH.plus(row.getLong(1), ChronoUnit.MICROS));
    }

    List<ScheduleRow> all(Connection connection) throws SQLException {
        Sql sql = dialect.statement("SELECT " + ScheduleRow.COLUMNS + " FROM pawl_schedule ORDER BY name");
        return sql.on(connection).list(row -> ScheduleRow.of(dialect, row));
    }

    @Nullable
    ScheduleRow find(Connection connection, String name) throws SQLException {
        return one(connection, name, "");
    }

    /** Locks a schedule until the transaction ends. Null if there is none. */
    @Nullable
    ScheduleRow lock(Connection connection, String name) throws SQLException {
        return one(connection, name, dialect.forUpdate());
    }

    /** Locks a schedule until the transaction ends. Null if there is none, or if another transaction has locked it. */
    @Nullable
    ScheduleRow lockUnlessLocked(Connection connection, String name) throws SQLException {
        return one(connection, name, dialect.skipLocked());
    }

    private @Nullable ScheduleRow one(Connection connection, String name, String lock) throws SQLException {
        Sql sql = dialect.statement("SELECT " + ScheduleRow.COLUMNS + " FROM pawl_schedule WHERE name = ? " + lock);
        return sql.on(connection, name)
                .first(row -> ScheduleRow.of(dialect, row))
                .orElse(null);
    }

    /** {@return false if the name is already used} */
    boolean insert(Connection connection, Declaration schedule, boolean byHand, Instant first) throws SQLException {
        dialect.requireFits(connection, schedule.job().payload());
        Sql sql = dialect.statement(dialect.insertIfMissing("""
                pawl_schedule (name, kind, queue, priority, max_attempts, tags, headers, job_key, cost, expires_in, payload,
                               recurrence, missed, overlap, local_exclusions, declared, next_at, next_check_at, created_at)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, %1$s, %1$s, %2$s)
                """.formatted(dialect.moment(), dialect.now())));
        String recurrence = schedule.recurrence().toString();
        Sql.Bound insert = bind(sql.on(connection, schedule.name()), schedule, recurrence);
        return insert.bind(byHand ? null : recurrence, first, first).update() == 1;
    }

    private static Sql.Bound bind(Sql.Bound statement, Declaration schedule, String recurrence) {
        EnqueueOptions options = schedule.job().options();
        return statement
                .bind(schedule.job().kind(), options.queue(), options.priority(), options.maxAttempts())
                .bind(JsonStrings.tags(options.tags()), JsonStrings.headers(options.headers()))
                .bind(options.key(), JobColumns.cost(options), JobColumns.expiresIn(options))
                .bind(schedule.job().payload(), recurrence, schedule.missed().most())
                .bind(ScheduleRow.word(schedule.overlap()), schedule.excluded() != null);
    }

    /** Stores the new form of a schedule whose declaration a program has changed. */
    void redeclare(Connection connection, ScheduleRow before, Declaration schedule, String inForce, String declared)
            throws SQLException {
        dialect.requireFits(connection, schedule.job().payload());
        Sql sql = dialect.statement("""
                UPDATE pawl_schedule
                   SET kind = ?, queue = ?, priority = ?, max_attempts = ?, tags = ?, headers = ?, job_key = ?, cost = ?,
                       expires_in = ?, payload = ?, recurrence = ?, missed = ?, overlap = ?, local_exclusions = ?, declared = ?,
                       revision = revision + 1
                 WHERE name = ? AND revision = ?
                """);
        change(bind(sql.on(connection), schedule, inForce).bind(declared), before);
    }

    /**
     * The state from which a schedule continues.
     *
     * @param nextAt the next tick; null if it depends on the end of a job
     * @param nextCheckAt time of the next check; null while the schedule is paused, or if it has no further tick
     * @param isOverlapping whether the next tick is past and waits for the end of the last job
     * @param lastTick the tick of the last job
     * @param lastJobId the last job
     */
    record Position(
            @Nullable Instant nextAt,
            @Nullable Instant nextCheckAt,
            boolean isOverlapping,
            @Nullable Instant lastTick,
            @Nullable Long lastJobId) {}

    void move(Connection connection, ScheduleRow before, Position to) throws SQLException {
        Sql sql = dialect.statement("""
                UPDATE pawl_schedule
                   SET next_at = %s, next_check_at = %s, overlapping = ?, last_tick = %s, last_job_id = ?, revision = revision + 1
                 WHERE name = ? AND revision = ?
                """.formatted(moment(to.nextAt), moment(to.nextCheckAt), moment(to.lastTick)));
        Sql.Bound move = bind(sql.on(connection), to.nextAt, to.nextCheckAt).bind(to.isOverlapping);
        change(bind(move, to.lastTick).bind(to.lastJobId), before);
    }

    private String moment(@Nullable Instant moment) {
        return moment == null ? "NULL" : dialect.moment();
    }

    /** Binds the times for which {@link #moment} has placeholders. */
    private static Sql.Bound bind(Sql.Bound statement, @Nullable Instant... moments) {
        return statement.bind(Stream.of(moments).filter(Objects::nonNull).toArray());
    }

    /**
     * The next tick and the time of the next check.
     *
     * @param next the next tick; null if it depends on the end of a job
     * @param nextCheckAt time of the next check
     */
    record Due(@Nullable Instant next, Instant nextCheckAt) {}

    void changeRecurrence(Connection connection, ScheduleRow before, String recurrence, Due due) throws SQLException {
        boolean paused = before.pausedAt() != null;
        Instant next = paused ? null : due.next;
        Instant nextCheckAt = paused ? null : due.nextCheckAt;
        Sql sql = dialect.statement("""
                UPDATE pawl_schedule
                   SET recurrence = ?, next_at = %s, next_check_at = %s, overlapping = FALSE, revision = revision + 1
                 WHERE name = ? AND revision = ?
                """.formatted(moment(next), moment(nextCheckAt)));
        change(bind(sql.on(connection, recurrence), next, nextCheckAt), before);
    }

    void pause(Connection connection, ScheduleRow before) throws SQLException {
        Sql sql = dialect.statement("UPDATE pawl_schedule SET paused_at = " + dialect.now()
                + ", next_at = NULL, next_check_at = NULL, overlapping = FALSE, revision = revision + 1"
                + " WHERE name = ? AND revision = ?");
        change(sql.on(connection), before);
    }

    void resume(Connection connection, ScheduleRow before, Due due) throws SQLException {
        Sql sql = dialect.statement(
                "UPDATE pawl_schedule SET paused_at = NULL, next_at = %s, next_check_at = %s, revision = revision + 1"
                                .formatted(moment(due.next), moment(due.nextCheckAt))
                        + " WHERE name = ? AND revision = ?");
        change(bind(sql.on(connection), due.next, due.nextCheckAt), before);
    }

    boolean delete(Connection connection, String name) throws SQLException {
        boolean there =
                on(connection, "DELETE FROM pawl_schedule WHERE name = ?", name).update() == 1;
        on(connection, "DELETE FROM pawl_tick WHERE schedule = ?", name).run();
        return there;
    }

    /** Records a tick. The primary key ensures that a tick is handled once. */
    void insertTick(Connection connection, String schedule, Instant tick, Tick.Outcome outcome, @Nullable Long jobId)
            throws SQLException {
        Sql sql = dialect.statement("INSERT INTO pawl_tick (schedule, tick, checked_at, outcome, job_id) VALUES (?, "
                + dialect.moment() + ", " + dialect.now() + ", ?, ?)");
        sql.on(connection, schedule, tick, ScheduleRow.word(outcome), jobId).run();
    }

    boolean hasTick(Connection connection, String schedule, Instant tick) throws SQLException {
        Sql sql = dialect.statement("SELECT 1 FROM pawl_tick WHERE schedule = ? AND tick = " + dialect.moment());
        return sql.on(connection, schedule, tick).exists();
    }

    List<Tick> ticks(Connection connection, String schedule, int limit) throws SQLException {
        Sql sql = dialect.statement(
                "SELECT tick, checked_at, outcome, job_id FROM pawl_tick WHERE schedule = ? ORDER BY tick DESC LIMIT "
                        + limit);
        return sql.on(connection, schedule).list(rows -> {
            long job = rows.getLong(4);
            return new Tick(
                    Objects.requireNonNull(dialect.moment(rows, "tick")),
                    Objects.requireNonNull(dialect.moment(rows, "checked_at")),
                    ScheduleRow.of(Tick.Outcome.class, rows.getString(3)),
                    job == 0 ? null : Long.valueOf(job));
        });
    }

    /** Deletes all but the last thousand ticks. */
    void forgetTicks(Connection connection, String schedule) throws SQLException {
        Sql kept = dialect.statement(
                "SELECT tick FROM pawl_tick WHERE schedule = ? ORDER BY tick DESC LIMIT 1 OFFSET " + KEPT_TICKS);
        Optional<Instant> oldest =
                kept.on(connection, schedule).first(row -> Objects.requireNonNull(dialect.moment(row, "tick")));
        if (oldest.isPresent()) {
            Sql sql = dialect.statement("DELETE FROM pawl_tick WHERE schedule = ? AND tick <= " + dialect.moment());
            sql.on(connection, schedule, oldest.get()).run();
        }
    }

    /**
     * The state of a schedule's last job, which has a row of its own, because it has a unique key.
     *
     * @param isLive whether it has not finished
     * @param finishedAt when it finished; null if that is unknown
     */
    record Last(boolean isLive, @Nullable Instant finishedAt) {}

    Last last(Connection connection, long jobId) throws SQLException {
        Sql live = dialect.statement(
                "SELECT " + LiveJobs.columns(dialect) + ", lease_expires_at FROM pawl_job WHERE id = ?");
        Optional<Last> last = live.on(connection, jobId).first(this::live);
        if (last.isPresent()) {
            return last.get();
        }
        return on(connection, "SELECT finished_at FROM pawl_job_history WHERE id = ?", jobId)
                .query(row -> new Last(false, row.next() ? dialect.moment(row, "finished_at") : null));
    }

    private Last live(ResultSet row) throws SQLException {
        Instant expired = LiveJobs.read(dialect, row).expiredAt();
        if (expired != null) { // not cancelled yet, but the job will not run
            return new Last(false, expired);
        }
        boolean ended = JobState.ofCode(row.getInt("state"))
                == JobState.COMPLETED; // if a job is marked as completed, its lease column has the time of the mark
        return new Last(!ended, ended ? dialect.moment(row, "lease_expires_at") : null);
    }

    /** {@return the schedules that live workers declare} */
    LiveDeclarations declaredByTheLiving(Connection connection) throws SQLException {
        return declaredByTheLiving(connection, "");
    }

    /** {@return the declarations of live workers that have had time to write them since their start} */
    LiveDeclarations longDeclared(Connection connection) throws SQLException {
        return declaredByTheLiving(
                connection, " AND started_at < " + dialect.nowPlusMicros(), -Micros.of(TIME_TO_DECLARE));
    }

    /** {@return the latest start of a worker, in microseconds since 1970} */
    long newestWorker(Connection connection) throws SQLException {
        Sql sql = dialect.statement("SELECT MAX(" + dialect.micros("started_at") + ") FROM pawl_worker");
        return sql.on(connection).one(row -> row.getLong(1));
    }

    private LiveDeclarations declaredByTheLiving(Connection connection, String condition, Object... values)
            throws SQLException {
        LiveDeclarations living = new LiveDeclarations();
        Sql sql = dialect.statement("SELECT schedules, " + dialect.micros("started_at")
                + " FROM pawl_worker WHERE schedules IS NOT NULL AND stopped_at IS NULL AND heartbeat_at > "
                + dialect.nowPlusMicros() + condition);
        sql.on(connection, -Micros.of(ALIVE))
                .bind(values)
                .each(row -> living.add(row.getLong(2), JsonStrings.readMap(row.getString(1))));
        return living;
    }

    /** Runs an update whose last placeholders are the name and the revision. */
    private static void change(Sql.Bound update, ScheduleRow before) throws SQLException {
        if (update.bind(before.name(), before.revision()).update() != 1) {
            throw new SQLException("schedule " + before.name() + " was changed by another transaction", "40001");
        }
    }
}

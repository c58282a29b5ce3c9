package dev.pawl.importer;

import dev.pawl.schedule.Missed;
import dev.pawl.schedule.Overlap;
import dev.pawl.schedule.Recurrence;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Imports from Quartz 2 with its JDBC store. A trigger with one firing left becomes a job, and a trigger that fires for ever becomes a
 * schedule. The payload has the data of the Quartz job and of the trigger.
 */
final class Quartz implements Peer {
    private static final String LOCK = "TRIGGER_ACCESS";
    private static final String KEY = " WHERE SCHED_NAME = ? AND TRIGGER_NAME = ? AND TRIGGER_GROUP = ?";
    private static final int USUAL_PRIORITY = 5;
    private static final int IGNORES_MISFIRES = -1;
    private static final int DOES_NOTHING = 2;
    /** Misfire instructions with which a simple trigger fires at once after missed ticks. */
    private static final Set<Integer> FIRE_NOW = Set.of(1, 2, 3);

    private static final List<String> KINDS_OF_TRIGGERS = List.of("SIMPLE", "CRON", "SIMPROP", "BLOB");

    private final String prefix;

    /** @param prefix of the tables, usually {@code QRTZ_} */
    Quartz(String prefix) {
        this.prefix = prefix;
    }

    @Override
    public String word() {
        return "quartz";
    }

    @Override
    public List<PeerRow> read(Connection connection) throws SQLException {
        return Rows.all(connection, """
                SELECT t.SCHED_NAME, t.TRIGGER_NAME, t.TRIGGER_GROUP, t.NEXT_FIRE_TIME, t.PRIORITY, t.TRIGGER_STATE,
                       t.TRIGGER_TYPE, t.END_TIME, t.CALENDAR_NAME, t.MISFIRE_INSTR, t.JOB_DATA AS TRIGGER_DATA,
                       t.JOB_NAME, t.JOB_GROUP, j.JOB_CLASS_NAME, j.IS_NONCONCURRENT, j.JOB_DATA AS OWN_DATA,
                       s.REPEAT_COUNT, s.REPEAT_INTERVAL, s.TIMES_TRIGGERED, c.CRON_EXPRESSION, c.TIME_ZONE_ID
                  FROM %1$sTRIGGERS t
                  JOIN %1$sJOB_DETAILS j ON j.SCHED_NAME = t.SCHED_NAME AND j.JOB_NAME = t.JOB_NAME
                       AND j.JOB_GROUP = t.JOB_GROUP
                  LEFT JOIN %1$sSIMPLE_TRIGGERS s ON s.SCHED_NAME = t.SCHED_NAME AND s.TRIGGER_NAME = t.TRIGGER_NAME
                       AND s.TRIGGER_GROUP = t.TRIGGER_GROUP
                  LEFT JOIN %1$sCRON_TRIGGERS c ON c.SCHED_NAME = t.SCHED_NAME AND c.TRIGGER_NAME = t.TRIGGER_NAME
                       AND c.TRIGGER_GROUP = t.TRIGGER_GROUP
                 WHERE t.TRIGGER_STATE NOT IN ('COMPLETE', 'DELETED')
                 ORDER BY t.SCHED_NAME, t.TRIGGER_GROUP, t.TRIGGER_NAME
                """.formatted(prefix), Quartz::trigger);
    }

    private static PeerRow trigger(ResultSet row) throws SQLException {
        String group = row.getString("TRIGGER_GROUP");
        String name = row.getString("TRIGGER_NAME");
        String id = row.getString("SCHED_NAME") + "/" + group + "." + name;
        String job = row.getString("JOB_CLASS_NAME");
        boolean recurs = row.getString("CRON_EXPRESSION") != null || left(row) != 1;
        try {
            requireMappable(row, recurs);
            int theirs = row.getInt("PRIORITY");
            int priority = row.wasNull() ? 0 : USUAL_PRIORITY - theirs;
            String payload = QuartzData.merged(row.getBytes("OWN_DATA"), row.getBytes("TRIGGER_DATA"));
            Instant next = Instant.ofEpochMilli(row.getLong("NEXT_FIRE_TIME"));
            List<Object> key = List.of(
                    row.getString("SCHED_NAME"),
                    name,
                    group,
                    next.toEpochMilli(),
                    row.getString("JOB_NAME"),
                    row.getString("JOB_GROUP"));
            return recurs
                    ? PeerRow.schedule(
                            key,
                            id,
                            job,
                            payload,
                            priority,
                            timetable(row, group.equals("DEFAULT") ? name : group + "." + name, next))
                    : PeerRow.job(key, id, job, payload, priority, next);
        } catch (RefusedException e) {
            return PeerRow.refused(recurs, id, job, String.valueOf(e.getMessage()));
        }
    }

    /** {@return how often a simple trigger will still fire; negative if for ever} */
    private static long left(ResultSet row) throws SQLException {
        Long repeats = Rows.number(row, "REPEAT_COUNT");
        return repeats == null || repeats < 0 ? -1 : repeats + 1 - row.getLong("TIMES_TRIGGERED");
    }

    private static void requireMappable(ResultSet row, boolean recurs) throws SQLException {
        String state = row.getString("TRIGGER_STATE");
        String type = row.getString("TRIGGER_TYPE");
        String calendar = row.getString("CALENDAR_NAME");
        Long end = Rows.number(row, "END_TIME");
        Long next = Rows.number(row, "NEXT_FIRE_TIME");
        if (state.startsWith("PAUSED")) {
            throw new RefusedException("it is paused: resume it there first, or remove it");
        }
        if (!state.equals("WAITING")) {
            throw new RefusedException("Quartz has it in the state " + state + ": import again when it is WAITING");
        }
        if (next == null || next <= 0) {
            throw new RefusedException("it will not fire again");
        }
        if (!type.equals("SIMPLE") && !type.equals("CRON")) {
            throw new RefusedException("it is a trigger of the type " + type + ", which has no equivalent here");
        }
        if (calendar != null) {
            throw new RefusedException("it leaves out the days of the calendar '" + calendar
                    + "', which here only a program can do: Schedule.excluding");
        }
        if (recurs && end != null && end > 0) {
            throw new RefusedException("it ends at " + Instant.ofEpochMilli(end) + ", and schedules have no end here");
        }
        if (type.equals("SIMPLE") && left(row) > 1) {
            throw new RefusedException("it fires " + left(row) + " times yet, and schedules go on for ever here");
        }
    }

    private static Timetable timetable(ResultSet row, String schedule, Instant next) throws SQLException {
        String cron = row.getString("CRON_EXPRESSION");
        int misfire = row.getInt("MISFIRE_INSTR");
        Overlap overlap = row.getBoolean("IS_NONCONCURRENT") ? Overlap.QUEUE : Overlap.ALLOW;
        Recurrence recurrence = cron == null
                ? every(row.getLong("REPEAT_INTERVAL"))
                : CronDialect.quartz(cron, CronDialect.zone(row.getString("TIME_ZONE_ID")));
        return new Timetable(schedule, recurrence, missed(misfire, cron != null, overlap), overlap, next);
    }

    private static Recurrence every(long millis) {
        try {
            return Recurrence.every(Duration.ofMillis(millis));
        } catch (IllegalArgumentException e) {
            throw new RefusedException("its interval has no equivalent here: " + e.getMessage());
        }
    }

    /** By default Quartz fires a cron trigger once for all missed ticks, but skips the missed ticks of a simple trigger. */
    private static Missed missed(int misfire, boolean cron, Overlap overlap) {
        if (misfire == IGNORES_MISFIRES) {
            if (overlap != Overlap.ALLOW) {
                throw new RefusedException("it makes up for every missed firing, one after the other");
            }
            return Missed.all(1000);
        }
        boolean now = cron ? misfire != DOES_NOTHING : FIRE_NOW.contains(misfire);
        return now ? Missed.ONCE : Missed.SKIP;
    }

    /** Uses the lock that a Quartz cluster has in the database. A single process has its lock in memory, so it should be stopped first. */
    @Override
    public boolean take(Connection connection, PeerRow found) throws SQLException {
        Object scheduler = found.key().get(0);
        Object[] key = found.key().subList(0, 3).toArray();
        if (Rows.change(
                        connection,
                        "UPDATE " + prefix + "LOCKS SET LOCK_NAME = LOCK_NAME WHERE SCHED_NAME = ? AND LOCK_NAME = ?",
                        scheduler,
                        LOCK)
                == 0) {
            int unused = Rows.change(
                    connection,
                    "INSERT INTO " + prefix + "LOCKS (SCHED_NAME, LOCK_NAME) VALUES (?, ?)",
                    scheduler,
                    LOCK);
        }
        boolean mine = Rows.change(
                        connection,
                        "UPDATE " + prefix + "TRIGGERS SET TRIGGER_STATE = 'DELETED'" + KEY
                                + " AND NEXT_FIRE_TIME = ? AND TRIGGER_STATE = 'WAITING'",
                        found.key().subList(0, 4).toArray())
                == 1;
        if (!mine) {
            return false;
        }
        for (String kind : KINDS_OF_TRIGGERS) {
            int unused = Rows.change(connection, "DELETE FROM " + prefix + kind + "_TRIGGERS" + KEY, key);
        }
        int unused = Rows.change(connection, "DELETE FROM " + prefix + "TRIGGERS" + KEY, key);
        forgetJob(connection, scheduler, found.key().get(4), found.key().get(5));
        return true;
    }

    /** A non-durable job is removed with its last trigger, unless Quartz may have to recover a run of it, which needs the job. */
    private void forgetJob(Connection connection, Object scheduler, Object name, Object group) throws SQLException {
        String job = " WHERE SCHED_NAME = ? AND JOB_NAME = ? AND JOB_GROUP = ?";
        boolean others = !Rows.all(
                        connection,
                        "SELECT TRIGGER_NAME FROM " + prefix + "TRIGGERS" + job,
                        row -> row.getString(1),
                        scheduler,
                        name,
                        group)
                .isEmpty();
        @Nullable
        Boolean durable = Rows.all(
                        connection,
                        "SELECT IS_DURABLE FROM " + prefix + "JOB_DETAILS" + job,
                        row -> (Boolean) row.getBoolean(1),
                        scheduler,
                        name,
                        group)
                .stream()
                .findFirst()
                .orElse(null);
        boolean isRecoverable = Rows.all(
                        connection,
                        "SELECT REQUESTS_RECOVERY FROM " + prefix + "FIRED_TRIGGERS" + job,
                        row -> (Boolean) row.getBoolean(1),
                        scheduler,
                        name,
                        group)
                .contains(true);
        if (!others && !isRecoverable && Objects.equals(durable, false)) {
            int unused = Rows.change(connection, "DELETE FROM " + prefix + "JOB_DETAILS" + job, scheduler, name, group);
        }
    }
}

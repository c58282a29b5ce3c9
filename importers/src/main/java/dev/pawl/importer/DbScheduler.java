package dev.pawl.importer;

import dev.pawl.importer.SerializedJava.Instance;
import dev.pawl.schedule.Missed;
import dev.pawl.schedule.Overlap;
import dev.pawl.schedule.Recurrence;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Base64;
import java.util.Calendar;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TimeZone;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Imports waiting executions of db-scheduler 10 to 16. The schedule of a recurring task is in the table only if it is persistent
 * (recurringWithPersistentSchedule); otherwise it is in the program.
 */
final class DbScheduler implements Peer {
    /** db-scheduler's name for the single execution of a recurring task. */
    private static final String STATIC = "recurring";

    private static final int USUAL_PRIORITY = 50;

    private final String table;
    private final ZoneId zone;
    private final boolean base64;

    /**
     * @param table its name
     * @param zone the time zone of db-scheduler's timestamps, if the column has none
     * @param base64 whether data that is neither JSON nor serialized Java is imported as text
     */
    DbScheduler(String table, ZoneId zone, boolean base64) {
        this.table = table;
        this.zone = zone;
        this.base64 = base64;
    }

    @Override
    public String word() {
        return "db-scheduler";
    }

    @Override
    public List<PeerRow> read(Connection connection) throws SQLException {
        // Version 15 added the priority; programs that do not use it may lack the column.
        return Rows.all(connection, "SELECT * FROM " + table + " ORDER BY task_name, task_instance", this::execution);
    }

    private PeerRow execution(ResultSet row) throws SQLException {
        String task = row.getString("task_name");
        String instance = row.getString("task_instance");
        String id = task + "/" + instance;
        if (row.getBoolean("picked")) {
            return PeerRow.refused(false, id, task, "db-scheduler runs it now: import again when it has ended");
        }
        List<Object> key = List.of(task, instance, row.getLong("version"));
        Instant due = due(row);
        byte[] data = row.getBytes("task_data");
        boolean recurs = instance.equals(STATIC);
        try {
            Persistent persistent = persistent(data);
            recurs |= persistent != null;
            if (persistent != null) {
                return PeerRow.schedule(
                        key,
                        id,
                        task,
                        persistent.payload(),
                        priority(row),
                        new Timetable(task + "." + instance, persistent.recurrence(), Missed.ONCE, Overlap.SKIP, due));
            }
            if (recurs) {
                return PeerRow.refused(
                        true,
                        id,
                        task,
                        "its schedule is in the program, not in the table: declare it there, or 'pawl add schedule'");
            }
            return PeerRow.job(key, id, task, payload(data), priority(row), due);
        } catch (RefusedException e) {
            return PeerRow.refused(recurs, id, task, String.valueOf(e.getMessage()));
        }
    }

    private Instant due(ResultSet row) throws SQLException {
        Timestamp moment = row.getTimestamp("execution_time", Calendar.getInstance(TimeZone.getTimeZone(zone)));
        return Objects.requireNonNull(moment, "execution_time").toInstant();
    }

    /** Translates the priority: db-scheduler runs the largest first, and its usual value is 50. The column may be missing. */
    private static int priority(ResultSet row) throws SQLException {
        for (int i = 1; i <= row.getMetaData().getColumnCount(); i++) {
            if (row.getMetaData().getColumnName(i).equalsIgnoreCase("priority")) {
                int theirs = row.getInt(i);
                return row.wasNull() ? 0 : USUAL_PRIORITY - theirs;
            }
        }
        return 0;
    }

    private String payload(byte @Nullable [] data) {
        if (data == null || data.length == 0) {
            return "{}";
        }
        if (SerializedJava.is(data)) {
            return Json.write(JavaValues.of(SerializedJava.read(data)));
        }
        String text = Json.text(data);
        if (text != null && Json.read(text) != null) {
            return text.strip();
        }
        if (base64) {
            return Json.write(Base64.getEncoder().encodeToString(data));
        }
        throw new RefusedException("its data is neither JSON nor serialized Java: --base64 takes it as a text");
    }

    /**
     * A persistent schedule.
     *
     * @param recurrence of the schedule
     * @param payload its data
     */
    private record Persistent(Recurrence recurrence, String payload) {}

    /** {@return the schedule and its payload; null if the row's data contains no schedule} */
    private static @Nullable Persistent persistent(byte @Nullable [] data) {
        if (data == null || data.length == 0) {
            return null;
        }
        if (SerializedJava.is(data)) {
            return SerializedJava.read(data) instanceof Instance both
                            && both.fields().get("schedule") instanceof Instance schedule
                            && schedule.type().startsWith("com.github.kagkarlsson.scheduler.")
                    ? new Persistent(
                            ofJava(schedule),
                            Json.write(JavaValues.of(both.fields().get("data"))))
                    : null;
        }
        String text = Json.text(data);
        JsonNode json = text == null ? null : Json.read(text);
        return json != null && json.path("schedule").has("type")
                ? new Persistent(ofJson(json.path("schedule")), Json.write(json.path("data")))
                : null;
    }

    private static Recurrence ofJava(Instance schedule) {
        Map<String, @Nullable Object> fields = schedule.fields();
        String type = schedule.type().substring(schedule.type().lastIndexOf('.') + 1);
        return switch (type) {
            case "CronSchedule" ->
                cron(text(fields.get("pattern")), text(fields.get("zoneId")), text(fields.get("cronStyle")));
            case "FixedDelay" -> delay(() -> Duration.parse(text(fields.get("duration"))));
            default -> throw unknown(type);
        };
    }

    private static String text(@Nullable Object field) {
        return String.valueOf(JavaValues.of(field));
    }

    /** A duration is a number: Jackson writes it in seconds with a fraction, Gson in milliseconds. */
    private static Recurrence ofJson(JsonNode schedule) {
        String type = Json.member(schedule, "type");
        return switch (type) {
            case "cron" ->
                cron(
                        Json.member(schedule, "pattern"),
                        Json.member(schedule, "zoneId"),
                        Json.member(schedule, "cronStyle"));
            case "fixedDelay" ->
                delay(() -> {
                    BigDecimal number = schedule.path("duration").decimalValue();
                    return Duration.ofMillis(
                            (schedule.path("duration").isIntegralNumber() ? number : number.movePointRight(3))
                                    .longValueExact());
                });
            default -> throw unknown(type);
        };
    }

    private static Recurrence delay(java.util.function.Supplier<Duration> length) {
        try {
            return Recurrence.after(length.get());
        } catch (DateTimeException
                | ArithmeticException
                | IllegalArgumentException
                | tools.jackson.core.JacksonException e) {
            throw new RefusedException("its delay has no equivalent here: " + e.getMessage());
        }
    }

    private static RefusedException unknown(String type) {
        return new RefusedException(
                "its schedule is a " + type + ", which has no equivalent here: write it as cron expressions");
    }

    /**
     * @param pattern the expression
     * @param zoneName of the clock
     * @param style the name of its CronStyle
     * @return the recurrence with the same meaning
     */
    static Recurrence cron(String pattern, String zoneName, String style) {
        ZoneId of = CronDialect.zone(zoneName);
        return switch (style) {
            case "QUARTZ" -> CronDialect.quartzByCronUtils(pattern, of);
            case "UNIX" -> CronDialect.unix(pattern, of);
            case "SPRING", "SPRING53", "", "null" -> CronDialect.spring(pattern, of);
            default -> throw new RefusedException("its cron expression is of the style " + style);
        };
    }

    @Override
    public boolean take(Connection connection, PeerRow found) throws SQLException {
        return Rows.change(
                        connection,
                        "DELETE FROM " + table
                                + " WHERE task_name = ? AND task_instance = ? AND version = ? AND picked = "
                                + (isBoolean(connection) ? "FALSE" : "0"),
                        found.key().toArray())
                == 1;
    }

    private static boolean isBoolean(Connection connection) throws SQLException {
        return connection.getMetaData().getDatabaseProductName().equals("PostgreSQL");
    }
}

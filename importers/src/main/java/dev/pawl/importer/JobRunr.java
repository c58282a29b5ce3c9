package dev.pawl.importer;

import dev.pawl.schedule.Missed;
import dev.pawl.schedule.Overlap;
import dev.pawl.schedule.Recurrence;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Imports enqueued, scheduled and recurring jobs of JobRunr 6 to 8. The payload of a job is its method and arguments, or, for a job
 * request, the request itself.
 */
final class JobRunr implements Peer {
    private static final Set<String> WAITING = Set.of("ENQUEUED", "SCHEDULED");
    /** The states of a job before its first attempt. */
    private static final Set<String> UNTRIED = Set.of("AWAITING", "SCHEDULED");

    private static final String CONTEXT = "org.jobrunr.jobs.context.JobContext";

    private final String prefix;

    /** @param prefix before {@code jobrunr_}, for example a schema and its dot */
    JobRunr(String prefix) {
        this.prefix = prefix;
    }

    @Override
    public String word() {
        return "jobrunr";
    }

    /** Each schedule begins with its first tick after {@code now}, so jobs that JobRunr has created for later ticks are left out. */
    @Override
    public List<PeerRow> read(Connection connection) throws SQLException {
        Instant now = Instant.now();
        List<PeerRow> found = new ArrayList<>(Rows.all(
                connection,
                "SELECT id, version, jobAsJson FROM " + prefix + "jobrunr_recurring_jobs ORDER BY id",
                row -> recurring(row, now)));
        Map<String, String> schedules = found.stream()
                .filter(each -> each.timetable() != null)
                .collect(Collectors.toMap(
                        PeerRow::id,
                        each -> each.timetable() == null ? "" : each.timetable().schedule()));
        found.addAll(Rows.all(
                connection,
                "SELECT id, version, jobAsJson, state, recurringJobId FROM " + prefix + "jobrunr_jobs"
                        + " WHERE state IN ('ENQUEUED', 'SCHEDULED', 'AWAITING', 'PROCESSING') ORDER BY id",
                row -> job(row, schedules, now)));
        return found;
    }

    private PeerRow recurring(ResultSet row, Instant now) throws SQLException {
        String id = row.getString(1).strip();
        JsonNode job = Json.read(row.getString(3));
        if (job == null) {
            return PeerRow.refused(true, id, "", "its JSON cannot be read");
        }
        String name = name(job);
        try {
            return PeerRow.schedule(List.of(id, row.getInt(2)), id, name, payload(job), 0, timetable(id, job, now));
        } catch (RefusedException e) {
            return PeerRow.refused(true, id, name, String.valueOf(e.getMessage()));
        }
    }

    /** JobRunr does not make up for missed ticks, and does not check whether the last run has ended. */
    private static Timetable timetable(String id, JsonNode job, Instant now) {
        String when = Json.member(job, "scheduleExpression");
        if (!when.startsWith("P")) {
            Recurrence clock = CronDialect.jobRunr(when, CronDialect.zone(Json.member(job, "zoneId")));
            return new Timetable(id, clock, Missed.SKIP, Overlap.ALLOW, clock.next(now, now));
        }
        try {
            Recurrence rate = Recurrence.every(Duration.parse(when));
            Instant since = Instant.parse(Json.member(job, "createdAt"));
            return new Timetable(id, rate, Missed.SKIP, Overlap.ALLOW, rate.next(now, since));
        } catch (DateTimeException | IllegalArgumentException e) {
            throw new RefusedException("its schedule '" + when + "' has no equivalent here: " + e.getMessage());
        }
    }

    private PeerRow job(ResultSet row, Map<String, String> schedules, Instant now) throws SQLException {
        String id = row.getString(1).strip();
        String state = row.getString(4);
        String recurring = row.getString(5);
        JsonNode job = Json.read(row.getString(3));
        if (job == null) {
            return PeerRow.refused(false, id, "", "its JSON cannot be read");
        }
        String name = name(job);
        if (!WAITING.contains(state)) {
            return PeerRow.refused(
                    false,
                    id,
                    name,
                    state.equals("PROCESSING")
                            ? "JobRunr runs it now: import again when it has ended"
                            : "it waits for another job of JobRunr's");
        }
        try {
            List<Object> key = List.of(id, row.getInt(2), state);
            Instant due = due(job, state);
            PeerRow found = PeerRow.job(key, id, name, payload(job), 0, due);
            String schedule = recurring == null ? null : schedules.get(recurring.strip());
            boolean isComing = due != null && due.isAfter(now) && isUntried(job);
            return schedule != null && isComing ? found.coveredBy(schedule) : found;
        } catch (RefusedException e) {
            return PeerRow.refused(false, id, name, String.valueOf(e.getMessage()));
        }
    }

    private static boolean isUntried(JsonNode job) {
        for (JsonNode each : job.path("jobHistory")) {
            if (!UNTRIED.contains(Json.member(each, "state"))) {
                return false; // waits for a retry
            }
        }
        return true;
    }

    private static @Nullable Instant due(JsonNode job, String state) {
        if (state.equals("ENQUEUED")) {
            return null;
        }
        JsonNode history = job.path("jobHistory");
        String text = history.isEmpty() ? "" : Json.member(history.get(history.size() - 1), "scheduledAt");
        try {
            return Instant.parse(text);
        } catch (DateTimeException e) {
            throw new RefusedException("its JSON does not say when it is scheduled");
        }
    }

    private static String name(JsonNode job) {
        JsonNode details = job.path("jobDetails");
        return Json.member(details, "className") + "." + Json.member(details, "methodName");
    }

    private static String payload(JsonNode job) {
        JsonNode details = job.path("jobDetails");
        if (!Json.member(details, "staticFieldName").isEmpty()) {
            throw new RefusedException(
                    "it calls a static field's method (" + Json.member(details, "staticFieldName") + ")");
        }
        List<JsonNode> arguments = new ArrayList<>();
        for (JsonNode each : details.path("jobParameters")) {
            if (!Json.member(each, "className").equals(CONTEXT)) {
                arguments.add(each.path("object"));
            }
        }
        String method = Json.member(details, "methodName");
        if (method.equals("run") && arguments.size() == 1 && arguments.get(0).isObject()) {
            return Json.write(arguments.get(0));
        }
        Map<String, Object> call = new LinkedHashMap<>();
        call.put("method", method);
        call.put("arguments", arguments);
        return Json.write(call);
    }

    @Override
    public boolean take(Connection connection, PeerRow found) throws SQLException {
        return found.isSchedule()
                ? Rows.change(
                                connection,
                                "DELETE FROM " + prefix + "jobrunr_recurring_jobs WHERE id = ? AND version = ?",
                                found.key().toArray())
                        == 1
                : Rows.change(
                                connection,
                                "DELETE FROM " + prefix + "jobrunr_jobs WHERE id = ? AND version = ? AND state = ?",
                                found.key().toArray())
                        == 1;
    }
}

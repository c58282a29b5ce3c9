package dev.pawl.internal.schedule;

import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.JobRequest;
import dev.pawl.internal.enqueue.OwnOptions;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.JobRows;
import dev.pawl.schedule.Missed;
import dev.pawl.schedule.Overlap;
import dev.pawl.schedule.Recurrence;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A row of {@code pawl_schedule}.
 *
 * @param name its name
 * @param revision grows with every change, so that a change applies only to the row that was read
 * @param job that a tick enqueues
 * @param when the recurrence as text; this program may be unable to read it if a newer program wrote it
 * @param declared the recurrence that a program declared; null for a schedule that was added by hand
 * @param missed what happens to ticks that passed while no worker ran
 * @param overlap what happens to a tick while the last job has not ended
 * @param hasLocalExclusions whether only programs that declare the schedule know on which days it has no ticks
 * @param nextAt the next tick; null if there is none, while the schedule is paused, and while the tick depends on the end of a running job
 * @param nextCheckAt time of the next check; null while the schedule is paused, or if it has no further tick
 * @param isOverlapping whether the next tick is past and waits for the end of the last job
 * @param lastTick the tick of the last job; null if there was none
 * @param lastJobId the last job; null if there was none
 * @param pausedAt since when the schedule is paused; null if it is not
 */
record ScheduleRow(
        String name,
        long revision,
        JobRequest job,
        String when,
        @Nullable String declared,
        Missed missed,
        Overlap overlap,
        boolean hasLocalExclusions,
        @Nullable Instant nextAt,
        @Nullable Instant nextCheckAt,
        boolean isOverlapping,
        @Nullable Instant lastTick,
        @Nullable Long lastJobId,
        @Nullable Instant pausedAt) {
    static final String COLUMNS = """
            name, revision, kind, queue, priority, max_attempts, tags, headers, job_key, cost, expires_in, payload, recurrence, \
            declared, missed, overlap, local_exclusions, next_at, next_check_at, overlapping, last_tick, last_job_id, paused_at""";

    static ScheduleRow of(Dialect dialect, ResultSet row) throws SQLException {
        long lastJobId = row.getLong("last_job_id");
        Long last = row.wasNull() ? null : lastJobId;
        return new ScheduleRow(
                row.getString("name"),
                row.getLong("revision"),
                new JobRequest(row.getString("kind"), row.getString("payload"), options(row)),
                row.getString("recurrence"),
                row.getString("declared"),
                new Missed(row.getInt("missed")),
                of(Overlap.class, row.getString("overlap")),
                row.getBoolean("local_exclusions"),
                dialect.moment(row, "next_at"),
                dialect.moment(row, "next_check_at"),
                row.getBoolean("overlapping"),
                dialect.moment(row, "last_tick"),
                last,
                dialect.moment(row, "paused_at"));
    }

    /** {@return a constant as it is stored} */
    static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    static <E extends Enum<E>> E of(Class<E> type, String word) {
        return Enum.valueOf(type, word.toUpperCase(Locale.ROOT));
    }

    private static EnqueueOptions options(ResultSet row) throws SQLException {
        EnqueueOptions options = EnqueueOptions.DEFAULTS
                .queue(row.getString("queue"))
                .priority(row.getInt("priority"))
                .maxAttempts(row.getInt("max_attempts"))
                .tags(JobRows.tags(row.getString("tags")).toArray(String[]::new))
                .headers(OwnOptions.users(JobRows.headers(row.getString("headers"))));
        String key = row.getString("job_key");
        options = key == null ? options : options.key(key);
        int cost = row.getInt("cost");
        options = row.wasNull() ? options : options.cost(cost);
        long expiresIn = row.getLong("expires_in");
        return row.wasNull() ? options : options.expiresIn(Duration.of(expiresIn, ChronoUnit.MICROS));
    }

    /**
     * {@return the recurrence}
     *
     * @throws dev.pawl.api.InvalidJobException if this program cannot read it
     */
    Recurrence recurrence() {
        return Recurrence.parse(when);
    }

    /** {@return whether the recurrence differs from the one that the program has declared} */
    boolean isChanged() {
        return declared != null && !declared.equals(when);
    }
}

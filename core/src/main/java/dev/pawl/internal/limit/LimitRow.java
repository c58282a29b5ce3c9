package dev.pawl.internal.limit;

import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.limit.Limit;
import dev.pawl.limit.Pause;
import dev.pawl.limit.Rate;
import dev.pawl.limit.Subject;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * A row of {@code pawl_limit}. Moments are microseconds since 1970 by the database's clock.
 *
 * @param limit the settings
 * @param nextStart the next permitted start; 0 before the first
 * @param pausedUntil when the pause ends; 0 if there is none
 * @param failures consecutive outages of a resource that the jobs need
 * @param reason of the pause
 * @param costBacklog recent starts, if some jobs cost several starts or some workers get late responses; else null
 * @param now when the row was read
 */
record LimitRow(
        Limit limit,
        long nextStart,
        long pausedUntil,
        int failures,
        @Nullable String reason,
        @Nullable String costBacklog,
        long now) {
    /** Number of columns of a row, including the current time. */
    static final int WIDTH = 13;

    /** {@return what to select of {@code pawl_limit l}} */
    static String columns(Dialect dialect) {
        return "l.subject, l.name, l.max_concurrency, l.rate_limit, l.rate_period, " + dialect.micros("l.next_start_at")
                + ", " + dialect.micros("l.paused_until") + ", l.failures, l.reason, l.max_concurrency_shared,"
                + " l.cost_backlog, l.max_waiting, " + dialect.micros(dialect.now());
    }

    static LimitRow of(ResultSet row) throws SQLException {
        int atOnce = row.getInt(3);
        boolean counted = !row.wasNull();
        int starts = row.getInt(4);
        Rate rate = row.wasNull() ? null : new Rate(starts, Duration.of(row.getLong(5), ChronoUnit.MICROS));
        int together = row.getInt(10);
        boolean shared = !row.wasNull();
        int maxWaiting = row.getInt(12);
        boolean bounded = !row.wasNull();
        Subject subject = new Subject(Subject.Of.parse(row.getString(1)), row.getString(2));
        return new LimitRow(
                Limit.of(subject)
                        .atOnce(counted ? atOnce : null)
                        .rate(rate)
                        .together(shared ? together : null)
                        .maxWaiting(bounded ? maxWaiting : null),
                row.getLong(6), // null is read as 0
                row.getLong(7),
                row.getInt(8),
                row.getString(9),
                row.getString(11),
                row.getLong(13));
    }

    boolean isHeld() {
        return pausedUntil > now;
    }

    /** Whether jobs are or were paused, and no run has shown yet that their resource is available again. */
    boolean isUnproven() {
        return pausedUntil > 0;
    }

    /** {@return how many jobs may run at once now; null for any number} */
    @Nullable
    Integer permits() {
        return isHeld() ? Integer.valueOf(0) : isUnproven() ? Integer.valueOf(1) : limit.atOnce();
    }

    @Nullable
    Pause pause() {
        return isUnproven() ? new Pause(moment(pausedUntil), !isHeld(), failures, reason == null ? "" : reason) : null;
    }

    static Instant moment(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }
}

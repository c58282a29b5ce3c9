package dev.pawl.internal.schedule;

import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the schedules in the order in which they are checked, a page at a time. */
final class WaitingSchedules {
    static final int MAX = 200;

    private final Dialect dialect;

    WaitingSchedules(Dialect dialect) {
        this.dialect = dialect;
    }

    /**
     * A schedule that will be checked.
     *
     * @param name its name
     * @param nextCheckAt time of the check
     * @param left time until the check; zero or negative if the check is due
     */
    record Waiting(String name, Instant nextCheckAt, Duration left) {
        boolean isDue() {
            return left.isZero() || left.isNegative();
        }
    }

    /**
     * {@return the schedules to check next, by the time of the check; {@link #MAX} at most}
     *
     * @param known schedules whose excluded days this program knows; other schedules with excluded days are left out
     * @param last the last schedule of the previous page; null for the first page
     */
    List<Waiting> read(Connection connection, List<String> known, @Nullable Waiting last) throws SQLException {
        String sql = "SELECT name, " + dialect.micros("next_check_at") + ", " + dialect.micros(dialect.now())
                + " FROM pawl_schedule WHERE next_check_at IS NOT NULL"
                + (last == null
                        ? ""
                        : " AND next_check_at >= %1$s AND (next_check_at > %1$s OR name > ?)"
                                .formatted(dialect.moment()))
                + " AND (local_exclusions = FALSE"
                + (known.isEmpty() ? "" : " OR name IN (" + "?, ".repeat(known.size() - 1) + "?)")
                + ") ORDER BY next_check_at, name LIMIT " + MAX;
        Sql.Bound due = dialect.statement(sql).on(connection);
        if (last != null) {
            due.bind(last.nextCheckAt, last.nextCheckAt, last.name);
        }
        return due.bind(known.toArray()).list(row -> {
            long nextCheckAt = row.getLong(2);
            return new Waiting(
                    row.getString(1),
                    Instant.EPOCH.plus(nextCheckAt, ChronoUnit.MICROS),
                    Duration.of(nextCheckAt - row.getLong(3), ChronoUnit.MICROS));
        });
    }
}

package dev.pawl.internal.watch;

import dev.pawl.api.JobState;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Micros;
import dev.pawl.internal.jdbc.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/** Counts jobs with rows of their own that finished in a period, along the index of the history and up to a limit. */
final class FinishedJobs {
    private static final int MAX = 200_000;
    /** A counted period ends this long before now, because a transaction commits a little later than the finish time of its jobs. */
    private static final Duration LATE = Duration.ofSeconds(2);

    private final Sql sql;

    FinishedJobs(Dialect dialect) {
        sql = dialect.statement("SELECT queue, COUNT(*) FROM (SELECT queue FROM pawl_job_history WHERE state = ?"
                + " AND finished_at > " + dialect.nowPlusMicros() + " AND finished_at <= " + dialect.nowPlusMicros()
                + " LIMIT " + MAX + ") ended GROUP BY queue");
    }

    /** {@return the number of jobs by queue} */
    Map<String, Long> count(Connection connection, JobState state, Duration span) throws SQLException {
        Map<String, Long> counts = new TreeMap<>();
        sql.on(connection, state.code(), -Micros.of(span.plus(LATE)), -Micros.of(LATE))
                .each(rows -> counts.put(rows.getString(1), rows.getLong(2)));
        return counts;
    }
}

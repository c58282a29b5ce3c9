package dev.pawl.internal.cluster;

import dev.pawl.internal.codec.JsonStrings;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Micros;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The row of a worker of this program, to be written again if the database has lost it with its last commits. Its number is drawn: one that
 * is counted would be given to another worker then, and each would overwrite what the other says of its jobs.
 *
 * @param id the number
 * @param name for lists
 * @param queues from which it claims
 * @param kinds that it handles
 * @param concurrency handlers at once
 * @param maxConcurrency to which that may be raised
 * @param schedules that its program declares, with their forms
 * @param sinceNanos when it was written first
 */
record WorkerRow(
        long id,
        String name,
        List<String> queues,
        List<String> kinds,
        int concurrency,
        int maxConcurrency,
        Map<String, String> schedules,
        long sinceNanos) {
    /** Nine digits, because people type it. Where another worker has the number, which is rare, one draws again. */
    private static final long FIRST = 100_000_000;

    static long draw() {
        return ThreadLocalRandom.current().nextLong(FIRST, 10 * FIRST);
    }

    WorkerRow queues(List<String> others) {
        return new WorkerRow(id, name, others, kinds, concurrency, maxConcurrency, schedules, sinceNanos);
    }

    WorkerRow concurrency(int other) {
        return new WorkerRow(id, name, queues, kinds, other, maxConcurrency, schedules, sinceNanos);
    }

    /** {@return whether it was written; if not, there is a row with its number} */
    boolean insert(Connection connection, Dialect dialect) throws SQLException {
        return insert(connection, dialect, Duration.ZERO);
    }

    /** Writes it again, with the moment at which it was written first. */
    boolean insertAgain(Connection connection, Dialect dialect) throws SQLException {
        return insert(connection, dialect, Duration.ofNanos(System.nanoTime() - sinceNanos));
    }

    private boolean insert(Connection connection, Dialect dialect, Duration age) throws SQLException {
        String sql =
                dialect.insertIfMissing("pawl_worker (id, name, queues, kinds, concurrency, max_concurrency, schedules,"
                        + " started_at, heartbeat_at)" + dialect.ownIds() + " VALUES (?, ?, ?, ?, ?, ?, ?, "
                        + dialect.nowPlusMicros() + ", " + dialect.now() + ")");
        return dialect.statement(sql)
                        .on(
                                connection,
                                id,
                                name,
                                JsonStrings.write(queues),
                                JsonStrings.write(kinds),
                                concurrency,
                                maxConcurrency,
                                JsonStrings.headers(schedules),
                                -Micros.of(age))
                        .update()
                == 1;
    }
}

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
 * The row of a worker of this process, kept so that it can be inserted again if the database loses its last commits. The id is random:
 * after such a loss, a sequential id could be given to a second worker, and the two would overwrite each other's reports.
 *
 * @param id the id
 * @param name the name shown in lists
 * @param queues the queues from which it claims
 * @param kinds the kinds of jobs that it handles
 * @param concurrency the number of handlers that run at once
 * @param maxConcurrency the largest value to which the concurrency may be raised
 * @param schedules the names of the schedules that its program declares, each with a fingerprint of the declaration
 * @param sinceNanos the {@link System#nanoTime} at which it was first written
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
    /** Ids have nine digits, because users type them. In the rare case that another worker has the id, a new one is drawn. */
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

    /** {@return whether it was written; if not, the id is taken} */
    boolean insert(Connection connection, Dialect dialect) throws SQLException {
        return insert(connection, dialect, Duration.ZERO);
    }

    /** Inserts it again, with the time of the first insert. */
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

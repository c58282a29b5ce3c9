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
 * The row of a worker of this program, to be inserted again if the database has lost it with its last commits. Its id
 * is random: a counted id
 * could be given to another worker after such a loss, and the two would overwrite each other's reports.
 *
 * @param id the id
 * @param name for lists
 * @param queues from which it claims
 * @param kinds that it handles
 * @param concurrency handlers at once
 * @param maxConcurrency to which that may be raised
 * @param schedules that its program declares, with their forms
 * @param sinceNanos when it was first written
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
    /** Nine digits, because users type it. If another worker has the id, which is rare, another one is drawn. */
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

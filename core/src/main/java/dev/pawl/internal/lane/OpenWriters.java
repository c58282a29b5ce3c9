package dev.pawl.internal.lane;

import dev.pawl.internal.jdbc.Dialect;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Set;

/**
 * Finds the latest moment up to which claims can get no more late jobs. A job is late if its transaction commits after greater ids were
 * claimed. On PostgreSQL a writer locks the lanes' table before it draws an id, and holds the lock to its end. So once all lock holders in
 * a sample have ended, no claim before that sample can get late jobs. The horizon of transaction ids does not suffice, because a writer may
 * draw a job id before it has a transaction id. Other databases do not tell their writers.
 *
 * <p>A prepared transaction has another name after a restart or a failover, so its end cannot be observed. No sample is taken while a
 * prepared transaction exists. Earlier results stay valid, and new ranges are counted at fixed delays.
 *
 * <p>Connections of a pool may lead to several servers for a while, as during a failover. A standby has no writers, and a former primary
 * does not know the writers of the new primary. So samples are taken only on a server that writes, begin anew on another server, and are
 * valid only for ranges that are read from the same server.
 *
 * <p>Not thread-safe: one duty samples.
 */
final class OpenWriters {
    private static final int MAX_SAMPLES = 600;
    /** The clocks of the database and of this process may differ in speed by one part in this number. */
    private static final long DRIFT = 100;

    private static final long TOLERATED_NANOS = Duration.ofMillis(5).toNanos();

    private final Dialect dialect;
    private final Deque<Sample> samples = new ArrayDeque<>();
    private volatile Instant closedUpTo = Instant.EPOCH;
    /** The server on which the samples were taken. */
    private volatile long server;

    OpenWriters(Dialect dialect) {
        this.dialect = dialect;
    }

    /** The writers at one time of the database's clock, without those that have ended since. */
    private record Sample(Instant moment, long answeredNanos, Set<String> writers) {
        /**
         * Whether the database's clock was set back after this sample, so that it has advanced by less than the time that has passed.
         */
        boolean isBeforeAStepBack(Instant now, long sentNanos) {
            long atLeast = sentNanos - answeredNanos;
            return now.isBefore(moment)
                    || Duration.between(moment, now).toNanos() < atLeast - atLeast / DRIFT - TOLERATED_NANOS;
        }
    }

    /** {@return the latest time up to which claims on the {@link #server} get no more late jobs; the epoch if nothing is known} */
    Instant closedUpTo() {
        return closedUpTo;
    }

    /** {@return the server, by {@link LaneDatabase#server}; 0 if nothing is known} */
    long server() {
        return server;
    }

    /**
     * Takes a sample.
     *
     * @return whether the database tells its writers
     */
    boolean sample(Connection connection) throws SQLException {
        String sql = LaneDatabase.of(dialect).openWriters(dialect);
        if (sql == null) {
            return false;
        }
        Set<String> open = new HashSet<>();
        Instant now = null;
        boolean prepared = false;
        long answering = 0;
        long sent = System.nanoTime();
        try (PreparedStatement statement = connection.prepareStatement(dialect.sql(sql));
                ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                now = Instant.EPOCH.plus(rows.getLong(1), ChronoUnit.MICROS);
                String writer = rows.getString(2);
                if (writer != null) {
                    open.add(writer);
                }
                prepared |= rows.getInt(3) == 1;
                answering = rows.getLong(4);
            }
        }
        if (now != null && !prepared && answering != 0) {
            learn(answering, now, open, sent, System.nanoTime());
        }
        return true;
    }

    /**
     * Learns from a sample. At least two samples are needed, because only the second can show that the writers of the first have ended.
     *
     * @param answering the server that answered
     * @param now by the database's clock
     * @param sentNanos {@link System#nanoTime()} before the sample was read
     * @param answeredNanos {@link System#nanoTime()} afterwards
     */
    void learn(long answering, Instant now, Set<String> open, long sentNanos, long answeredNanos) {
        Sample last = samples.peekLast();
        // Another server does not know the earlier writers, and after a step back, earlier times of the clock mean
        // nothing.
        if (answering != server || (last != null && last.isBeforeAStepBack(now, sentNanos))) {
            samples.clear();
            closedUpTo = Instant.EPOCH;
            server = answering;
        }
        samples.forEach(sample -> sample.writers.retainAll(open));
        for (Iterator<Sample> each = samples.iterator(); each.hasNext(); ) {
            Sample sample = each.next();
            if (!sample.writers.isEmpty()) {
                break; // these writers are in all later samples as well
            }
            closedUpTo = sample.moment;
            each.remove();
        }
        if (samples.size() < MAX_SAMPLES) {
            samples.add(new Sample(now, answeredNanos, new HashSet<>(open)));
        }
    }
}

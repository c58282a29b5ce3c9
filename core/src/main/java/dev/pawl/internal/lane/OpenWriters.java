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
 * Finds the latest moment for which no open transaction can still commit late jobs: jobs whose ids are smaller than
 * those claimed
 * then. On PostgreSQL a writer locks the lanes' table before it draws an id, and holds the lock to its end. So once all
 * holders seen in a sample have ended, everything claimed before that sample is complete. The horizon of transaction
 * ids
 * does not suffice: a writer may have drawn an id without a transaction id. Other databases do not tell.
 *
 * <p>A prepared transaction has another name after a restart or a failover, so its end cannot be observed. No sample is
 * taken while there is one: what is known stays true, and ranges are counted by the clock.
 *
 * <p>Connections of a pool may lead to several servers for a while, as during a failover. A standby has no writers, and a
 * former primary does not know those of the present one. So samples are taken only on a server that writes, begin anew with
 * another server, and say something only about the ranges that are read from the same one.
 *
 * <p>Not thread-safe: one duty samples.
 */
final class OpenWriters {
    private static final int MAX_LOOKS = 600;
    /** The two clocks may differ in speed by one part in this number, and in the moment at which they are read. */
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

    /** The writers at one moment of the database's clock, without those that have ended since. */
    private record Sample(Instant moment, long answeredNanos, Set<String> writers) {
        /**
         * Whether the database's clock has advanced by less than the time since: it was set back, perhaps by less than
         * has passed.
         */
        boolean isBeforeAStepBack(Instant now, long sentNanos) {
            long atLeast = sentNanos - answeredNanos;
            return now.isBefore(moment)
                    || Duration.between(moment, now).toNanos() < atLeast - atLeast / DRIFT - TOLERATED_NANOS;
        }
    }

    /** {@return the moment up to which all claims on the {@link #server} are complete; the smallest moment if nothing is known} */
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
     * Needs at least two samples: claims before the first are counted after the second.
     *
     * @param answering the server
     * @param now by the database's clock
     * @param sentNanos {@link System#nanoTime()} before it was read
     * @param answeredNanos and after
     */
    void learn(long answering, Instant now, Set<String> open, long sentNanos, long answeredNanos) {
        Sample last = samples.peekLast();
        // Another server knows nothing of those writers, and after a step back, earlier moments of the clock mean
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
                break; // writers of that moment are in all later samples as well
            }
            closedUpTo = sample.moment;
            each.remove();
        }
        if (samples.size() < MAX_LOOKS) {
            samples.add(new Sample(now, answeredNanos, new HashSet<>(open)));
        }
    }
}

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

    /** {@return the moment up to which all claims are complete; the smallest moment if nothing is known} */
    Instant closedUpTo() {
        return closedUpTo;
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
            }
        }
        if (now != null && !prepared) {
            learn(now, open, sent, System.nanoTime());
        }
        return true;
    }

    /**
     * Needs at least two samples: claims before the first are counted after the second.
     *
     * @param now by the database's clock
     * @param sentNanos {@link System#nanoTime()} before it was read
     * @param answeredNanos and after
     */
    void learn(Instant now, Set<String> open, long sentNanos, long answeredNanos) {
        Sample last = samples.peekLast();
        if (last != null && last.isBeforeAStepBack(now, sentNanos)) { // earlier moments of the clock mean nothing now
            samples.clear();
            closedUpTo = Instant.EPOCH;
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

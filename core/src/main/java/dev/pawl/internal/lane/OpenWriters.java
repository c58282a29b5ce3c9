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
 * Finds out up to which moment nobody can write to a lane any more: a job whose id is smaller than one that was claimed
 * then. On PostgreSQL a writer has locked the lanes' table before it draws an id, and holds the lock to its end; so once
 * those who held it at some look are gone, whatever was claimed before that look is complete. The horizon of transaction
 * ids would not tell: a writer may have an id and no transaction id yet. Where the database does not tell, never.
 *
 * <p>A prepared transaction is named otherwise after a restart or a failover, and whoever cannot be known again cannot be seen
 * to end. So nothing is learnt while there is one: what is known stays true, and ranges are counted by the clock.
 *
 * <p>Not thread-safe: one duty looks.
 */
final class OpenWriters {
    private static final int MOST_LOOKS = 600;
    /** One clock may go slower than the other by a hundredth, and be read a little earlier. */
    private static final long DRIFT = 100;

    private static final long TOLERATED_NANOS = Duration.ofMillis(5).toNanos();

    private final Dialect dialect;
    private final Deque<Look> looks = new ArrayDeque<>();
    private volatile Instant closedUpTo = Instant.EPOCH;

    OpenWriters(Dialect dialect) {
        this.dialect = dialect;
    }

    /** Who was writing at a moment of the database's, less those who have ended since. */
    private record Look(Instant moment, long answeredNanos, Set<String> writers) {
        /** Its clock has gone on by less than the time since: it was set back, perhaps by less than has passed since. */
        boolean isBeforeAStepBack(Instant now, long askedNanos) {
            long atLeast = askedNanos - answeredNanos;
            return now.isBefore(moment)
                    || Duration.between(moment, now).toNanos() < atLeast - atLeast / DRIFT - TOLERATED_NANOS;
        }
    }

    /** {@return what was claimed up to then is complete; the beginning of time if nothing is known} */
    Instant closedUpTo() {
        return closedUpTo;
    }

    /**
     * Looks again.
     *
     * @return whether the database tells
     */
    boolean look(Connection connection) throws SQLException {
        String sql = dialect.openLaneWriters();
        if (sql == null) {
            return false;
        }
        Set<String> open = new HashSet<>();
        Instant now = null;
        boolean prepared = false;
        long asked = System.nanoTime();
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
            learn(now, open, asked, System.nanoTime());
        }
        return true;
    }

    /**
     * Two looks at least: what was claimed up to the first is counted after the second.
     *
     * @param now of the database
     * @param askedNanos {@link System#nanoTime()} before it was read
     * @param answeredNanos and after
     */
    void learn(Instant now, Set<String> open, long askedNanos, long answeredNanos) {
        Look last = looks.peekLast();
        if (last != null && last.isBeforeAStepBack(now, askedNanos)) { // earlier moments mean nothing now
            looks.clear();
            closedUpTo = Instant.EPOCH;
        }
        looks.forEach(look -> look.writers.retainAll(open));
        for (Iterator<Look> each = looks.iterator(); each.hasNext(); ) {
            Look look = each.next();
            if (!look.writers.isEmpty()) {
                break; // who was writing then is in all later looks as well
            }
            closedUpTo = look.moment;
            each.remove();
        }
        if (looks.size() < MOST_LOOKS) {
            looks.add(new Look(now, answeredNanos, new HashSet<>(open)));
        }
    }
}

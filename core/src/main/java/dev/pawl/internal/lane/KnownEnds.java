package dev.pawl.internal.lane;

import dev.pawl.internal.jdbc.Dialect;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A recent lower bound for the end of each lane. The statement of a claim reads the end itself. But once there are a hundred ranges,
 * MariaDB makes its plan without knowing the end, and would read each lane from its first job. This bound in the statement prevents that.
 * Thread-safe.
 */
final class KnownEnds {
    /** How long a known end is used. Jobs that were claimed since are read and skipped. */
    private static final long FRESH_NANOS = Duration.ofMillis(200).toNanos();

    private final LaneReads reads;
    private final Map<Integer, Known> byLane = new ConcurrentHashMap<>();

    private record Known(long end, long nanos) {}

    KnownEnds(Dialect dialect) {
        this.reads = new LaneReads(dialect);
    }

    /** {@return the end of the lane, or an earlier end that was read a moment ago} */
    long end(Connection connection, int lane) throws SQLException {
        Known known = byLane.get(lane);
        long now = System.nanoTime();
        if (known != null && now - known.nanos < FRESH_NANOS) {
            return known.end;
        }
        Known read = new Known(reads.end(connection, lane), now);
        byLane.put(lane, read);
        return read.end;
    }

    /** Records an end that was read. Ends only grow. */
    void note(int lane, long end) {
        Known now = new Known(end, System.nanoTime());
        Known unused = byLane.merge(lane, now, (before, after) -> before.end > after.end ? before : after);
    }
}

package dev.pawl.internal.lane;

import dev.pawl.internal.jdbc.Dialect;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * How far lanes had been claimed at least, a moment ago. Where a claim begins is for the database to say; but MariaDB does
 * not ask before it has chosen its plan once there are a hundred ranges, and would read each lane from its first job. A
 * number that is bound keeps it from that. Thread-safe.
 */
final class KnownEnds {
    /** Others go on claiming: what they have claimed since is read and left out. */
    private static final long FRESH_NANOS = Duration.ofMillis(200).toNanos();

    private final LaneReads reads;
    private final Map<Integer, Known> byLane = new ConcurrentHashMap<>();

    private record Known(long end, long nanos) {}

    KnownEnds(Dialect dialect) {
        this.reads = new LaneReads(dialect);
    }

    /** {@return the end of a lane, or one that it had a moment ago} */
    long of(Connection connection, int lane) throws SQLException {
        Known known = byLane.get(lane);
        long now = System.nanoTime();
        if (known != null && now - known.nanos < FRESH_NANOS) {
            return known.end;
        }
        Known read = new Known(reads.end(connection, lane), now);
        byLane.put(lane, read);
        return read.end;
    }

    /** Somebody has seen it there; ends only grow. */
    void seen(int lane, long end) {
        Known now = new Known(end, System.nanoTime());
        Known unused = byLane.merge(lane, now, (before, after) -> before.end > after.end ? before : after);
    }
}

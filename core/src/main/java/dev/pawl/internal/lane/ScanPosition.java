package dev.pawl.internal.lane;

import java.time.Duration;

/**
 * The position of a scan through a lane that is repeated each second. The next scan continues there. A scan restarts at the first id only
 * once a minute, because it reads deleted rows again while a transaction has an old snapshot.
 *
 * <p>Not thread-safe: one duty scans.
 */
final class ScanPosition {
    static final Duration FROM_THE_START = Duration.ofMinutes(1);

    private long end;
    private long startedNanos;
    private boolean hasStarted;

    /**
     * Begins a scan.
     *
     * @param nanos {@link System#nanoTime()}
     * @return the id after which to begin
     */
    long begin(long nanos) {
        if (!hasStarted || nanos - startedNanos >= FROM_THE_START.toNanos()) {
            hasStarted = true;
            startedNanos = nanos;
            end = 0;
        }
        return end;
    }

    /** Stores the position after a successful scan. A failed scan is repeated. */
    void reached(long id) {
        end = Math.max(end, id);
    }
}

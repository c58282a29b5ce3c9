package dev.pawl.internal.lane;

import java.time.Duration;

/**
 * How far a look through a lane has come that is repeated each second. It goes on there, and begins at the first id only
 * once a minute: a database walks over rows that were deleted as long as a transaction has an old snapshot, each time again.
 *
 * <p>Not thread-safe: one duty looks.
 */
final class LastLook {
    static final Duration FROM_THE_START = Duration.ofMinutes(1);

    private long end;
    private long startedNanos;
    private boolean hasStarted;

    /**
     * Begins a look.
     *
     * @param nanos {@link System#nanoTime()}
     * @return behind which id
     */
    long begin(long nanos) {
        if (!hasStarted || nanos - startedNanos >= FROM_THE_START.toNanos()) {
            hasStarted = true;
            startedNanos = nanos;
            end = 0;
        }
        return end;
    }

    /** It has come to this id; one that fails says nothing, and is made again. */
    void cameTo(long id) {
        end = Math.max(end, id);
    }
}

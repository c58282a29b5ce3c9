package dev.pawl.internal.engine;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Decides which outages are logged. A logged outage is reported once when it begins and once when it ends. An outage that begins within a
 * minute after a logged one is only counted, unless it lasts beyond that minute. Without this rule the log would fill up while one node of
 * a cluster refuses writes and the others accept them, because outages then begin and end all the time. Not thread-safe.
 */
final class OutageLog {
    private static final long QUIET = TimeUnit.MINUTES.toNanos(1);

    private @Nullable Long loggedNanos;
    private long endedNanos;
    private boolean isLogged;
    private int unlogged;

    /**
     * Reports an error of the current outage.
     *
     * @param nowNanos the monotonic clock
     * @return the number of outages in the last minute that were not logged, if this one is to be logged now; negative if not
     */
    int failed(long nowNanos) {
        if (isLogged || isQuiet(nowNanos)) {
            return -1;
        }
        int before = nowNanos - endedNanos < QUIET ? unlogged : 0;
        loggedNanos = nowNanos;
        isLogged = true;
        unlogged = 0;
        return before;
    }

    private boolean isQuiet(long nowNanos) {
        Long logged = loggedNanos;
        return logged != null && nowNanos - logged < QUIET;
    }

    /**
     * Reports the end of the current outage.
     *
     * @return whether it is to be logged, because its beginning was
     */
    boolean ended(long nowNanos) {
        boolean wasLogged = isLogged;
        if (!wasLogged) {
            unlogged++;
            endedNanos = nowNanos;
        }
        isLogged = false;
        return wasLogged;
    }
}

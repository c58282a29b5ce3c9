package dev.pawl.manager;

import java.util.concurrent.TimeUnit;

/**
 * Circuit breaker for a failing worker: after three consecutive failures it blocks calls for a second, then admits one
 * trial call; each failed trial doubles the delay, up to a minute. Calls that fail while it blocks, because they began
 * before, do not count: one restart of the worker fails all its calls. Thread-safe.
 */
final class Circuit {
    private static final int FAILURES = 3;
    private static final long SHORTEST = TimeUnit.SECONDS.toNanos(1);
    private static final long LONGEST = TimeUnit.MINUTES.toNanos(1);

    private int failures;
    private long closedUntil;
    private boolean trying;

    /** {@return true if the worker may be called now} */
    synchronized boolean allows(long now) {
        return failures < FAILURES || (now - closedUntil >= 0 && !trying);
    }

    /** Begins a call. {@link #ended} always follows. */
    synchronized void begin() {
        trying = failures >= FAILURES;
    }

    /** Ends the call, even if it revealed nothing about the worker. */
    synchronized void ended() {
        trying = false;
    }

    synchronized void succeeded() {
        failures = 0;
    }

    synchronized void failed(long now) {
        if (failures >= FAILURES && now - closedUntil < 0) {
            return;
        }
        failures++;
        if (failures >= FAILURES) {
            closedUntil = now + Math.min(LONGEST, SHORTEST << Math.min(failures - FAILURES, 6));
        }
    }
}

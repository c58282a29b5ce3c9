package dev.pawl.internal.quota;

import dev.pawl.internal.store.LimitSource;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * For how long starts must be good, so that they are not over when the worker hears of them: what is dealt counts from when it was asked for,
 * and a starved machine, or a database far away, may answer late. Not thread-safe: guarded by {@link LocalLimits}.
 */
final class ResponseTime {
    /** Starts are good for as long in any case, and answers that take half of it need no more. */
    private static final long USUAL = TimeUnit.MILLISECONDS.toNanos(100);

    private static final long LONGEST = LimitSource.SHARE.toNanos();

    /** Twice what an answer took lately: a job has as long to begin as the answer has taken. */
    private long nanos;

    /** An answer has taken so long. A quick one does not mean that the next one is. */
    void heard(long trip) {
        nanos = Math.min(LONGEST, Math.max(2 * trip, nanos / 2));
    }

    /** {@return the length to ask for; zero for the usual one} */
    Duration goodFor() {
        return nanos <= USUAL ? Duration.ZERO : Duration.ofNanos(nanos);
    }
}

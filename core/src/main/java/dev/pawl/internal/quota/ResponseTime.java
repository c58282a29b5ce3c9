package dev.pawl.internal.quota;

import dev.pawl.internal.store.LimitSource;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Measures how long allocated starts must be valid, so that they have not expired when the response arrives: their validity counts from the
 * request, and an overloaded machine or a distant database may respond late. Not thread-safe: guarded by {@link LocalLimits}.
 */
final class ResponseTime {
    /** The usual validity, sufficient for responses that take half of it. */
    private static final long USUAL = TimeUnit.MILLISECONDS.toNanos(100);

    private static final long LONGEST = LimitSource.SHARE.toNanos();

    /** Twice the recent response time, which leaves a job as long to start as the response took. */
    private long nanos;

    /** Adds a response time. A quick response reduces the validity gradually only. */
    void received(long trip) {
        nanos = Math.min(LONGEST, Math.max(2 * trip, nanos / 2));
    }

    /** {@return the validity to request; zero for the usual one} */
    Duration goodFor() {
        return nanos <= USUAL ? Duration.ZERO : Duration.ofNanos(nanos);
    }
}

package dev.pawl.internal.quota;

import dev.pawl.internal.store.LimitSource;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Measures how long allocated starts must be valid, so that they have not expired when the response arrives. Their validity counts from the
 * request, and an overloaded machine or a distant database may respond late. Not thread-safe: guarded by {@link LocalLimits}.
 */
final class ResponseTime {
    /** The usual validity, which suffices for responses that take up to half of it. */
    private static final long USUAL = TimeUnit.MILLISECONDS.toNanos(100);

    private static final long LONGEST = LimitSource.SHARE.toNanos();

    /** Twice the recent response time, so that half of the validity is left for the job to start after the response. */
    private long nanos;

    /** Adds a response time. Quick responses reduce the validity only gradually. */
    void received(long trip) {
        nanos = Math.min(LONGEST, Math.max(2 * trip, nanos / 2));
    }

    /** {@return the validity to request; zero for the usual validity} */
    Duration goodFor() {
        return nanos <= USUAL ? Duration.ZERO : Duration.ofNanos(nanos);
    }
}

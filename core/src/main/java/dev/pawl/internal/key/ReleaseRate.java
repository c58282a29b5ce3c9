package dev.pawl.internal.key;

import dev.pawl.internal.rate.Bucket;
import dev.pawl.limit.Rate;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Limits how many jobs of each key are released where there is a rate: as many as may start soon, so that no others wait in the queue or in
 * a worker. Workers enforce the rate itself when jobs start, which may be much later.
 */
final class ReleaseRate {
    static final ReleaseRate NONE = new ReleaseRate(null, Map.of());

    /** So many microseconds ahead of its turn a job is released, so that it is there when it may start. */
    private static final long AHEAD = 100_000;

    /** A turn for every few milliseconds would be too much; more than one job is released at a time then. */
    private static final long SHORTEST = 50_000;

    private final @Nullable Rate rate;
    private final Map<String, KeyRates.Left> left;
    private final Map<String, Long> next = new HashMap<>();

    /**
     * @param rate of each key; null if there is none
     * @param left of it, by the key; of each that is asked for
     */
    ReleaseRate(@Nullable Rate rate, Map<String, KeyRates.Left> left) {
        this.rate = rate;
        this.left = left;
    }

    /**
     * @param key of the turn
     * @param waiting how many were released and have not been claimed
     * @return how many more are of use
     */
    int room(String key, int waiting) {
        KeyRates.Left mine = left.get(key);
        return rate == null || mine == null
                ? Integer.MAX_VALUE
                : Math.max(0, bucket(key, mine).startsWithin(rate, mine.now(), AHEAD) - waiting);
    }

    /** {@return how long until another one is of use} */
    Duration untilRoom(String key, int waiting) {
        KeyRates.Left mine = left.get(key);
        if (rate == null || mine == null) {
            return Duration.ZERO;
        }
        long until = bucket(key, mine).untilStart(rate, mine.now(), waiting) - AHEAD;
        return Duration.of(Math.max(SHORTEST, until), ChronoUnit.MICROS);
    }

    /** So many were released. */
    void released(String key, int jobs) {
        KeyRates.Left mine = left.get(key);
        if (rate != null && mine != null && jobs > 0) {
            next.put(key, mine.now() + bucket(key, mine).untilStart(rate, mine.now(), jobs));
        }
    }

    /** Those that were released may not have started yet; and what starts need not have been released, such as a retry. */
    private Bucket bucket(String key, KeyRates.Left mine) {
        long nextTime = next.getOrDefault(key, mine.nextRelease());
        return Bucket.of(
                Math.max(nextTime, mine.bucket().nextStart()), mine.bucket().costly());
    }

    /** {@return the last turn that there can be to let a job go, with this rate} */
    static long furthest(Bucket bucket, Rate rate, long now) {
        return now + AHEAD + Bucket.furthest(rate, bucket.costly() != null);
    }

    /** {@return the turns of the next job, of each key of which some were released} */
    Map<String, Long> next() {
        return next;
    }
}

package dev.pawl.internal.key;

import dev.pawl.internal.rate.Bucket;
import dev.pawl.limit.Rate;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Limits how many jobs of each key are released if the keys have a rate: only jobs that may start soon, so that the rest stays blocked
 * instead of waiting in the queue or in a worker. Workers enforce the rate itself when jobs start, which may be much later.
 */
final class ReleaseRate {
    static final ReleaseRate NONE = new ReleaseRate(null, Map.of());

    /** How many microseconds before its permitted start a job is released, so that a worker has it in time. */
    private static final long AHEAD = 100_000;

    /** Minimum wait between releases of a key, in microseconds. At a high rate each release takes several jobs. */
    private static final long SHORTEST = 50_000;

    private final @Nullable Rate rate;
    private final Map<String, KeyRates.Left> left;
    private final Map<String, Long> next = new HashMap<>();

    /**
     * @param rate of each key; null if there is none
     * @param left what remains of it, for each key to be released
     */
    ReleaseRate(@Nullable Rate rate, Map<String, KeyRates.Left> left) {
        this.rate = rate;
        this.left = left;
    }

    /**
     * @param key to release jobs of
     * @param waiting how many of its jobs were released and have not been claimed
     * @return how many more may be released
     */
    int room(String key, int waiting) {
        KeyRates.Left mine = left.get(key);
        return rate == null || mine == null
                ? Integer.MAX_VALUE
                : Math.max(0, bucket(key, mine).startsWithin(rate, mine.now(), AHEAD) - waiting);
    }

    /** {@return how long until another job may be released} */
    Duration untilRoom(String key, int waiting) {
        KeyRates.Left mine = left.get(key);
        if (rate == null || mine == null) {
            return Duration.ZERO;
        }
        long until = bucket(key, mine).untilStart(rate, mine.now(), waiting) - AHEAD;
        return Duration.of(Math.max(SHORTEST, until), ChronoUnit.MICROS);
    }

    /** Records how many jobs of a key were released. */
    void released(String key, int jobs) {
        KeyRates.Left mine = left.get(key);
        if (rate != null && mine != null && jobs > 0) {
            next.put(key, mine.now() + bucket(key, mine).untilStart(rate, mine.now(), jobs));
        }
    }

    /**
     * Uses the later of the next release and the next start, because released jobs may not have started yet, and retries start without a
     * release.
     */
    private Bucket bucket(String key, KeyRates.Left mine) {
        long nextTime = next.getOrDefault(key, mine.nextRelease());
        return Bucket.of(
                Math.max(nextTime, mine.bucket().nextStart()), mine.bucket().costly());
    }

    /** {@return the latest time, in microseconds, that the next release of a key can have with this rate} */
    static long furthest(Bucket bucket, Rate rate, long now) {
        return now + AHEAD + Bucket.furthest(rate, bucket.costly() != null);
    }

    /** {@return when the next job may be released, in microseconds, for each key of which jobs were released} */
    Map<String, Long> next() {
        return next;
    }
}

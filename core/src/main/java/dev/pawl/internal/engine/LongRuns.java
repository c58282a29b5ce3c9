package dev.pawl.internal.engine;

import dev.pawl.api.WorkerEvent;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Reports, once, a run that takes far longer than any run of its kind that this worker has completed. Nothing else would report it, because
 * its lease is renewed. Thread-safe.
 */
final class LongRuns {
    /** Minimum ratio to the longest run so far. */
    private static final int MIN_FACTOR = 5;

    private final HeldJobs heldJobs;
    private final Events events;
    private final long minExcessNanos;
    private final Map<String, Long> longest = new ConcurrentHashMap<>();

    LongRuns(HeldJobs heldJobs, Events events) {
        this(heldJobs, events, TimeUnit.MINUTES.toNanos(1));
    }

    /**
     * @param minExcessNanos minimum excess over the longest run so far, so that a hiccup of a short job is not reported
     */
    LongRuns(HeldJobs heldJobs, Events events, long minExcessNanos) {
        this.heldJobs = heldJobs;
        this.events = events;
        this.minExcessNanos = minExcessNanos;
    }

    /** Notes a completed run. Called for every job, so it writes only a new maximum. */
    void completed(String kind, long nanos) {
        Long known = longest.get(kind);
        if (known == null || nanos > known) {
            longest.merge(kind, nanos, Math::max);
        }
    }

    void check() {
        long now = System.nanoTime();
        for (HeldJob held : heldJobs.all()) {
            Long usual = longest.get(held.job().kind());
            if (usual != null) {
                long running = held.stalled(Math.max(MIN_FACTOR * usual, usual + minExcessNanos), now);
                if (running > 0) {
                    events.publish(
                            new WorkerEvent.Stalled(held.job(), Duration.ofNanos(running), Duration.ofNanos(usual)));
                }
            }
        }
    }
}

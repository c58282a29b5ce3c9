package dev.pawl.internal.engine;

import dev.pawl.WorkerEvent;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Tells, once, of a run that takes far longer than any run of its kind that this worker has completed: nothing else would say
 * so, because its lease is renewed. Thread-safe.
 */
final class LongRuns {
    /** How many times as long as the longest so far. */
    private static final int FAR = 5;

    private final HeldJobs heldJobs;
    private final Events events;
    private final long muchNanos;
    private final Map<String, Long> longest = new ConcurrentHashMap<>();

    LongRuns(HeldJobs heldJobs, Events events) {
        this(heldJobs, events, TimeUnit.MINUTES.toNanos(1));
    }

    /**
     * @param muchNanos and by so much longer, or a hiccup of a short job would be news
     */
    LongRuns(HeldJobs heldJobs, Events events, long muchNanos) {
        this.heldJobs = heldJobs;
        this.events = events;
        this.muchNanos = muchNanos;
    }

    /** A job has been completed by its handler. On the path of every job, so it writes only what is news. */
    void completed(String kind, long nanos) {
        Long known = longest.get(kind);
        if (known == null || nanos > known) {
            longest.merge(kind, nanos, Math::max);
        }
    }

    void look() {
        long now = System.nanoTime();
        for (HeldJob held : heldJobs.all()) {
            Long usual = longest.get(held.job().kind());
            if (usual != null) {
                long running = held.stalled(Math.max(FAR * usual, usual + muchNanos), now);
                if (running > 0) {
                    events.tell(
                            new WorkerEvent.Stalled(held.job(), Duration.ofNanos(running), Duration.ofNanos(usual)));
                }
            }
        }
    }
}

package dev.pawl.internal.lane;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * The kinds whose jobs need rows of their own, as this worker has learned. Examples are kinds with steps, with {@code chunk.transaction},
 * and kinds that run remotely. Claimed jobs of these kinds get rows at once, in one statement, instead of one by one as they run. Entries
 * expire after some minutes, in case the need was an exception. Thread-safe.
 */
final class RowKinds {
    private static final long REMEMBERED_NANOS = TimeUnit.MINUTES.toNanos(5);
    /** Bounds memory, because a program may use a new kind for each job. */
    private static final int MAX = 1000;

    private final Map<String, Long> learnedNanos = new ConcurrentHashMap<>();

    void learn(String kind) {
        if (learnedNanos.size() >= MAX) {
            learnedNanos.clear();
        }
        learnedNanos.put(kind, System.nanoTime());
    }

    boolean contains(String kind) {
        Long learned = learnedNanos.get(kind);
        return learned != null && System.nanoTime() - learned < REMEMBERED_NANOS;
    }

    boolean isEmpty() {
        return learnedNanos.isEmpty();
    }
}

package dev.pawl.internal.lane;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * The claims of a process that lost a race to another worker. After one, claims of its lane take turns for some seconds.
 * Thread-safe.
 */
final class LostRaces {
    private static final long TURNS_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final Map<Integer, Long> lastNanos = new ConcurrentHashMap<>();
    private final LongAdder count = new LongAdder();

    void add(int lane) {
        count.increment();
        lastNanos.put(lane, System.nanoTime());
    }

    boolean takeTurns(int lane) {
        Long last = lastNanos.get(lane);
        return last != null && System.nanoTime() - last < TURNS_NANOS;
    }

    long count() {
        return count.sum();
    }
}

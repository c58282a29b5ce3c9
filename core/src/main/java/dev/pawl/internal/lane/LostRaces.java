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
    /** For this time claims race again after a turn could not be had: its owner may be frozen, or the server has none. */
    private static final long NO_TURNS_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final Map<Integer, Long> lastNanos = new ConcurrentHashMap<>();
    private final Map<Integer, Long> refusedNanos = new ConcurrentHashMap<>();
    private final LongAdder count = new LongAdder();

    void add(int lane) {
        count.increment();
        lastNanos.put(lane, System.nanoTime());
    }

    boolean takeTurns(int lane) {
        Long refused = refusedNanos.get(lane);
        Long last = lastNanos.get(lane);
        long now = System.nanoTime();
        return last != null && now - last < TURNS_NANOS && (refused == null || now - refused >= NO_TURNS_NANOS);
    }

    /** A claim could not have its turn. */
    void noTurn(int lane) {
        refusedNanos.put(lane, System.nanoTime());
    }

    long count() {
        return count.sum();
    }
}

package dev.pawl.lab.scenario;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The slot locker of source 004, re-stated: a cache holds the last slot, when it was released, and a reservation for each slot
 * that is in use. Here every call is atomic and no reservation runs out, so what goes wrong goes wrong by design. Not
 * thread-safe.
 */
final class SlotLocker {
    private final Map<Long, Long> reservedAt = new HashMap<>();
    private @Nullable Long lastSlot;
    private long lastReleasedAt;
    private long clock;

    /** Reserves the next slot after the last one that is not reserved. */
    long reserve() {
        long slot = lastSlot == null ? 0 : lastSlot;
        do {
            slot++;
        } while (reservedAt.containsKey(slot));
        reservedAt.put(slot, ++clock);
        return slot;
    }

    /** A job is done: its slot becomes the last one if it was reserved after the last release; the time kept is now. */
    void release(long slot) {
        long reserved = reservedAt.getOrDefault(slot, 0L);
        if (lastReleasedAt < reserved) {
            lastReleasedAt = ++clock;
            lastSlot = slot;
        }
        reservedAt.remove(slot);
    }
}

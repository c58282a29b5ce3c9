package dev.pawl.lab.scenario;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The slot locker of source 004: a cache holds the last slot, the time of its release, and a reservation for each slot
 * in use. Here every call is atomic and no reservation expires, so failures are caused by the design. Not thread-safe.
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

    /** Ends a job. If its slot was reserved after the recorded release, the slot becomes the last one, with the current time. */
    void release(long slot) {
        long reserved = reservedAt.getOrDefault(slot, 0L);
        if (lastReleasedAt < reserved) {
            lastReleasedAt = ++clock;
            lastSlot = slot;
        }
        reservedAt.remove(slot);
    }
}

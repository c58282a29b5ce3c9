package dev.pawl.internal.lane;

import dev.pawl.internal.store.Grant;
import dev.pawl.internal.store.Lease;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Which range each job that this worker holds belongs to. A job without one has a row of its own. Thread-safe. */
final class HeldRanges {
    private final Map<Lease, HeldRange> byJob = new ConcurrentHashMap<>();

    void add(LaneClaim.Won won) {
        for (Grant grant : won.grants()) {
            byJob.put(grant.lease(), won.range());
        }
    }

    @Nullable
    HeldRange of(Lease lease) {
        return byJob.get(lease);
    }

    void remove(Lease lease) {
        byJob.remove(lease);
    }

    /** What its worker has let go of without a word: its lease has been over for so long. */
    void forget(long nanos) {
        byJob.values().removeIf(range -> range.isOverFor(nanos));
    }
}

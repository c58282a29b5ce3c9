package dev.pawl.internal.engine;

import dev.pawl.internal.store.Lease;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Every job that this worker holds, by lease. Thread-safe. */
final class HeldJobs {
    private final Map<Lease, HeldJob> byLease = new ConcurrentHashMap<>();

    void add(HeldJob held) {
        byLease.put(held.lease(), held);
    }

    @Nullable
    HeldJob remove(Lease lease) {
        return byLease.remove(lease);
    }

    @Nullable
    HeldJob get(Lease lease) {
        return byLease.get(lease);
    }

    Collection<HeldJob> all() {
        return byLease.values();
    }

    boolean isEmpty() {
        return byLease.isEmpty();
    }
}

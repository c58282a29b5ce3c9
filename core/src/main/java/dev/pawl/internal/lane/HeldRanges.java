package dev.pawl.internal.lane;

import dev.pawl.internal.store.Grant;
import dev.pawl.internal.store.Lease;
import java.util.BitSet;
import java.util.Iterator;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Maps each job that this worker holds to its range. A job without a range has a row of its own. A lease refers to its range, so this class
 * needs only one bit for each job. Thread-safe.
 */
final class HeldRanges {
    private final Set<HeldRange> ranges = ConcurrentHashMap.newKeySet();

    void add(LaneClaim.Won won) {
        HeldRange range = won.range();
        BitSet places = new BitSet(range.ids().size());
        for (Grant grant : won.grants()) {
            places.set(range.ids().positionOf(grant.lease().jobId()));
        }
        if (!places.isEmpty()) {
            range.hold(places);
            ranges.add(range);
        }
    }

    /** Holds jobs again. They were released when they left their range, and are in the range again. */
    void holdAgain(HeldRange range, BitSet places) {
        if (!places.isEmpty()) {
            range.hold(places);
            ranges.add(range);
        }
    }

    @Nullable
    HeldRange of(Lease lease) {
        if (lease.of() instanceof HeldRange range) {
            return range.isHeld(range.ids().positionOf(lease.jobId())) ? range : null;
        }
        return search(lease);
    }

    /** Finds the range of a lease that was rebuilt from its numbers and does not refer to a range. */
    private @Nullable HeldRange search(Lease lease) {
        long job = lease.jobId();
        for (HeldRange range : ranges) {
            if (lease.token() == range.token()
                    && job >= range.ids().first()
                    && job <= range.ids().last()
                    && range.isHeld(range.ids().positionOf(job))) {
                return range;
            }
        }
        return null;
    }

    /** Removes a job; has no effect if its lease is not held. */
    void remove(Lease lease) {
        HeldRange range = of(lease);
        if (range != null) {
            BitSet place = new BitSet();
            place.set(range.ids().positionOf(lease.jobId()));
            boolean unused = remove(range, place);
        }
    }

    /** {@return whether this worker holds no job of the range any more} */
    boolean remove(HeldRange range, BitSet places) {
        boolean last = range.release(places);
        if (last) {
            ranges.remove(range);
        }
        return last;
    }

    /** Drops ranges whose lease expired at least this long ago, although their worker has not released them. */
    void forget(long nanos) {
        Iterator<HeldRange> each = ranges.iterator();
        while (each.hasNext()) {
            HeldRange range = each.next();
            if (range.hasExpiredFor(nanos)) {
                BitSet all = new BitSet();
                all.set(0, range.ids().size());
                boolean unused = range.release(all);
                each.remove();
            }
        }
    }
}

package dev.pawl.internal.lane;

import dev.pawl.internal.store.Grant;
import dev.pawl.internal.store.Lease;
import java.util.BitSet;
import java.util.Iterator;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Which range each job that this worker holds belongs to. A job without one has a row of its own. A lease of a claim knows its range, so
 * nothing is kept for each job but a bit. Thread-safe.
 */
final class HeldRanges {
    private final Set<HeldRange> ranges = ConcurrentHashMap.newKeySet();

    void add(LaneClaim.Won won) {
        HeldRange range = won.range();
        BitSet places = new BitSet(range.ids().size());
        for (Grant grant : won.grants()) {
            places.set(range.ids().placeOf(grant.lease().jobId()));
        }
        if (!places.isEmpty()) {
            range.hold(places);
            ranges.add(range);
        }
    }

    /** Jobs of which it had let go, because they had left their range, are in it all the same. */
    void holdAgain(HeldRange range, BitSet places) {
        if (!places.isEmpty()) {
            range.hold(places);
            ranges.add(range);
        }
    }

    @Nullable
    HeldRange of(Lease lease) {
        if (lease.of() instanceof HeldRange range) {
            return range.isHeld(range.ids().placeOf(lease.jobId())) ? range : null;
        }
        return search(lease);
    }

    /** Of a lease that did not come with a claim: somebody knows its numbers. */
    private @Nullable HeldRange search(Lease lease) {
        long job = lease.jobId();
        for (HeldRange range : ranges) {
            if (lease.token() == range.token()
                    && job >= range.ids().first()
                    && job <= range.ids().last()
                    && range.isHeld(range.ids().placeOf(job))) {
                return range;
            }
        }
        return null;
    }

    /** Has no effect on one that it does not hold. */
    void remove(Lease lease) {
        HeldRange range = of(lease);
        if (range != null) {
            BitSet place = new BitSet();
            place.set(range.ids().placeOf(lease.jobId()));
            remove(range, place);
        }
    }

    void remove(HeldRange range, BitSet places) {
        if (range.letGo(places)) {
            ranges.remove(range);
        }
    }

    /** What its worker has let go of without a word: its lease has been over for so long. */
    void forget(long nanos) {
        Iterator<HeldRange> each = ranges.iterator();
        while (each.hasNext()) {
            HeldRange range = each.next();
            if (range.isOverFor(nanos)) {
                BitSet all = new BitSet();
                all.set(0, range.ids().size());
                boolean unused = range.letGo(all);
                each.remove();
            }
        }
    }
}

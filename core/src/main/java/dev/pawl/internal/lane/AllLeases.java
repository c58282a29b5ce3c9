package dev.pawl.internal.lane;

import dev.pawl.internal.store.Lease;
import dev.pawl.internal.store.Settlement;
import java.util.AbstractSet;
import java.util.Collection;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The leases of runs, all of which were recorded. Most callers read only its size, so the leases are hashed at the
 * first other access. Each run has its own lease. Confined to one thread.
 */
final class AllLeases extends AbstractSet<Lease> {
    private final Collection<List<Settlement>> runs;
    private final int size;
    private @Nullable Set<Lease> hashed;

    AllLeases(Collection<List<Settlement>> runs) {
        this.runs = runs;
        this.size = runs.stream().mapToInt(List::size).sum();
    }

    private Set<Lease> hashed() {
        Set<Lease> all = hashed;
        if (all == null) {
            all = new HashSet<>();
            for (List<Settlement> some : runs) {
                for (Settlement run : some) {
                    all.add(run.lease());
                }
            }
            hashed = all;
        }
        return all;
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public boolean contains(@Nullable Object lease) {
        return hashed().contains(lease);
    }

    @Override
    public Iterator<Lease> iterator() {
        return hashed().iterator();
    }
}

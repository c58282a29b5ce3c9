package dev.pawl.internal.engine;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The heap of this process, as its garbage collector reports it. Thread-safe. */
final class JvmHeap implements MemoryGuard.Heap {
    private static final Logger LOG = LoggerFactory.getLogger(JvmHeap.class);

    /** Pools whose collector reports the memory in use after a collection. */
    private final List<MemoryPoolMXBean> pools = ManagementFactory.getMemoryPoolMXBeans().stream()
            .filter(pool -> pool.getType() == MemoryType.HEAP && pool.getCollectionUsage() != null)
            .toList();

    /**
     * Warns if the collector does not report memory use, so that the limit has no effect.
     *
     * @param worker its name
     */
    static JvmHeap of(String worker) {
        JvmHeap heap = new JvmHeap();
        if (!heap.isKnown()) {
            LOG.warn(
                    "{}: the garbage collector of this JVM does not report memory use, so maxHeapUse has no effect",
                    worker);
        }
        return heap;
    }

    /** {@return whether the collector reports the memory in use after a collection} */
    boolean isKnown() {
        return !pools.isEmpty();
    }

    @Override
    public double afterCollection() {
        long used = 0;
        for (MemoryPoolMXBean pool : pools) {
            MemoryUsage left = pool.getCollectionUsage();
            used += left == null ? 0 : left.getUsed();
        }
        return (double) used / Runtime.getRuntime().maxMemory();
    }

    @Override
    public double now() {
        Runtime runtime = Runtime.getRuntime();
        return (double) (runtime.totalMemory() - runtime.freeMemory()) / runtime.maxMemory();
    }

    @Override
    public void collect() {
        System.gc();
    }
}

package dev.pawl.internal.engine;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The heap of this process, as its collector reports it. Thread-safe. */
final class JvmHeap implements HeapMark.Heap {
    private static final Logger LOG = LoggerFactory.getLogger(JvmHeap.class);

    /** Those whose collector says what it has left. */
    private final List<MemoryPoolMXBean> pools = ManagementFactory.getMemoryPoolMXBeans().stream()
            .filter(pool -> pool.getType() == MemoryType.HEAP && pool.getCollectionUsage() != null)
            .toList();

    /**
     * Says so if the mark of a worker has no effect.
     *
     * @param worker its name
     */
    static JvmHeap of(String worker) {
        JvmHeap heap = new JvmHeap();
        if (!heap.isKnown()) {
            LOG.warn(
                    "{}: the collector of this JVM does not say what it has left, so the heap mark has no effect",
                    worker);
        }
        return heap;
    }

    /** {@return whether the collector of this JVM says what it has left} */
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

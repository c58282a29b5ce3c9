package dev.pawl.manager;

import dev.pawl.api.WorkerStats;
import dev.pawl.spi.RemoteRun.Ending;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** Counts the outcomes that workers have reported to this manager. Thread-safe. */
final class Tally {
    private final Map<Ending, LongAdder> counts = new ConcurrentHashMap<>();

    void count(Ending ending) {
        counts.computeIfAbsent(ending, one -> new LongAdder()).increment();
    }

    private long of(Ending ending) {
        LongAdder count = counts.get(ending);
        return count == null ? 0 : count.sum();
    }

    /** {@return these counts plus those of the manager's own worker} */
    WorkerStats with(WorkerStats own) {
        return new WorkerStats(
                own.claimed(),
                own.completed() + of(Ending.COMPLETED),
                own.failed() + of(Ending.FAILED),
                own.snoozed() + of(Ending.SNOOZED),
                own.cancelled() + of(Ending.CANCELLED),
                own.discarded() + of(Ending.DISCARDED),
                own.leasesLost() + of(Ending.REFUSED),
                own.released(),
                own.rescued(),
                own.claimsLost(),
                own.contended(),
                own.running(),
                own.buffered(),
                own.concurrency(),
                own.heapFull(),
                own.heapPauses());
    }
}

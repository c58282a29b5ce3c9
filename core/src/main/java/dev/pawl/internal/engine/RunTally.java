package dev.pawl.internal.engine;

import dev.pawl.internal.store.RunTimes;
import dev.pawl.internal.store.Verdict;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Histograms of run times by kind since the worker started, which its heartbeat reports. The first sixteen kinds are counted separately,
 * all others together. Counts only grow, so a reader can compute the difference between two reports. Thread-safe.
 */
final class RunTally {
    private static final int MAX_KINDS = 16;

    private final Map<String, LongAdder[]> kinds = new ConcurrentHashMap<>();

    /**
     * Counts a finished run. Released, delayed and cancelled runs are not counted, because they say nothing about the duration of the work.
     * Called for every job.
     */
    void ended(HeldJob held, @Nullable Verdict verdict) {
        if (verdict instanceof Verdict.Completed
                || verdict instanceof Verdict.Retry
                || verdict instanceof Verdict.Discarded) {
            count(held.job().kind(), held.ranNanos());
        }
    }

    void count(String kind, long nanos) {
        LongAdder[] counts = kinds.get(kind);
        if (counts == null) {
            counts = begin(kind);
        }
        counts[RunTimes.bucket(nanos)].increment();
    }

    private synchronized LongAdder[] begin(String kind) {
        boolean known = kinds.containsKey(kind) || kinds.size() < MAX_KINDS;
        return kinds.computeIfAbsent(known ? kind : RunTimes.OTHERS, name -> {
            LongAdder[] counts = new LongAdder[RunTimes.BUCKETS];
            for (int i = 0; i < counts.length; i++) {
                counts[i] = new LongAdder();
            }
            return counts;
        });
    }

    /** {@return the counts as {@link RunTimes} writes them; null before the first run} */
    @Nullable
    String json() {
        Map<String, long[]> sums = new TreeMap<>();
        kinds.forEach((kind, counts) -> {
            long[] sum = new long[counts.length];
            for (int i = 0; i < counts.length; i++) {
                sum[i] = counts[i].sum();
            }
            sums.put(kind, sum);
        });
        return RunTimes.json(sums);
    }
}

package dev.pawl.internal.engine;

import dev.pawl.internal.store.RunTimes;
import dev.pawl.internal.store.Verdict;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Counts how long runs take, by kind, since the worker started; told with its heartbeat. The first sixteen kinds that run are counted
 * each for itself, all others together: counts that only grow can be told apart by whoever looks now and then. Thread-safe.
 */
final class RunTally {
    private static final int MOST_KINDS = 16;

    private final Map<String, LongAdder[]> kinds = new ConcurrentHashMap<>();

    /** A run has ended. What was given back, put off or cancelled says nothing about how long the work takes. On the path of every job. */
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
        boolean known = kinds.containsKey(kind) || kinds.size() < MOST_KINDS;
        return kinds.computeIfAbsent(known ? kind : RunTimes.OTHERS, name -> {
            LongAdder[] counts = new LongAdder[RunTimes.BUCKETS];
            for (int i = 0; i < counts.length; i++) {
                counts[i] = new LongAdder();
            }
            return counts;
        });
    }

    /** {@return the words of {@link RunTimes}; null before the first run} */
    @Nullable
    String text() {
        Map<String, long[]> sums = new TreeMap<>();
        kinds.forEach((kind, counts) -> {
            long[] sum = new long[counts.length];
            for (int i = 0; i < counts.length; i++) {
                sum[i] = counts[i].sum();
            }
            sums.put(kind, sum);
        });
        return RunTimes.text(sums);
    }
}

package dev.pawl.internal.watch;

import dev.pawl.internal.store.RunTimes;
import dev.pawl.spi.RunLengths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Converts run times between the format of {@link RunTimes} and the objects for users. */
final class RunText {
    private static final int MAX_KINDS = 20;
    private static final long[] BOUNDS = RunTimes.bounds();

    private RunText() {}

    /** {@return an entry for each kind with runs; the entry for all other kinds is last} */
    static List<RunLengths> lengths(Map<String, long[]> kinds) {
        Map<String, long[]> named = new TreeMap<>(kinds);
        named.values().removeIf(counts -> Arrays.stream(counts).allMatch(count -> count == 0));
        long[] others = named.remove(RunTimes.OTHERS);
        List<RunLengths> lengths = new ArrayList<>(RunLengths.ofAll(BOUNDS, named));
        if (others != null) {
            lengths.add(RunLengths.of(null, BOUNDS, others));
        }
        return lengths;
    }

    /** {@return JSON of the kinds with the most runs, and of all other kinds together; null without runs} */
    static @Nullable String of(List<RunLengths> lengths) {
        Set<String> listed = new HashSet<>();
        lengths.stream()
                .sorted(Comparator.comparingLong(RunLengths::runs).reversed())
                .map(RunLengths::kind)
                .filter(kind -> kind != null)
                .limit(MAX_KINDS)
                .forEach(listed::add);
        Map<String, long[]> kinds = new TreeMap<>();
        for (RunLengths one : lengths) {
            String kind = one.kind();
            long[] counts = kinds.computeIfAbsent(
                    kind != null && listed.contains(kind) ? kind : RunTimes.OTHERS, name -> new long[RunTimes.BUCKETS]);
            for (RunLengths.Bucket bucket : one.buckets()) {
                counts[RunTimes.bucket(bucket.from().toNanos())] += bucket.runs();
            }
        }
        return RunTimes.json(kinds);
    }
}

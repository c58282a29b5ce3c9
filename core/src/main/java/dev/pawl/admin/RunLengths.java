package dev.pawl.admin;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * How long runs of a kind took: those that completed or failed, as their workers measured them. How long each took is known to within a
 * third or so. Immutable.
 */
public final class RunLengths {
    private final @Nullable String kind;
    /** Arrays and not a list of buckets: samples of a week have a million of those. */
    private final long[] bounds;

    private final long[] counts;

    private RunLengths(@Nullable String kind, long[] bounds, long[] counts) {
        this.kind = kind;
        this.bounds = bounds;
        this.counts = counts;
    }

    /**
     * Runs of about the same length.
     *
     * @param from they took as long as this
     * @param upTo and not as long as this
     * @param runs how many
     */
    public record Bucket(Duration from, Duration upTo, long runs) {}

    /**
     * @param kind their kind; null for several kinds together
     * @param bounds where each bucket begins, in nanoseconds, and where the last one ends; ascending, one more than counts
     * @param counts how many runs are in each bucket
     * @return a copy of that
     * @throws IllegalArgumentException if there are not as many bounds as that
     */
    public static RunLengths of(@Nullable String kind, long[] bounds, long[] counts) {
        if (bounds.length != counts.length + 1) {
            throw new IllegalArgumentException(
                    bounds.length + " bounds do not fit " + counts.length + " counts: use one more than those");
        }
        return new RunLengths(kind, bounds.clone(), counts.clone());
    }

    /**
     * Several at once.
     *
     * @param bounds of all of them, see {@link #of}
     * @param kinds the counts of each kind
     * @return in the order of their kinds
     * @throws IllegalArgumentException if there are not as many bounds as that
     */
    public static List<RunLengths> ofAll(long[] bounds, Map<String, long[]> kinds) {
        long[] shared = bounds.clone();
        List<RunLengths> all = new ArrayList<>(kinds.size());
        new TreeMap<>(kinds).forEach((kind, counts) -> {
            if (shared.length != counts.length + 1) {
                throw new IllegalArgumentException(
                        shared.length + " bounds do not fit " + counts.length + " counts: use one more than those");
            }
            all.add(new RunLengths(kind, shared, counts.clone()));
        });
        return all;
    }

    /** {@return their kind; null for several kinds together} */
    public @Nullable String kind() {
        return kind;
    }

    /** {@return how many runs there were} */
    public long runs() {
        return Arrays.stream(counts).sum();
    }

    /** {@return how many took how long, the shortest first; those without runs are left out} */
    public List<Bucket> buckets() {
        List<Bucket> buckets = new ArrayList<>();
        for (int i = 0; i < counts.length; i++) {
            if (counts[i] > 0) {
                buckets.add(new Bucket(Duration.ofNanos(bounds[i]), Duration.ofNanos(bounds[i + 1]), counts[i]));
            }
        }
        return buckets;
    }

    /**
     * @param share of the runs, from 0 to 1: 0.5 for the median
     * @return how long that share of them took at most, about; zero if there are no runs
     */
    public Duration quantile(double share) {
        double left = share * runs();
        long longest = 0;
        for (int i = 0; i < counts.length; i++) {
            if (counts[i] > 0) {
                if (left <= counts[i]) {
                    double within = Math.max(0, left / counts[i]);
                    return Duration.ofNanos(bounds[i] + (long) ((bounds[i + 1] - bounds[i]) * within));
                }
                left -= counts[i];
                longest = bounds[i + 1];
            }
        }
        return Duration.ofNanos(longest);
    }

    /** {@return about how much time all of them took together} */
    public Duration total() {
        double nanos = 0;
        for (int i = 0; i < counts.length; i++) {
            nanos += counts[i] * (bounds[i] / 2.0 + bounds[i + 1] / 2.0);
        }
        return Duration.ofNanos((long) nanos); // what is too large is the largest
    }

    /**
     * @param lengths of any kinds, with the same bounds
     * @return all of them together
     * @throws IllegalArgumentException if their bounds differ
     */
    public static RunLengths together(Collection<RunLengths> lengths) {
        return sum(null, lengths);
    }

    /**
     * @param lengths of any kinds, of which some may be the same, with the same bounds
     * @return one for each kind, by its name; what is of several kinds together comes last
     * @throws IllegalArgumentException if their bounds differ
     */
    public static List<RunLengths> byKind(Collection<RunLengths> lengths) {
        Map<String, List<RunLengths>> kinds = new TreeMap<>();
        List<RunLengths> others = new ArrayList<>();
        for (RunLengths one : lengths) {
            (one.kind == null ? others : kinds.computeIfAbsent(one.kind, kind -> new ArrayList<>())).add(one);
        }
        List<RunLengths> sums = new ArrayList<>();
        kinds.forEach((kind, all) -> sums.add(sum(kind, all)));
        if (!others.isEmpty()) {
            sums.add(sum(null, others));
        }
        return sums;
    }

    private static RunLengths sum(@Nullable String kind, Collection<RunLengths> lengths) {
        if (lengths.isEmpty()) {
            return new RunLengths(kind, new long[1], new long[0]);
        }
        long[] bounds = lengths.iterator().next().bounds;
        long[] sum = new long[bounds.length - 1];
        for (RunLengths one : lengths) {
            if (one.bounds != bounds && !Arrays.equals(one.bounds, bounds)) {
                throw new IllegalArgumentException("lengths of runs in other buckets cannot be added");
            }
            for (int i = 0; i < sum.length; i++) {
                sum[i] += one.counts[i];
            }
        }
        return new RunLengths(kind, bounds, sum);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof RunLengths that
                && Objects.equals(kind, that.kind)
                && Arrays.equals(bounds, that.bounds)
                && Arrays.equals(counts, that.counts);
    }

    @Override
    public int hashCode() {
        return Objects.hash(kind, Arrays.hashCode(counts));
    }

    @Override
    public String toString() {
        return "RunLengths[kind=" + kind + ", buckets=" + buckets() + "]";
    }
}

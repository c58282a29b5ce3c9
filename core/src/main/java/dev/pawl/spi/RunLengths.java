package dev.pawl.spi;

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
 * A histogram of the durations of a kind's completed and failed runs. Workers measure the durations, and buckets are accurate to about a
 * third. Immutable.
 */
public final class RunLengths {
    private final @Nullable String kind;
    /** Arrays instead of a list of buckets, because the samples of a week have a million buckets. */
    private final long[] bounds;

    private final long[] counts;

    private RunLengths(@Nullable String kind, long[] bounds, long[] counts) {
        this.kind = kind;
        this.bounds = bounds;
        this.counts = counts;
    }

    /**
     * Runs of similar duration.
     *
     * @param from the shortest duration, inclusive
     * @param upTo the longest duration, exclusive
     * @param runs the number of runs
     */
    public record Bucket(Duration from, Duration upTo, long runs) {}

    /**
     * Returns a histogram.
     *
     * @param kind the kind of the runs; null for several kinds together
     * @param bounds the start of each bucket and the end of the last one, in nanoseconds, ascending; one value more
     *     than {@code counts}
     * @param counts the number of runs in each bucket
     * @return the histogram, with copies of the arrays
     * @throws IllegalArgumentException if there is not exactly one bound more than counts
     */
    public static RunLengths of(@Nullable String kind, long[] bounds, long[] counts) {
        if (bounds.length != counts.length + 1) {
            throw new IllegalArgumentException(
                    bounds.length + " bounds do not fit " + counts.length + " counts: use one more than those");
        }
        return new RunLengths(kind, bounds.clone(), counts.clone());
    }

    /**
     * Returns histograms of several kinds.
     *
     * @param bounds of the buckets of all kinds, see {@link #of}
     * @param kinds the counts of each kind
     * @return the histograms in the order of the kinds
     * @throws IllegalArgumentException if there is not exactly one bound more than counts
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

    /** {@return the kind of the runs; null for several kinds together} */
    public @Nullable String kind() {
        return kind;
    }

    /** {@return the number of runs} */
    public long runs() {
        return Arrays.stream(counts).sum();
    }

    /** {@return the buckets with at least one run, shortest duration first} */
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
     * Estimates a quantile.
     *
     * @param share of the runs, from 0 to 1: 0.5 for the median
     * @return the approximate duration that this share of the runs did not exceed; zero if there are no runs
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

    /** {@return the approximate total duration of all runs} */
    public Duration total() {
        double nanos = 0;
        for (int i = 0; i < counts.length; i++) {
            nanos += counts[i] * (bounds[i] / 2.0 + bounds[i + 1] / 2.0);
        }
        return Duration.ofNanos((long) nanos); // the sum saturates at the largest long
    }

    /**
     * Adds histograms of several kinds.
     *
     * @param lengths of any kinds, with the same bounds
     * @return one histogram of all runs
     * @throws IllegalArgumentException if their bounds differ
     */
    public static RunLengths together(Collection<RunLengths> lengths) {
        return sum(null, lengths);
    }

    /**
     * Adds the histograms of each kind.
     *
     * @param lengths of any kinds, all with the same bounds; a kind may have several histograms
     * @return one histogram for each kind, by name; the histogram of several kinds together comes last
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
                throw new IllegalArgumentException("histograms with different buckets cannot be added");
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

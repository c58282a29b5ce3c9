package dev.pawl.admin;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * How long runs of a kind took: those that completed or failed, as their workers measured them. How long each took is known to within a
 * third or so.
 *
 * @param kind their kind; null for several kinds together
 * @param buckets how many took how long, the shortest first; those without runs are left out
 */
public record RunLengths(@Nullable String kind, List<Bucket> buckets) {
    /**
     * Runs of about the same length.
     *
     * @param from they took as long as this
     * @param upTo and not as long as this
     * @param runs how many
     */
    public record Bucket(Duration from, Duration upTo, long runs) {}

    /** Copies the list. */
    public RunLengths {
        buckets = List.copyOf(buckets);
    }

    /** {@return how many runs there were} */
    public long runs() {
        return buckets.stream().mapToLong(Bucket::runs).sum();
    }

    /**
     * @param share of the runs, from 0 to 1: 0.5 for the median
     * @return how long that share of them took at most, about; zero if there are no runs
     */
    public Duration quantile(double share) {
        double left = share * runs();
        Duration longest = Duration.ZERO;
        for (Bucket bucket : buckets) {
            if (left <= bucket.runs) {
                double within = Math.max(0, left / bucket.runs);
                long width = bucket.upTo.minus(bucket.from).toNanos();
                return bucket.from.plusNanos((long) (width * within));
            }
            left -= bucket.runs;
            longest = bucket.upTo;
        }
        return longest;
    }

    /**
     * @param lengths of any kinds
     * @return all of them together
     */
    public static RunLengths together(Collection<RunLengths> lengths) {
        return sum(null, lengths);
    }

    /**
     * @param lengths of any kinds, of which some may be the same
     * @return one for each kind, by its name; what is of several kinds together comes last
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
        Map<Duration, Bucket> buckets = new TreeMap<>();
        for (RunLengths one : lengths) {
            for (Bucket bucket : one.buckets) {
                buckets.merge(
                        bucket.from,
                        bucket,
                        (some, more) -> new Bucket(some.from, some.upTo, Math.addExact(some.runs, more.runs)));
            }
        }
        return new RunLengths(kind, List.copyOf(buckets.values()));
    }
}

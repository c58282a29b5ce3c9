package dev.pawl.lab.study;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * How far out of order jobs ran: for the i-th execution, the distance between i and the job's position. The study counts
 * every execution, so a job that runs again shifts all later ones; {@link #ofFirstRuns} does not.
 *
 * @param diffs in the order of execution
 */
public record Ordering(List<Long> diffs) {
    /** {@return the distances over every execution, as in the study} */
    public static Ordering ofAllRuns(List<Long> executedIds) {
        long first = executedIds.stream().mapToLong(Long::longValue).min().orElse(0);
        List<Long> diffs = new ArrayList<>(executedIds.size());
        for (int i = 0; i < executedIds.size(); i++) {
            diffs.add(Math.abs(first + i - executedIds.get(i)));
        }
        return new Ordering(List.copyOf(diffs));
    }

    /** {@return the distances over the first execution of each job} */
    public static Ordering ofFirstRuns(List<Long> executedIds) {
        Set<Long> seen = new HashSet<>();
        return ofAllRuns(executedIds.stream().filter(seen::add).toList());
    }

    /** {@return the largest distance} */
    public long max() {
        return diffs.stream().mapToLong(Long::longValue).max().orElse(0);
    }

    /** {@return the mean distance} */
    public double mean() {
        return diffs.stream().mapToLong(Long::longValue).average().orElse(0);
    }

    /** {@return the distance that a share of all executions does not exceed} */
    public long quantile(double share) {
        List<Long> sorted = diffs.stream().sorted().toList();
        return sorted.isEmpty() ? 0 : sorted.get((int) Math.min(sorted.size() - 1L, (long) (share * sorted.size())));
    }

    /** {@return how many executions are in each of the study's bins, by the bin's lower end} */
    public Map<Long, Long> histogram() {
        Map<Long, Long> bins = new TreeMap<>();
        diffs.forEach(diff -> bins.merge(bin(diff), 1L, Long::sum));
        return bins;
    }

    /** Returns the lower end of the bin: 0–49 singly, 50–100 by tens, 101–200, 201–1000, then by thousands. */
    static long bin(long diff) {
        if (diff < 50) {
            return diff;
        }
        if (diff <= 100) {
            return Math.min(diff / 10 * 10, 90);
        }
        if (diff <= 200) {
            return 101;
        }
        return diff <= 1000 ? 201 : (diff - 1) / 1000 * 1000 + 1;
    }

    /** {@return how many jobs were executed once, twice and so on} */
    public static Map<Integer, Long> executions(List<Long> executedIds) {
        Map<Long, Integer> times = new TreeMap<>();
        executedIds.forEach(id -> times.merge(id, 1, Integer::sum));
        Map<Integer, Long> jobs = new TreeMap<>();
        times.values().forEach(count -> jobs.merge(count, 1L, Long::sum));
        return jobs;
    }
}

package dev.pawl.cli;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Compares the order in which jobs were started with the order in which they were enqueued. Thread-safe. */
final class StartOrder {
    private final List<Long> started = new ArrayList<>();

    synchronized void add(long jobId) {
        started.add(jobId);
    }

    /**
     * How far the first starts of jobs are from their positions in the order of ids. Without reordering each distance is 0.
     *
     * @param mean of the distances
     * @param max of the distances
     * @param starts all starts, including repeated ones
     */
    record Diff(double mean, long max, long starts) {}

    synchronized Diff diff() {
        List<Long> first = new ArrayList<>();
        Set<Long> seen = new HashSet<>();
        for (Long id : started) {
            if (seen.add(id)) {
                first.add(id);
            }
        }
        List<Long> sorted = first.stream().sorted().toList();
        Map<Long, Integer> place = new HashMap<>();
        for (int i = 0; i < sorted.size(); i++) {
            place.put(sorted.get(i), i);
        }
        long sum = 0;
        long max = 0;
        for (int i = 0; i < first.size(); i++) {
            long distance = Math.abs(i - place.getOrDefault(first.get(i), i));
            sum += distance;
            max = Math.max(max, distance);
        }
        return new Diff(first.isEmpty() ? 0 : (double) sum / first.size(), max, started.size());
    }
}

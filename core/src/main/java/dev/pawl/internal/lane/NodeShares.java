package dev.pawl.internal.lane;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Counts on which nodes the jobs of a queue were enqueued and claimed, and computes how many workers each node needs. Not thread-safe. */
final class NodeShares {
    /** With fewer jobs there is no recommendation. */
    private static final long MIN_JOBS = 1_000;

    private final Map<Integer, Long> jobs = new TreeMap<>();
    private final Map<Integer, Long> claimedElsewhere = new TreeMap<>();
    private final Map<Integer, Set<Long>> workers = new TreeMap<>();

    /**
     * Adds jobs.
     *
     * @param enqueuedOn the node on which they were enqueued
     * @param claimedOn the node of the worker that claimed them
     * @param worker the id of that worker
     */
    void add(int enqueuedOn, int claimedOn, long worker, long some) {
        jobs.merge(enqueuedOn, some, Long::sum);
        claimedElsewhere.merge(enqueuedOn, claimedOn == enqueuedOn ? 0 : some, Long::sum);
        workers.computeIfAbsent(claimedOn, node -> new HashSet<>()).add(worker);
    }

    private long all() {
        return jobs.values().stream().mapToLong(Long::longValue).sum();
    }

    private int workers(int node) {
        return workers.getOrDefault(node, Set.of()).size();
    }

    /** {@return how many of the workers should be connected to a node: in proportion to its share of the jobs, and at least one} */
    int recommended(int node) {
        int connected = workers.values().stream().mapToInt(Set::size).sum();
        return (int) Math.max(1, Math.round((double) connected * jobs.getOrDefault(node, 0L) / Math.max(1, all())));
    }

    /** {@return the recommended numbers, and the reason; null if there were too few jobs} */
    @Nullable
    String message() {
        if (all() < MIN_JOBS) {
            return null;
        }
        String now =
                both().stream().map(node -> workers(node) + " on node " + node).collect(Collectors.joining(", "));
        String recommended = jobs.keySet().stream()
                .map(node -> recommended(node) + " on node " + node + ", where "
                        + 100 * jobs.getOrDefault(node, 0L) / all() + " % of the last jobs were enqueued")
                .collect(Collectors.joining("; "));
        return "workers by their last claims: " + now + ". Recommended: " + recommended;
    }

    private Set<Integer> both() {
        Set<Integer> nodes = new TreeSet<>(jobs.keySet());
        nodes.addAll(workers.keySet());
        return nodes;
    }

    /** {@return nodes whose jobs are mostly claimed by workers of other nodes} */
    List<Integer> lacking() {
        return jobs.keySet().stream()
                .filter(node -> jobs.getOrDefault(node, 0L) >= MIN_JOBS
                        && 2 * claimedElsewhere.getOrDefault(node, 0L) >= jobs.getOrDefault(node, 0L))
                .toList();
    }
}

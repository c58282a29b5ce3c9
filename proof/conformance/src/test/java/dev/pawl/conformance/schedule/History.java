package dev.pawl.conformance.schedule;

import dev.pawl.api.JobState;
import dev.pawl.internal.store.Lease;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

/**
 * All operations, by job. The history is correct if the operations of each job can be ordered such that each result is correct; an
 * operation that returned before another began stays before it. Thread-safe.
 */
final class History {
    private static final int MAX_OPERATIONS = 60;

    private final AtomicLong clock = new AtomicLong();
    private final Map<Long, List<Operation>> byJob = new TreeMap<>();
    private final List<Operation> toAll = new ArrayList<>();
    private final Set<Lease> granted = new HashSet<>();
    private final Map<Lease, Long> rescued = new TreeMap<>();

    long tick() {
        return clock.incrementAndGet();
    }

    synchronized void add(long job, Operation operation) {
        byJob.computeIfAbsent(job, id -> new ArrayList<>()).add(operation);
    }

    /** Records that a worker was granted the job. */
    synchronized void granted(Lease lease) {
        granted.add(lease);
    }

    /** Records that a run was taken from its worker, which may never have been told of its grant. */
    synchronized void rescued(Lease lease) {
        rescued.put(lease, clock.get());
    }

    /**
     * Adds claims that were not reported. A claim that writes first and reads back later does not return a job whose lease has expired in
     * between, if another process has rescued the job.
     */
    private void addUnreported() {
        rescued.forEach((lease, over) -> {
            if (granted.add(lease)) {
                add(
                        lease.jobId(),
                        new Operation(
                                0,
                                over,
                                "somebody claimed it under " + lease.token() + ", and was not told",
                                status -> status.state() == JobState.AVAILABLE && lease.token() > status.token()
                                        ? List.of(status.claimed(lease.token(), true))
                                        : List.of()));
            }
        });
    }

    /** Adds an operation to each job, existing or future. */
    synchronized void addToAll(Operation operation) {
        toAll.add(operation);
    }

    /** {@return all jobs with operations} */
    synchronized List<Long> jobs() {
        return List.copyOf(byJob.keySet());
    }

    /** {@return a job whose results no order explains} */
    synchronized Optional<String> unexplained() {
        addUnreported();
        for (Map.Entry<Long, List<Operation>> each : byJob.entrySet()) {
            List<Operation> operations = new ArrayList<>(each.getValue());
            operations.addAll(toAll);
            operations.sort(Comparator.comparingLong(Operation::begun));
            if (operations.size() > MAX_OPERATIONS) {
                throw new IllegalStateException(
                        operations.size() + " operations to one job are too many to look for an order");
            }
            if (!new Search(operations).isExplained(0, JobStatus.ABSENT)) {
                return Optional.of("no order explains what was done to job " + each.getKey() + ":\n"
                        + operations.stream().map(Operation::toString).collect(Collectors.joining("\n")));
            }
        }
        return Optional.empty();
    }

    /** A depth-first search over the possible orders that remembers dead ends. */
    private static final class Search {
        private final List<Operation> operations;
        private final Set<Place> dead = new HashSet<>();

        Search(List<Operation> operations) {
            this.operations = operations;
        }

        private record Place(long done, JobStatus status) {}

        boolean isExplained(long done, JobStatus status) {
            if (done == (1L << operations.size()) - 1) {
                return true;
            }
            if (!dead.add(new Place(done, status))) {
                return false;
            }
            long first = Long.MAX_VALUE;
            for (int i = 0; i < operations.size(); i++) {
                first = isDone(done, i)
                        ? first
                        : Math.min(first, operations.get(i).over());
            }
            for (int i = 0; i < operations.size(); i++) {
                if (!isDone(done, i) && operations.get(i).begun() <= first) {
                    for (JobStatus next : operations.get(i).effect().apply(status)) {
                        if (isExplained(done | (1L << i), next)) {
                            return true;
                        }
                    }
                }
            }
            return false;
        }

        private static boolean isDone(long done, int place) {
            return (done & (1L << place)) != 0;
        }
    }
}

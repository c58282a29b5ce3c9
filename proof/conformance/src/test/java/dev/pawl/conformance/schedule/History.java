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
 * All operations, by job. It is correct if each job's operations can be ordered such that each result is correct; an operation that
 * returned before another began stays before it. Thread-safe.
 */
final class History {
    private static final int MAX_DEEDS = 60;

    private final AtomicLong clock = new AtomicLong();
    private final Map<Long, List<Deed>> byJob = new TreeMap<>();
    private final List<Deed> toAll = new ArrayList<>();
    private final Set<Lease> granted = new HashSet<>();
    private final Map<Lease, Long> rescued = new TreeMap<>();

    long tick() {
        return clock.incrementAndGet();
    }

    synchronized void add(long job, Deed deed) {
        byJob.computeIfAbsent(job, id -> new ArrayList<>()).add(deed);
    }

    /** A worker was granted the job. */
    synchronized void granted(Lease lease) {
        granted.add(lease);
    }

    /** A run was taken from its worker, which may never have been told of its grant. */
    synchronized void rescued(Lease lease) {
        rescued.put(lease, clock.get());
    }

    /**
     * A claim that writes first and reads back later does not return jobs that it has lost in between: the lease had expired, and the job
     * was rescued.
     */
    private void addUntold() {
        rescued.forEach((lease, over) -> {
            if (granted.add(lease)) {
                add(
                        lease.jobId(),
                        new Deed(
                                0,
                                over,
                                "somebody claimed it under " + lease.token() + ", and was not told",
                                stand -> stand.state() == JobState.AVAILABLE && lease.token() > stand.token()
                                        ? List.of(stand.claimed(lease.token(), true))
                                        : List.of()));
            }
        });
    }

    /** Adds to each job, existing or future. */
    synchronized void addToAll(Deed deed) {
        toAll.add(deed);
    }

    /** {@return all jobs with operations} */
    synchronized List<Long> jobs() {
        return List.copyOf(byJob.keySet());
    }

    /** {@return a job whose results no order explains} */
    synchronized Optional<String> unexplained() {
        addUntold();
        for (Map.Entry<Long, List<Deed>> each : byJob.entrySet()) {
            List<Deed> deeds = new ArrayList<>(each.getValue());
            deeds.addAll(toAll);
            deeds.sort(Comparator.comparingLong(Deed::begun));
            if (deeds.size() > MAX_DEEDS) {
                throw new IllegalStateException(deeds.size() + " deeds to one job are too many to look for an order");
            }
            if (!new Search(deeds).isExplained(0, Stand.ABSENT)) {
                return Optional.of("no order explains what was done to job " + each.getKey() + ":\n"
                        + deeds.stream().map(Deed::toString).collect(Collectors.joining("\n")));
            }
        }
        return Optional.empty();
    }

    /** A depth-first search over the possible orders that remembers dead ends. */
    private static final class Search {
        private final List<Deed> deeds;
        private final Set<Place> dead = new HashSet<>();

        Search(List<Deed> deeds) {
            this.deeds = deeds;
        }

        private record Place(long done, Stand stand) {}

        boolean isExplained(long done, Stand stand) {
            if (done == (1L << deeds.size()) - 1) {
                return true;
            }
            if (!dead.add(new Place(done, stand))) {
                return false;
            }
            long first = Long.MAX_VALUE;
            for (int i = 0; i < deeds.size(); i++) {
                first = isDone(done, i) ? first : Math.min(first, deeds.get(i).over());
            }
            for (int i = 0; i < deeds.size(); i++) {
                if (!isDone(done, i) && deeds.get(i).begun() <= first) {
                    for (Stand next : deeds.get(i).effect().apply(stand)) {
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

package dev.pawl.specification.concurrent;

import dev.pawl.specification.concurrent.History.Verb;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Data that the clients share. */
final class Shared {
    final AtomicInteger markers = new AtomicInteger();
    /** When batches and workflows were sealed, so that they could end. */
    final Map<Long, Span> sealed = new ConcurrentHashMap<>();
    /** Jobs that users may change, and how. */
    private final Map<Long, Set<Verb>> touchable = new ConcurrentHashMap<>();

    void mayTouch(long job, Set<Verb> how) {
        if (!how.isEmpty()) {
            touchable.put(job, EnumSet.copyOf(how));
        }
    }

    Optional<Long> any(Verb verb, Random drawn) {
        List<Long> jobs = touchable.entrySet().stream()
                .filter(job -> job.getValue().contains(verb))
                .map(Map.Entry::getKey)
                .toList();
        return jobs.isEmpty() ? Optional.empty() : Optional.of(jobs.get(drawn.nextInt(jobs.size())));
    }
}

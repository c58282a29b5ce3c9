package dev.pawl.internal.engine;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All queues whose names match the patterns, including queues that appear later. Each round of claims starts with a random queue that has
 * due jobs. Thread-safe.
 */
public final class MatchingQueues implements QueueOrder {
    private static final Logger LOG = LoggerFactory.getLogger("dev.pawl.worker");
    /** Bound, because the names are in the worker's row and in statements. */
    private static final int MAX = 10_000;

    /** A queue without jobs and notifications is forgotten after this time, to make room for others. */
    private static final long REMEMBERED = TimeUnit.MINUTES.toNanos(5);

    private final List<String> patterns;
    private final Set<String> fixed;
    private final Pattern matching;
    /** When each queue was last noticed. */
    private final Map<String, Long> known = new ConcurrentHashMap<>();

    /** When each queue had its last notification. */
    private final Map<String, Long> notified = new ConcurrentHashMap<>();

    private volatile boolean reportedTooMany;

    /**
     * @param patterns names in which {@code *} stands for any text
     */
    public MatchingQueues(List<String> patterns) {
        this.patterns = List.copyOf(patterns);
        this.matching = Pattern.compile(patterns.stream()
                .map(pattern -> List.of(pattern.split("\\*", -1)).stream()
                        .map(Pattern::quote)
                        .collect(Collectors.joining(".*")))
                .collect(Collectors.joining("|")));
        this.fixed = patterns.stream().filter(pattern -> !pattern.contains("*")).collect(Collectors.toSet());
        fixed.forEach(name -> known.put(name, System.nanoTime()));
    }

    @Override
    public List<String> names() {
        return known.keySet().stream().sorted().toList();
    }

    @Override
    public Set<String> set() {
        return Collections.unmodifiableSet(known.keySet());
    }

    @Override
    public boolean matches(String queue) {
        return matching.matcher(queue).matches();
    }

    @Override
    public boolean wants(String queue) {
        long now = System.nanoTime();
        boolean wanted = hasNewNotification(queue, now);
        if (wanted) {
            notified.put(queue, now);
        }
        return wanted;
    }

    /** {@return whether a queue with due jobs is to be claimed from} If so, it is known from now on. */
    boolean notices(String queue) {
        return hasNewNotification(queue, System.nanoTime());
    }

    private boolean hasNewNotification(String queue, long now) {
        if (known.containsKey(queue) || matches(queue)) {
            known.put(queue, now);
            makeRoom();
            return true;
        }
        return false;
    }

    /** Forgets the queues that have been quiet for longest. If such a queue has due jobs, it is found and known again. */
    private void makeRoom() {
        while (known.size() > MAX) {
            if (!reportedTooMany) {
                reportedTooMany = true;
                LOG.warn(
                        "more than {} queues with jobs match {}: this worker is registered for {} of them at a time, and"
                                + " blocked jobs in the others wait until it is registered for their queue",
                        MAX,
                        patterns,
                        MAX);
            }
            long now = System.nanoTime();
            known.entrySet().stream()
                    .filter(each -> !fixed.contains(each.getKey()))
                    .min(Comparator.comparingLong(each -> each.getValue() - now))
                    .ifPresent(each -> known.remove(each.getKey(), each.getValue()));
        }
    }

    /** {@return whether a notification of a queue arrived after this moment} */
    boolean notifiedSince(String queue, long nanos) {
        Long last = notified.get(queue);
        return last != null && last - nanos > 0;
    }

    /**
     * @param queues that have jobs
     * @return whether one of them was unknown
     */
    boolean found(Collection<String> queues) {
        return found(queues, System.nanoTime());
    }

    boolean found(Collection<String> queues, long now) {
        known.entrySet()
                .removeIf(each -> now - each.getValue() > REMEMBERED
                        && !fixed.contains(each.getKey())
                        && !queues.contains(each.getKey()));
        notified.keySet().retainAll(known.keySet());
        boolean news = false;
        for (String queue : queues) {
            news |= !known.containsKey(queue) && hasNewNotification(queue, now);
            known.computeIfPresent(queue, (name, before) -> now);
        }
        return news;
    }

    /** Rotates the queues at random, so that none waits for the others. */
    @Override
    public List<Share> shares(int wanted, Due due) throws SQLException {
        List<String> names = new ArrayList<>(due.queues());
        Collections.rotate(
                names, names.isEmpty() ? 0 : ThreadLocalRandom.current().nextInt(names.size()));
        return names.stream().map(name -> new Share(name, wanted)).toList();
    }
}

package dev.pawl.dashboard.internal.look;

import dev.pawl.admin.QueueStats;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How the number of waiting jobs has changed while somebody was looking: kept in memory, so it begins with the first look.
 * Bounded: 200 queues, 120 samples of each. Thread-safe.
 */
public final class Depths {
    private static final int MOST_QUEUES = 200;
    private static final int MOST_SAMPLES = 120;
    private static final long LEAST_BETWEEN = Duration.ofMillis(900).toNanos();
    /** A gap in which nobody looked; before it is another time. */
    private static final long GAP = Duration.ofMinutes(2).toNanos();

    private final Map<String, Deque<Sample>> byQueue = new HashMap<>();

    private record Sample(long nanos, long waiting) {}

    /**
     * What the samples say.
     *
     * @param points the numbers of waiting jobs, the oldest first
     * @param perSecond by how many the queue has grown each second; negative if it shrinks
     * @param over the time that the samples span
     */
    public record Trend(List<Long> points, double perSecond, Duration over) {}

    synchronized void add(List<QueueStats> queues, long nanos) {
        for (QueueStats queue : queues) {
            if (byQueue.containsKey(queue.name()) || byQueue.size() < MOST_QUEUES) {
                add(byQueue.computeIfAbsent(queue.name(), name -> new ArrayDeque<>()), waiting(queue), nanos);
            }
        }
        List<String> known = queues.stream().map(QueueStats::name).toList();
        byQueue.forEach((name, samples) -> {
            if (!known.contains(name)) {
                add(samples, 0, nanos); // an empty queue is not listed
            }
        });
        byQueue.values().removeIf(samples -> samples.stream().allMatch(sample -> sample.waiting == 0));
    }

    private static long waiting(QueueStats queue) {
        return queue.available() + queue.delayed() + queue.retrying();
    }

    private static void add(Deque<Sample> samples, long waiting, long nanos) {
        Sample last = samples.peekLast();
        if (last != null && nanos - last.nanos > GAP) {
            samples.clear();
        }
        if (last != null && nanos - last.nanos < LEAST_BETWEEN) {
            return;
        }
        samples.addLast(new Sample(nanos, waiting));
        if (samples.size() > MOST_SAMPLES) {
            samples.removeFirst();
        }
    }

    /** {@return what is known of a queue; empty before there are three samples} */
    public synchronized Optional<Trend> of(String queue) {
        Deque<Sample> samples = byQueue.get(queue);
        if (samples == null || samples.size() < 3) {
            return Optional.empty();
        }
        Sample first = samples.getFirst();
        Sample last = samples.getLast();
        List<Long> points = new ArrayList<>();
        samples.forEach(sample -> points.add(sample.waiting));
        long span = last.nanos - first.nanos;
        return Optional.of(
                new Trend(points, (last.waiting - first.waiting) * 1e9 / Math.max(1, span), Duration.ofNanos(span)));
    }
}

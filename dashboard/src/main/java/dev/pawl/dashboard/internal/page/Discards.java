package dev.pawl.dashboard.internal.page;

import dev.pawl.admin.QueueSample;
import dev.pawl.admin.Sample;
import dev.pawl.dashboard.internal.look.Lately;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** How many jobs were discarded in the last day, as the samples say: to count them in the history would take long. */
final class Discards {
    private Discards() {}

    /**
     * @param day samples far apart
     * @param hour samples close together, for what came after the last of those
     * @return of each queue with some
     */
    static Map<String, Long> of(List<Sample> day, List<Sample> hour) {
        Map<String, Long> discarded = new TreeMap<>();
        day.forEach(sample -> add(discarded, sample));
        Instant last = day.isEmpty() ? Instant.EPOCH : day.get(day.size() - 1).at();
        for (Sample sample : hour) {
            if (!sample.at().minus(sample.span()).isBefore(last)) {
                add(discarded, sample);
            }
        }
        return discarded;
    }

    static Map<String, Long> of(Lately lately) {
        return of(
                lately.of(Lately.Span.DAY).samples(),
                lately.of(Lately.Span.HOUR).samples());
    }

    private static void add(Map<String, Long> discarded, Sample sample) {
        for (QueueSample queue : sample.queues()) {
            if (queue.discarded() > 0) {
                discarded.merge(queue.queue(), queue.discarded(), Long::sum);
            }
        }
    }
}

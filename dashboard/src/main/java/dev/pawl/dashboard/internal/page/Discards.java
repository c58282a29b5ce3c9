package dev.pawl.dashboard.internal.page;

import dev.pawl.dashboard.internal.snapshot.RecentSeries;
import dev.pawl.spi.QueueSample;
import dev.pawl.spi.Sample;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Jobs discarded within the last day, from the samples, because counting the history is slow. */
final class Discards {
    private Discards() {}

    /**
     * @param day samples with long intervals
     * @param hour samples with short intervals, for the time after the last of the day's samples
     * @return the number for each queue with discarded jobs
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

    static Map<String, Long> of(RecentSeries recentSeries) {
        return of(
                recentSeries.of(RecentSeries.Span.DAY).samples(),
                recentSeries.of(RecentSeries.Span.HOUR).samples());
    }

    private static void add(Map<String, Long> discarded, Sample sample) {
        for (QueueSample queue : sample.queues()) {
            if (queue.discarded() > 0) {
                discarded.merge(queue.queue(), queue.discarded(), Long::sum);
            }
        }
    }
}

package dev.pawl.dashboard.internal.page;

import dev.pawl.dashboard.internal.snapshot.RecentSeries;
import dev.pawl.spi.QueueSample;
import dev.pawl.spi.Sample;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/**
 * How fast a queue is, from the samples of the last five minutes.
 *
 * @param completed jobs per second; empty without samples
 * @param discarded jobs per second; empty without samples
 * @param failing the share of discarded jobs among those that ended; empty if none ended
 */
public record QueueRates(String completed, String discarded, String failing) {
    private static final Duration WINDOW = Duration.ofMinutes(5);

    static QueueRates of(String queue, RecentSeries.Series series) {
        List<Sample> samples = series.samples();
        if (samples.isEmpty()) {
            return new QueueRates("", "", "");
        }
        Instant from = samples.get(samples.size() - 1).at().minus(WINDOW);
        double seconds = 0;
        long completed = 0;
        long discarded = 0;
        for (Sample sample : samples) {
            if (sample.at().isAfter(from)) {
                seconds += sample.span().toMillis() / 1000.0;
                for (QueueSample one : sample.queues()) {
                    completed += one.queue().equals(queue) ? one.completed() : 0;
                    discarded += one.queue().equals(queue) ? one.discarded() : 0;
                }
            }
        }
        return new QueueRates(
                perSecond(completed, seconds),
                perSecond(discarded, seconds),
                completed + discarded == 0
                        ? ""
                        : String.format(Locale.ROOT, "%.1f %%", 100.0 * discarded / (completed + discarded)));
    }

    private static String perSecond(long jobs, double seconds) {
        double rate = jobs / Math.max(1, seconds);
        return rate >= 10 || rate == 0
                ? Formats.number(Math.round(rate))
                : String.format(Locale.ROOT, rate < 0.1 ? "%.3f" : "%.1f", rate);
    }
}

package dev.pawl.dashboard.internal.page;

import dev.pawl.dashboard.internal.page.Chart.Values;
import dev.pawl.dashboard.internal.snapshot.RecentSeries;
import dev.pawl.spi.QueueSample;
import dev.pawl.spi.RunLengths;
import dev.pawl.spi.Sample;
import java.math.BigDecimal;
import java.math.MathContext;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/** The charts of a page, each of one quantity, from the samples of all queues or of one. Confined to one thread. */
final class Charts {
    private static final int LEAST_SAMPLES = 3;

    private final List<Sample> samples;
    private final List<Instant> at;
    /** Returns the queues of a sample that the charts include. */
    private final Function<Sample, Stream<QueueSample>> queues;

    private Charts(List<Sample> samples, Function<Sample, Stream<QueueSample>> queues) {
        this.samples = samples;
        this.at = samples.stream().map(Sample::at).toList();
        this.queues = queues;
    }

    /** {@return the charts of all queues; none for fewer than three samples} */
    static List<Chart> all(RecentSeries.Series series) {
        List<Sample> samples = series.samples();
        if (samples.size() < LEAST_SAMPLES) {
            return List.of();
        }
        Charts charts = new Charts(samples, sample -> sample.queues().stream());
        List<Chart> all = charts.ofQueues();
        if (samples.stream().anyMatch(sample -> !sample.runs().isEmpty())) {
            all.add(charts.runTimes());
        }
        return all;
    }

    /** {@return the charts of one queue; none for fewer than three samples} */
    static List<Chart> of(String queue, RecentSeries.Series series) {
        return series.samples().size() < LEAST_SAMPLES
                ? List.of()
                : new Charts(
                                series.samples(),
                                sample -> sample.queues().stream()
                                        .filter(one -> one.queue().equals(queue)))
                        .ofQueues();
    }

    private List<Chart> ofQueues() {
        return new ArrayList<>(List.of(
                counts("Waiting", "wait", QueueSample::waiting),
                counts("Running", "run", QueueSample::running),
                oldest(),
                rates("Completed per second", "good", QueueSample::completed),
                rates("Discarded per second", "bad", QueueSample::discarded)));
    }

    private Chart counts(String title, String style, ToLongFunction<QueueSample> of) {
        List<Double> values = values(sample -> sum(sample, of));
        return Chart.of(
                title, at, Charts::number, Scale.Linear.of(values, 1), List.of(new Values("jobs", style, values)));
    }

    private Chart rates(String title, String style, ToLongFunction<QueueSample> of) {
        List<Double> values =
                values(sample -> sum(sample, of) / Math.max(0.001, sample.span().toMillis() / 1000.0));
        return Chart.of(
                title, at, Charts::number, Scale.Linear.of(values, 0), List.of(new Values("jobs/s", style, values)));
    }

    /** The age of the oldest available job: how late its queue is. */
    private Chart oldest() {
        List<Double> values = values(sample -> queues.apply(sample)
                .map(QueueSample::oldestAge)
                .filter(Objects::nonNull)
                .mapToDouble(Duration::toMillis)
                .max()
                .orElse(0));
        return Chart.of(
                "Oldest waiting",
                at,
                Charts::duration,
                Scale.Durations.of(values),
                List.of(new Values("oldest", "lag", values)));
    }

    private Chart runTimes() {
        List<RunLengths> runs = samples.stream()
                .map(sample -> RunLengths.together(sample.runs()))
                .toList();
        List<Double> median = millis(runs, 0.5);
        List<Double> p99 = millis(runs, 0.99);
        List<Double> both = new ArrayList<>(median);
        both.addAll(p99);
        return Chart.of(
                "Run time",
                at,
                Charts::duration,
                Scale.Durations.of(both),
                List.of(new Values("median", "run", median), new Values("p99", "slow dashed", p99)));
    }

    /** {@return NaN where nothing ran} */
    private static List<Double> millis(List<RunLengths> runs, double share) {
        return runs.stream()
                .map(all -> all.runs() == 0 ? Double.NaN : all.quantile(share).toNanos() / 1e6)
                .toList();
    }

    private double sum(Sample sample, ToLongFunction<QueueSample> of) {
        return queues.apply(sample).mapToLong(of).sum();
    }

    private List<Double> values(ToDoubleFunction<Sample> of) {
        return samples.stream().map(of::applyAsDouble).toList();
    }

    private static String duration(double millis) {
        return millis <= 0 ? "none" : RunRow.took(Duration.ofNanos((long) (millis * 1e6)));
    }

    /** Formats small values with three digits, because the rates of a quiet queue differ only in such digits. */
    static String number(double value) {
        return value >= 10_000
                ? Formats.rough(Math.round(value))
                : value >= 10 || value == Math.rint(value)
                        ? Formats.number(Math.round(value))
                        : new BigDecimal(value)
                                .round(new MathContext(3))
                                .stripTrailingZeros()
                                .toPlainString();
    }
}

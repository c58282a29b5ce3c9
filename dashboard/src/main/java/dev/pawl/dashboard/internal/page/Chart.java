package dev.pawl.dashboard.internal.page;

import dev.pawl.dashboard.internal.snapshot.RecentSeries;
import dev.pawl.spi.QueueSample;
import dev.pawl.spi.RunLengths;
import dev.pawl.spi.Sample;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.StringJoiner;
import java.util.function.DoubleFunction;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/**
 * A chart on a page: lines in an area of 600 by 120, with time from left to right. Needs no script.
 *
 * @param title of the chart
 * @param summary as text, for screen readers
 * @param most the value at the top
 * @param from the moment at the left
 * @param until the moment at the right
 * @param lines to draw
 */
public record Chart(String title, String summary, String most, Instant from, Instant until, List<Line> lines) {
    private static final int WIDTH = 600;
    private static final int HEIGHT = 120;

    /**
     * A line.
     *
     * @param name of the series
     * @param style the CSS class of its colour
     * @param points of a polyline
     * @param now its last value; "none" if there is none
     */
    public record Line(String name, String style, String points, String now) {}

    private record Values(String name, String style, List<Double> of) {}

    /** {@return the charts of all queues; none for fewer than three samples} */
    static List<Chart> all(RecentSeries.Series series) {
        List<Sample> samples = series.samples();
        if (samples.size() < 3) {
            return List.of();
        }
        List<Chart> charts = new ArrayList<>(List.of(
                of(
                        "Jobs",
                        samples,
                        Chart::number,
                        new Values("waiting", "wait", values(samples, sample -> sum(sample, QueueSample::waiting))),
                        new Values("running", "run", values(samples, sample -> sum(sample, QueueSample::running)))),
                of(
                        "Oldest waiting",
                        samples,
                        millis -> Formats.length(Duration.ofMillis((long) millis)),
                        new Values("available", "wait", values(samples, Chart::oldestMillis))),
                of(
                        "Throughput per second",
                        samples,
                        Chart::number,
                        new Values(
                                "completed",
                                "good",
                                values(samples, sample -> perSecond(sample, sum(sample, QueueSample::completed)))),
                        new Values(
                                "discarded",
                                "bad",
                                values(samples, sample -> perSecond(sample, sum(sample, QueueSample::discarded)))))));
        if (samples.stream().anyMatch(sample -> !sample.runs().isEmpty())) {
            List<RunLengths> runs = samples.stream()
                    .map(sample -> RunLengths.together(sample.runs()))
                    .toList();
            charts.add(of(
                    "Run time",
                    samples,
                    millis -> RunRow.took(Duration.ofNanos((long) (millis * 1e6))),
                    new Values("median", "run", millis(runs, 0.5)),
                    new Values("p99", "wait", millis(runs, 0.99))));
        }
        return charts;
    }

    /** {@return NaN where nothing ran} */
    private static List<Double> millis(List<RunLengths> runs, double share) {
        return runs.stream()
                .map(all -> all.runs() == 0 ? Double.NaN : all.quantile(share).toNanos() / 1e6)
                .toList();
    }

    private static double sum(Sample sample, ToLongFunction<QueueSample> of) {
        return sample.queues().stream().mapToLong(of).sum();
    }

    /** {@return the age of the oldest available job of any queue} */
    private static double oldestMillis(Sample sample) {
        return sample.queues().stream()
                .map(QueueSample::oldestAge)
                .filter(Objects::nonNull)
                .mapToDouble(Duration::toMillis)
                .max()
                .orElse(0);
    }

    private static double perSecond(Sample sample, double jobs) {
        return jobs / Math.max(0.001, sample.span().toMillis() / 1000.0);
    }

    private static List<Double> values(List<Sample> samples, ToDoubleFunction<Sample> of) {
        return samples.stream().map(of::applyAsDouble).toList();
    }

    private static Chart of(String title, List<Sample> samples, DoubleFunction<String> format, Values... all) {
        Instant from = samples.get(0).at();
        Instant until = samples.get(samples.size() - 1).at();
        double most = 0;
        for (Values values : all) {
            for (double value : values.of) {
                most = Double.isNaN(value) ? most : Math.max(most, value);
            }
        }
        StringJoiner summary = new StringJoiner("; ", title + ": ", "");
        List<Line> lines = new ArrayList<>();
        for (Values values : all) {
            StringJoiner points = new StringJoiner(" ");
            double highest = 0;
            for (int i = 0; i < values.of.size(); i++) {
                if (Double.isNaN(values.of.get(i))) {
                    continue;
                }
                double x = share(from, samples.get(i).at(), until) * WIDTH;
                double y = HEIGHT - 1 - values.of.get(i) / Math.max(most, 1e-9) * (HEIGHT - 2);
                points.add(String.format(Locale.ROOT, "%.1f,%.1f", x, y));
                highest = Math.max(highest, values.of.get(i));
            }
            double last = values.of.get(values.of.size() - 1);
            String now = Double.isNaN(last) ? "none" : format.apply(last);
            lines.add(new Line(values.name, values.style, points.toString(), now));
            summary.add(values.name + " " + now + ", at most " + format.apply(highest));
        }
        return new Chart(title, summary.toString(), format.apply(most), from, until, lines);
    }

    private static double share(Instant from, Instant at, Instant until) {
        double all = Math.max(1, Duration.between(from, until).toMillis());
        return Duration.between(from, at).toMillis() / all;
    }

    private static String number(double value) {
        return value >= 10 || value == Math.rint(value)
                ? Formats.number(Math.round(value))
                : String.format(Locale.ROOT, "%.2f", value);
    }
}

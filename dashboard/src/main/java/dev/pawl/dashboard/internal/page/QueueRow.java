package dev.pawl.dashboard.internal.page;

import dev.pawl.admin.QueueStats;
import dev.pawl.dashboard.internal.snapshot.RecentSeries;
import dev.pawl.dashboard.internal.snapshot.Snapshots;
import dev.pawl.limit.LimitInfo;
import dev.pawl.spi.QueueSample;
import dev.pawl.spi.Sample;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;

/**
 * A queue as a row of a table.
 *
 * @param stats its counts, up to a limit
 * @param available jobs that may be claimed
 * @param scheduled jobs that are due later
 * @param blocked jobs that wait for others of their concurrency key
 * @param pending jobs that wait for others of their workflow
 * @param pausedJobs jobs paused with their batch
 * @param retrying jobs that wait for their next attempt
 * @param running jobs in flight
 * @param line points of a line of the waiting jobs of the last hour; empty if there are too few samples
 * @param forecast when no job will be available; empty if unknown
 * @param limits on it and its concurrency keys, with their usage
 */
public record QueueRow(
        QueueStats stats,
        Amount available,
        Amount scheduled,
        Amount blocked,
        Amount pending,
        Amount pausedJobs,
        Amount retrying,
        Amount running,
        String line,
        String forecast,
        List<LimitUse> limits) {
    private static final int WIDTH = 100;
    private static final int HEIGHT = 20;
    /** Maximum number of points of a line: more would be closer than three pixels, and a page has many lines. */
    private static final int MAX_POINTS = 36;
    /** Maximum span for a forecast. */
    private static final Duration MAX_SPAN = Duration.ofMinutes(10);

    private static final Duration LEAST_SPAN = Duration.ofSeconds(15);

    static List<QueueRow> all(Snapshots snapshots) {
        RecentSeries.Series recentSeries = snapshots.recentSeries().of(RecentSeries.Span.HOUR);
        List<LimitInfo> limits = snapshots.limits();
        return snapshots.queues().stream()
                .map(queue -> of(
                        queue,
                        recentSeries.samples(),
                        recentSeries.byQueue().getOrDefault(queue.name(), List.of()),
                        LimitUse.of(queue, limits)))
                .toList();
    }

    /** {@return the row of a queue, which may have no jobs} */
    static QueueRow one(String name, Snapshots snapshots) {
        return all(snapshots).stream()
                .filter(row -> row.stats().name().equals(name))
                .findFirst()
                .orElseGet(() -> {
                    QueueStats none =
                            QueueStats.empty(name, snapshots.pauses().queues().containsKey(name), null);
                    return of(none, List.of(), List.of(), LimitUse.of(none, snapshots.limits()));
                });
    }

    private static QueueRow of(
            QueueStats queue, List<Sample> samples, List<QueueSample> values, List<LimitUse> limits) {
        boolean isSampled = !values.isEmpty() && isRecent(samples.get(values.size() - 1));
        QueueSample last = isSampled ? values.get(values.size() - 1) : RecentSeries.none(queue.name());
        return new QueueRow(
                queue,
                amount(queue, QueueStats.Count.AVAILABLE, queue.available(), last.available()),
                amount(queue, QueueStats.Count.SCHEDULED, queue.scheduled(), 0),
                amount(queue, QueueStats.Count.BLOCKED, queue.blocked(), 0),
                amount(queue, QueueStats.Count.PENDING, queue.pending(), 0),
                amount(queue, QueueStats.Count.PAUSED, queue.pausedJobs(), 0),
                amount(queue, QueueStats.Count.RETRYING, queue.retrying(), last.retrying()),
                amount(queue, QueueStats.Count.RUNNING, queue.running(), last.running()),
                values.size() < 3
                        ? ""
                        : line(values.stream().map(QueueSample::waiting).toList()),
                forecast(queue, samples, values),
                limits);
    }

    private static Amount amount(QueueStats queue, QueueStats.Count count, long counted, long sampled) {
        return Amount.of(counted, queue.lowerBounds().contains(count), sampled);
    }

    /** By the clock of this machine: a wrong clock makes samples look old, and then they are not used. */
    private static boolean isRecent(Sample sample) {
        return Duration.between(sample.at(), Instant.now()).abs().compareTo(MAX_SPAN) < 0;
    }

    private static String line(List<Long> points) {
        long most = Math.max(1, points.stream().mapToLong(Long::longValue).max().orElse(1));
        int step = (points.size() - 1) / MAX_POINTS + 1;
        StringJoiner line = new StringJoiner(" ");
        for (int i = (points.size() - 1) % step; i < points.size(); i += step) { // includes the last point
            double x = (double) i * WIDTH / Math.max(1, points.size() - 1);
            double y = HEIGHT - 1 - (double) points.get(i) / most * (HEIGHT - 2);
            line.add(String.format(Locale.ROOT, "%.1f,%.1f", x, y));
        }
        return line.toString();
    }

    /** Uses available jobs only, because work does not reduce delayed ones. */
    static String forecast(QueueStats queue, List<Sample> samples, List<QueueSample> values) {
        if (values.isEmpty() || queue.available() == 0) {
            return "";
        }
        int last = values.size() - 1;
        Instant until = samples.get(last).at();
        int first = last;
        while (first > 0 && Duration.between(samples.get(first - 1).at(), until).compareTo(MAX_SPAN) <= 0) {
            first--;
        }
        first = trendStart(samples, values, first);
        Duration span = Duration.between(samples.get(first).at(), until);
        if (span.compareTo(LEAST_SPAN) < 0) {
            return "";
        }
        double perSecond = (values.get(last).available() - values.get(first).available()) / (span.toMillis() / 1000.0);
        if (perSecond > 0) {
            return "growing, " + perTime(perSecond);
        }
        if (perSecond == 0) {
            return "neither grows nor shrinks";
        }
        long left = Math.max(queue.available(), values.get(last).available()); // the count may have stopped at a limit
        return "empty in about " + Formats.length(Duration.ofSeconds((long) (left / -perSecond)));
    }

    /**
     * {@return the start of the current trend: the latest maximum or minimum since which the number of jobs has changed much, or else
     * {@code first}} So a queue that is working off a burst counts as shrinking, and a queue that has lost its workers counts as growing.
     */
    private static int trendStart(List<Sample> samples, List<QueueSample> values, int first) {
        int last = values.size() - 1;
        int highest = first;
        int lowest = first;
        for (int i = first; i <= last; i++) {
            highest = values.get(i).available() >= values.get(highest).available() ? i : highest;
            lowest = values.get(i).available() <= values.get(lowest).available() ? i : lowest;
        }
        long now = values.get(last).available();
        for (int start : List.of(Math.max(highest, lowest), Math.min(highest, lowest))) {
            long then = values.get(start).available();
            Duration since =
                    Duration.between(samples.get(start).at(), samples.get(last).at());
            if (since.compareTo(LEAST_SPAN) >= 0 && Math.abs(now - then) * 4 >= Math.max(now, then)) {
                return start;
            }
        }
        return first;
    }

    private static String perTime(double perSecond) {
        return perSecond >= 1
                ? Formats.number(Math.round(perSecond)) + " a second"
                : Formats.number(Math.max(1, Math.round(perSecond * 60))) + " a minute";
    }
}

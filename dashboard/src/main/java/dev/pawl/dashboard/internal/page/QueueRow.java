package dev.pawl.dashboard.internal.page;

import dev.pawl.admin.QueueStats;
import dev.pawl.dashboard.internal.look.Depths;
import dev.pawl.dashboard.internal.look.Looks;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.StringJoiner;

/**
 * A queue as a row of a table.
 *
 * @param stats what was counted
 * @param line points of a line that shows how many waited; empty if nobody has looked for long enough
 * @param forecast when it may be empty; empty if that is not known
 */
public record QueueRow(QueueStats stats, String line, String forecast) {
    private static final int WIDTH = 100;
    private static final int HEIGHT = 20;
    private static final Duration LEAST_SPAN = Duration.ofSeconds(10);

    static List<QueueRow> all(Looks looks) {
        return looks.queues().stream()
                .map(queue -> of(queue, looks.depths().of(queue.name())))
                .toList();
    }

    private static QueueRow of(QueueStats queue, Optional<Depths.Trend> trend) {
        return new QueueRow(
                queue,
                trend.map(found -> line(found.points())).orElse(""),
                trend.map(found -> forecast(queue, found)).orElse(""));
    }

    private static String line(List<Long> points) {
        long most = Math.max(1, points.stream().mapToLong(Long::longValue).max().orElse(1));
        StringJoiner line = new StringJoiner(" ");
        for (int i = 0; i < points.size(); i++) {
            double x = (double) i * WIDTH / Math.max(1, points.size() - 1);
            double y = HEIGHT - 1 - (double) points.get(i) / most * (HEIGHT - 2);
            line.add(String.format(Locale.ROOT, "%.1f,%.1f", x, y));
        }
        return line.toString();
    }

    private static String forecast(QueueStats queue, Depths.Trend trend) {
        if (trend.over().compareTo(LEAST_SPAN) < 0 || queue.available() == 0) {
            return "";
        }
        if (trend.perSecond() > 0) {
            return "growing, " + perTime(trend.perSecond());
        }
        if (trend.perSecond() == 0) {
            return "neither grows nor shrinks";
        }
        return "empty in about " + Words.length(Duration.ofSeconds((long) (queue.available() / -trend.perSecond())));
    }

    private static String perTime(double perSecond) {
        return perSecond >= 1
                ? Words.number(Math.round(perSecond)) + " a second"
                : Words.number(Math.max(1, Math.round(perSecond * 60))) + " a minute";
    }
}

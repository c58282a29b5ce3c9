package dev.pawl.dashboard.internal.page;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The horizontal axis of a {@link Chart}: clock times in UTC.
 *
 * @param from the moment at the left
 * @param until the moment at the right
 */
record TimeAxis(Instant from, Instant until) {
    private static final int MAX = 5;
    private static final List<Duration> STEPS = List.of(
            Duration.ofSeconds(10),
            Duration.ofSeconds(30),
            Duration.ofMinutes(1),
            Duration.ofMinutes(5),
            Duration.ofMinutes(15),
            Duration.ofMinutes(30),
            Duration.ofHours(1),
            Duration.ofHours(3),
            Duration.ofHours(6),
            Duration.ofDays(1),
            Duration.ofDays(2));

    double place(Instant moment) {
        double all = Math.max(1, Duration.between(from, until).toMillis());
        return Chart.LEFT + Duration.between(from, moment).toMillis() / all * (Chart.RIGHT - Chart.LEFT);
    }

    /** {@return the time of a sample, with its date if the axis covers more than one day} */
    String words(Instant moment) {
        return format(moment, Duration.between(from, until).toHours() < 12 ? "HH:mm:ss" : "d MMM HH:mm");
    }

    List<Chart.Mark> marks() {
        Duration span = Duration.between(from, until);
        Duration step = STEPS.stream()
                .filter(each -> span.dividedBy(each) < MAX)
                .findFirst()
                .orElse(STEPS.get(STEPS.size() - 1));
        String pattern = step.compareTo(Duration.ofDays(1)) >= 0
                ? "d MMM"
                : step.compareTo(Duration.ofMinutes(1)) < 0 ? "HH:mm:ss" : "HH:mm";
        long seconds = step.toSeconds();
        long first = Math.floorDiv(from.getEpochSecond() + seconds - 1, seconds) * seconds;
        List<Chart.Mark> marks = new ArrayList<>();
        for (long at = first; at <= until.getEpochSecond(); at += seconds) {
            Instant moment = Instant.ofEpochSecond(at);
            double place = place(moment);
            if (place >= Chart.LEFT && place <= Chart.RIGHT - 12) {
                marks.add(new Chart.Mark(Chart.number(place), format(moment, pattern), false));
            }
        }
        return marks;
    }

    private static String format(Instant moment, String pattern) {
        return DateTimeFormatter.ofPattern(pattern, Locale.ENGLISH)
                .withZone(ZoneOffset.UTC)
                .format(moment);
    }
}

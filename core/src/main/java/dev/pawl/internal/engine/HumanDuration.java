package dev.pawl.internal.engine;

import java.time.Duration;

/** Durations for people: 500 ms, 2.5 s, 1 min 30 s, 2 h, 3 d 4 h. */
public final class HumanDuration {
    private HumanDuration() {}

    public static String of(Duration duration) {
        long millis = duration.toMillis();
        if (millis < 1000) {
            return millis + " ms";
        }
        if (millis < 60_000) {
            long tenths = millis / 100;
            return tenths / 10 + (tenths % 10 == 0 ? "" : "." + tenths % 10) + " s";
        }
        if (millis < 3_600_000) {
            return duration.toMinutes() + " min" + rest(duration.toSecondsPart(), " s");
        }
        if (duration.toHours() < 48) {
            return duration.toHours() + " h" + rest(duration.toMinutesPart(), " min");
        }
        return duration.toDays() + " d" + rest(duration.toHoursPart(), " h");
    }

    private static String rest(int part, String unit) {
        return part == 0 ? "" : " " + part + unit;
    }
}

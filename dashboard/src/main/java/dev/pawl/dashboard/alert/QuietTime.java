package dev.pawl.dashboard.alert;

import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.format.DateTimeParseException;

/**
 * A daily period without alerts. A problem that begins in the period is reported at the end of the period, unless the problem has ended
 * before.
 *
 * @param from the first moment
 * @param until the first moment after it; earlier than {@code from} for a period around midnight
 * @param zone of both times
 */
public record QuietTime(LocalTime from, LocalTime until, ZoneId zone) {
    /** @throws IllegalArgumentException if both times are equal */
    public QuietTime {
        if (from.equals(until)) {
            throw new IllegalArgumentException("a quiet time needs two different ends");
        }
    }

    /**
     * @param text such as {@code 22:00-07:00}
     * @param zone of both times
     * @return the quiet time
     * @throws IllegalArgumentException if it is malformed
     */
    public static QuietTime parse(String text, ZoneId zone) {
        String[] ends = text.split("-", 3);
        try {
            if (ends.length == 2) {
                return new QuietTime(LocalTime.parse(ends[0].strip()), LocalTime.parse(ends[1].strip()), zone);
            }
        } catch (DateTimeParseException e) {
            // the error follows below
        }
        throw new IllegalArgumentException("'" + text + "' is not a quiet time: write it like 22:00-07:00");
    }

    /**
     * @param moment any
     * @return whether it is in the quiet time
     */
    public boolean contains(Instant moment) {
        LocalTime time = moment.atZone(zone).toLocalTime();
        return from.isBefore(until)
                ? !time.isBefore(from) && time.isBefore(until)
                : !time.isBefore(from) || time.isBefore(until);
    }
}

package dev.pawl.dashboard.alert;

import dev.pawl.InvalidJobException;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.format.DateTimeParseException;

/**
 * A time of each day in which nobody is told anything. What has begun in it and is not over by its end is told then.
 *
 * @param from the first moment
 * @param until the first moment after it; earlier than {@code from} for a time around midnight
 * @param zone whose clock
 */
public record QuietTime(LocalTime from, LocalTime until, ZoneId zone) {
    /** @throws InvalidJobException if it has no length: around midnight, that would be for ever */
    public QuietTime {
        if (from.equals(until)) {
            throw new InvalidJobException("a quiet time needs two different ends");
        }
    }

    /**
     * @param text such as {@code 22:00-07:00}
     * @param zone whose clock
     * @return the time
     * @throws InvalidJobException if it is none
     */
    public static QuietTime parse(String text, ZoneId zone) {
        String[] ends = text.split("-", 3);
        try {
            if (ends.length == 2) {
                return new QuietTime(LocalTime.parse(ends[0].strip()), LocalTime.parse(ends[1].strip()), zone);
            }
        } catch (DateTimeParseException e) {
            // said below
        }
        throw new InvalidJobException("'" + text + "' is not a quiet time: write it like 22:00-07:00");
    }

    /**
     * @param moment any
     * @return whether it is in this time
     */
    public boolean contains(Instant moment) {
        LocalTime time = moment.atZone(zone).toLocalTime();
        return from.isBefore(until)
                ? !time.isBefore(from) && time.isBefore(until)
                : !time.isBefore(from) || time.isBefore(until);
    }
}

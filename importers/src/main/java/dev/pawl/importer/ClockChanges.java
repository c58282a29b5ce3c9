package dev.pawl.importer;

import dev.pawl.schedule.Cron;
import dev.pawl.schedule.Recurrence;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.time.zone.ZoneOffsetTransition;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Translates cron expressions with fixed hours so that they fire at the same times across clock changes as in the original library, or
 * refuses them. Each constant describes an original library. An hour field that matches every hour is not fixed. {@code
 * docs/reference/moving-in.md} says how the libraries differ from Pawl for such fields in a repeated hour.
 */
enum ClockChanges {
    /** Quartz skips the missing hour, and fires in the second occurrence of the repeated hour. */
    QUARTZ,
    /**
     * Cron-utils skips the missing hour. It fires in the first occurrence of the repeated hour, and also in the second if the expression
     * includes the next hour.
     */
    CRON_UTILS,
    /** JobRunr delays ticks in the missing hour by its length, and fires in the first occurrence of the repeated hour. */
    JOBRUNR;

    private static final int YEARS = 30;
    private static final int HOURS = 24;
    private static final Pattern BLANKS = Pattern.compile("\\s+");

    /**
     * @param expression the expression in Pawl's syntax
     * @param zone of the clock
     * @param theirs the original expression
     * @return the recurrence that fires at the same times
     * @throws RefusedException if there is none
     * @throws IllegalArgumentException if the expression is not valid
     */
    Recurrence recurrence(String expression, ZoneId zone, String theirs) {
        return recurrence(expression, zone, theirs, Instant.now());
    }

    private Recurrence recurrence(String expression, ZoneId zone, String theirs, Instant from) {
        Recurrence plain = Recurrence.cron(expression, zone);
        List<String> fields = new ArrayList<>(List.of(BLANKS.split(expression.strip())));
        if (fields.size() < 5) {
            return plain; // @daily and the like
        }
        int place = fields.size() - 4;
        List<Integer> hours = hours(fields.get(place));
        if (hours.size() == HOURS) {
            fields.set(place, "*");
            if (this != QUARTZ && hasFractionalHourGap(zone, from)) {
                throw new RefusedException("its cron expression '" + theirs + "' is due every hour, and the clock of "
                        + zone + " does not change by whole hours: give it the zone UTC");
            }
            return Recurrence.cron(String.join(" ", fields), zone);
        }
        if (fields.get(place).startsWith("*")) { // in Pawl, an hour field that begins with * is not fixed
            fields.set(place, hours.stream().map(String::valueOf).collect(Collectors.joining(",")));
        }
        Cron cron = Cron.of(String.join(" ", fields));
        boolean hasGap = false;
        for (ZoneOffsetTransition change : changes(zone, from)) {
            hasGap |= requireSame(cron, hours, change, zone, theirs) && change.isGap();
        }
        return new Recurrence.ByClock(cron, zone, hasGap ? Cron.Gap.SKIP : Cron.Gap.RUN);
    }

    private static List<ZoneOffsetTransition> changes(ZoneId zone, Instant from) {
        List<ZoneOffsetTransition> changes = new ArrayList<>();
        Instant end = from.atZone(ZoneOffset.UTC).plusYears(YEARS).toInstant();
        ZoneOffsetTransition change = zone.getRules().nextTransition(from);
        while (change != null && change.getInstant().isBefore(end)) {
            changes.add(change);
            change = zone.getRules().nextTransition(change.getInstant());
        }
        return changes;
    }

    private static boolean hasFractionalHourGap(ZoneId zone, Instant from) {
        return changes(zone, from).stream()
                .anyMatch(change -> change.isGap() && change.getDuration().toMinutes() % 60 != 0);
    }

    /**
     * Refuses the expression if Pawl would fire differently at this transition.
     *
     * @return whether it fires there at all
     */
    private boolean requireSame(
            Cron cron, List<Integer> hours, ZoneOffsetTransition change, ZoneId zone, String theirs) {
        LocalDateTime from = change.isGap() ? change.getDateTimeBefore() : change.getDateTimeAfter();
        LocalDateTime to = change.isGap() ? change.getDateTimeAfter() : change.getDateTimeBefore();
        boolean wholeHours = change.getDuration().toMinutes() % 60 == 0;
        if (this == CRON_UTILS && !wholeHours) { // cron-utils skips the rest of the hour too
            from = from.truncatedTo(ChronoUnit.HOURS);
            to = to.plusMinutes(59).truncatedTo(ChronoUnit.HOURS);
        }
        Instant tick = cron.nextAfter(from.minusSeconds(1).toInstant(ZoneOffset.UTC), ZoneOffset.UTC);
        if (!tick.isBefore(to.toInstant(ZoneOffset.UTC))) {
            return false;
        }
        boolean isSame = switch (this) {
            case QUARTZ -> change.isGap();
            case CRON_UTILS -> wholeHours && (change.isGap() || isOne(cron, tick, to, hours));
            case JOBRUNR -> change.isOverlap();
        };
        if (!isSame) {
            throw new RefusedException("its cron expression '" + theirs + "' is due at "
                    + LocalDateTime.ofInstant(tick, ZoneOffset.UTC) + " by the clock of " + zone + ", a time that "
                    + (change.isGap() ? "does not exist" : "comes twice")
                    + " because clocks change, and Pawl would run it at another moment: choose another hour");
        }
        return true;
    }

    /** {@return whether there is only one tick in the repeated hour, and the next hour is not scheduled} */
    private static boolean isOne(Cron cron, Instant tick, LocalDateTime to, List<Integer> hours) {
        return !cron.nextAfter(tick, ZoneOffset.UTC).isBefore(to.toInstant(ZoneOffset.UTC))
                && !hours.contains(LocalDateTime.ofInstant(tick, ZoneOffset.UTC).getHour() + 1);
    }

    /** {@return the hours of a valid field} */
    private static List<Integer> hours(String field) {
        LocalDateTime day = LocalDateTime.of(2026, 1, 1, 0, 0);
        Cron cron = Cron.of("0 " + field + " * * *");
        return IntStream.range(0, HOURS)
                .filter(hour -> cron.nextAfter(
                                day.plusHours(hour).minusSeconds(1).toInstant(ZoneOffset.UTC), ZoneOffset.UTC)
                        .equals(day.plusHours(hour).toInstant(ZoneOffset.UTC)))
                .boxed()
                .toList();
    }
}

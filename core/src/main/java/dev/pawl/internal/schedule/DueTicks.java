package dev.pawl.internal.schedule;

import dev.pawl.schedule.Recurrence;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The ticks of a recurrence, except those on excluded days.
 *
 * @param recurrence the recurrence
 * @param anchor a tick from which rates are counted
 * @param excluded days without ticks; null for none
 */
record DueTicks(
        Recurrence recurrence, Instant anchor, @Nullable Predicate<LocalDate> excluded) {
    private static final int MAX_DAYS = 4_000;

    /**
     * {@return the first tick after a time; null if there is none because some 4,000 consecutive candidate days are
     * excluded}
     */
    @Nullable
    Instant next(Instant after) {
        Instant next = recurrence.next(after, anchor);
        for (int days = 0; days < MAX_DAYS; days++) {
            if (!isExcluded(next)) {
                return next;
            }
            next = recurrence.next(nextDay(next).minusNanos(1_000), anchor);
        }
        return null;
    }

    /** {@return the time itself, or the beginning of the first day after it that is not excluded; null as for {@link #next}} */
    @Nullable
    Instant notBefore(Instant moment) {
        Instant allowed = moment;
        for (int days = 0; days < MAX_DAYS; days++) {
            if (!isExcluded(allowed)) {
                return allowed;
            }
            allowed = nextDay(allowed);
        }
        return null;
    }

    boolean isExcluded(Instant moment) {
        return excluded != null
                && excluded.test(moment.atZone(recurrence.days()).toLocalDate());
    }

    private Instant nextDay(Instant moment) {
        ZoneId zone = recurrence.days();
        return moment.atZone(zone).toLocalDate().plusDays(1).atStartOfDay(zone).toInstant();
    }

    private boolean isNextAfter(Instant moment, Instant end) {
        Instant next = next(moment);
        return next == null || next.isAfter(end);
    }

    /**
     * {@return the latest ticks of a period, in order} The time that this takes depends on the number of returned ticks, and hardly on the
     * length of the period.
     *
     * @param first a tick
     * @param until the end of the period, included; not before the first tick
     * @param most the maximum number
     */
    List<Instant> latest(Instant first, Instant until, int most) {
        List<Instant> ticks = new ArrayList<>();
        Instant end = until;
        while (ticks.size() < most) {
            Instant tick = last(first, end);
            ticks.add(tick);
            if (!tick.isAfter(first)) {
                break;
            }
            end = tick.minusNanos(1_000); // databases store microseconds
        }
        Collections.reverse(ticks);
        return ticks;
    }

    /**
     * Finds the last tick by bisection. The tick after the lower bound is never past the end, and the tick after the upper bound always is.
     */
    private Instant last(Instant first, Instant end) {
        Instant low = first;
        Instant high = end;
        if (isNextAfter(first, end)) {
            return first;
        }
        while (Duration.between(low, high).toMillis() > 0) {
            Instant middle = low.plus(Duration.between(low, high).dividedBy(2));
            if (isNextAfter(middle, end)) {
                high = middle;
            } else {
                low = middle;
            }
        }
        return Objects.requireNonNull(next(low), "there is a tick between the two");
    }
}

package dev.pawl.internal.slot;

import dev.pawl.api.Job;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The options of a series; see {@link dev.pawl.SlotSeries} for their meaning.
 *
 * @param name of the series
 * @param start supplies the value before the first value of the series; null for none
 * @param next computes a value from the previous one
 * @param ttl how long a reservation lasts
 * @param gapless whether released values are issued again
 * @param holdOnFailure whether a failed run keeps its slot
 * @param maxProbes the maximum number of proposals of {@code next} for one reservation
 */
public record SeriesOptions(
        String name,
        Supplier<@Nullable String> start,
        UnaryOperator<@Nullable String> next,
        SlotTtl ttl,
        boolean gapless,
        boolean holdOnFailure,
        int maxProbes) {
    /** {@return a series of whole numbers from 1} */
    public static SeriesOptions defaults(String name) {
        return new SeriesOptions(name, () -> null, numbers(1, 1), SlotTtl.DEFAULT, true, false, 10_000);
    }

    private static UnaryOperator<@Nullable String> numbers(long first, long step) {
        return last -> Long.toString(last == null ? first : Math.addExact(Long.parseLong(last), step));
    }

    /** {@return a copy} */
    public SeriesOptions withStart(Supplier<@Nullable String> other) {
        return new SeriesOptions(name, other, next, ttl, gapless, holdOnFailure, maxProbes);
    }

    /** {@return a copy} */
    public SeriesOptions withNext(UnaryOperator<@Nullable String> other) {
        return new SeriesOptions(name, start, other, ttl, gapless, holdOnFailure, maxProbes);
    }

    /** {@return a copy whose values are whole numbers} */
    public SeriesOptions withNumbers(long first, long step) {
        return withNext(numbers(first, step));
    }

    private SeriesOptions with(SlotTtl other) {
        return new SeriesOptions(name, start, next, other, gapless, holdOnFailure, maxProbes);
    }

    /** {@return a copy} */
    public SeriesOptions withTtl(Duration other) {
        return with(ttl.own(other));
    }

    /** {@return a copy} */
    public SeriesOptions withEnd(Instant moment) {
        return with(ttl.until(moment));
    }

    /** {@return a copy} */
    public SeriesOptions withDeadline(Function<Job, Duration> other) {
        return with(ttl.deadline(other));
    }

    /** {@return a copy} */
    public SeriesOptions withFallback(Duration other) {
        return with(ttl.fallback(other));
    }

    /** {@return a copy} */
    public SeriesOptions withGapless(boolean other) {
        return new SeriesOptions(name, start, next, ttl, other, holdOnFailure, maxProbes);
    }

    /** {@return a copy} */
    public SeriesOptions withHold(boolean other) {
        return new SeriesOptions(name, start, next, ttl, gapless, other, maxProbes);
    }

    /** {@return a copy} */
    public SeriesOptions withProbes(int other) {
        return new SeriesOptions(name, start, next, ttl, gapless, holdOnFailure, other);
    }
}

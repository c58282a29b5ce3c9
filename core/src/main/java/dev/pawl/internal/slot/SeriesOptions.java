package dev.pawl.internal.slot;

import dev.pawl.Job;
import dev.pawl.JobRun;
import java.time.Duration;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * See {@link dev.pawl.SlotSeries} for their meaning.
 *
 * @param name of the series
 * @param start the last value before the series
 * @param next from the value before
 * @param ownTtl null: see {@link #ttl}
 * @param deadline null if there is none
 * @param gapless issue again what was given back
 * @param holdOnFailure do not give back
 * @param maxProbes the most proposals of {@code next} for one reservation
 */
public record SeriesOptions(
        String name,
        Supplier<@Nullable String> start,
        UnaryOperator<@Nullable String> next,
        @Nullable Duration ownTtl,
        @Nullable Function<Job, Duration> deadline,
        boolean gapless,
        boolean holdOnFailure,
        int maxProbes) {
    private static final Duration FALLBACK = Duration.ofSeconds(60);
    private static final Duration SHORTEST = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofDays(1);

    /** {@return a series of whole numbers from 1} */
    public static SeriesOptions defaults(String name) {
        return new SeriesOptions(
                name,
                () -> null,
                last -> last == null ? "1" : String.valueOf(Long.parseLong(last) + 1),
                null,
                null,
                true,
                false,
                10_000);
    }

    /** {@return the first that there is: its own, the handler's timeout, the retry deadline, 60 s} */
    public Duration ttl(@Nullable JobRun run) {
        if (ownTtl != null) {
            return ownTtl;
        }
        if (run != null && run.timeLeft().isPresent()) {
            return bounded(run.timeLeft().get());
        }
        return run != null && deadline != null ? bounded(deadline.apply(run.job())) : FALLBACK;
    }

    private static Duration bounded(Duration ttl) {
        return ttl.compareTo(SHORTEST) < 0 ? SHORTEST : ttl.compareTo(LONGEST) > 0 ? LONGEST : ttl;
    }

    /** {@return a copy} */
    public SeriesOptions withStart(Supplier<@Nullable String> other) {
        return new SeriesOptions(name, other, next, ownTtl, deadline, gapless, holdOnFailure, maxProbes);
    }

    /** {@return a copy} */
    public SeriesOptions withNext(UnaryOperator<@Nullable String> other) {
        return new SeriesOptions(name, start, other, ownTtl, deadline, gapless, holdOnFailure, maxProbes);
    }

    /** {@return a copy} */
    public SeriesOptions withTtl(Duration other) {
        return new SeriesOptions(name, start, next, other, deadline, gapless, holdOnFailure, maxProbes);
    }

    /** {@return a copy} */
    public SeriesOptions withDeadline(Function<Job, Duration> other) {
        return new SeriesOptions(name, start, next, ownTtl, other, gapless, holdOnFailure, maxProbes);
    }

    /** {@return a copy} */
    public SeriesOptions withGapless(boolean other) {
        return new SeriesOptions(name, start, next, ownTtl, deadline, other, holdOnFailure, maxProbes);
    }

    /** {@return a copy} */
    public SeriesOptions withHold(boolean other) {
        return new SeriesOptions(name, start, next, ownTtl, deadline, gapless, other, maxProbes);
    }

    /** {@return a copy} */
    public SeriesOptions withProbes(int other) {
        return new SeriesOptions(name, start, next, ownTtl, deadline, gapless, holdOnFailure, other);
    }
}

package dev.pawl.internal.slot;

import dev.pawl.api.Job;
import dev.pawl.api.JobRun;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The duration of a reservation: the first of these that is set.
 *
 * @param own of the series
 * @param until of the series, as a moment of the database's clock
 * @param deadline of the job, if it has no timeout
 * @param fallback if nothing else is set
 */
record SlotTtl(
        @Nullable Duration own,
        @Nullable Instant until,
        @Nullable Function<Job, Duration> deadline,
        Duration fallback) {
    private static final Duration SHORTEST = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofDays(1);

    static final SlotTtl DEFAULT = new SlotTtl(null, null, null, Duration.ofSeconds(60));

    SlotTtl own(Duration ttl) {
        return new SlotTtl(ttl, null, deadline, fallback);
    }

    SlotTtl until(Instant moment) {
        return new SlotTtl(null, moment, deadline, fallback);
    }

    SlotTtl deadline(Function<Job, Duration> other) {
        return new SlotTtl(own, until, other, fallback);
    }

    SlotTtl fallback(Duration other) {
        return new SlotTtl(own, until, deadline, other);
    }

    /** The duration, if no query is needed: everything except {@link #until}. */
    Duration of(@Nullable JobRun run) {
        if (own != null) {
            return own;
        }
        if (run != null && run.timeLeft().isPresent()) {
            return bounded(run.timeLeft().get());
        }
        return run != null && deadline != null ? bounded(deadline.apply(run.job())) : fallback;
    }

    static Duration bounded(Duration ttl) {
        return ttl.compareTo(SHORTEST) < 0 ? SHORTEST : ttl.compareTo(LONGEST) > 0 ? LONGEST : ttl;
    }
}

package dev.pawl.internal.slot;

import dev.pawl.api.Job;
import dev.pawl.api.JobRun;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The duration of a reservation. The first of these values that is set applies, but a timeout of the job takes precedence over {@code
 * deadline}.
 *
 * @param own duration that the series sets
 * @param until end that the series sets, by the database's clock
 * @param deadline computes the duration from the job, if it has no timeout
 * @param fallback duration if nothing else is set
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

    /** The duration. Not called if {@link #until} is set, because the duration then depends on the database's clock. */
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

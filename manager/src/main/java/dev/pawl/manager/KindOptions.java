package dev.pawl.manager;

import dev.pawl.api.RetryPolicy;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a manager runs jobs of a kind.
 *
 * @param maxRunTime maximum run time, 1 s to 1 day; then the run is interrupted and the attempt fails. Default 10 minutes
 * @param buffer extra time before an unfinished run is given up, 0 s to 1 hour, because its report may arrive late. Default 5 s
 * @param probe checks externally whether a job is done, for workers that never call back; null for none
 * @param probeInterval how often to call the probe, 10 ms to 1 hour. Default 1 s
 * @param retryPolicy delay after a failure, unless the job sets its own; null for {@link RetryPolicy#DEFAULT}. Configure all managers
 *     identically, because any of them may record the failure. Default null
 */
public record KindOptions(
        Duration maxRunTime,
        Duration buffer,
        @Nullable CompletionProbe probe,
        Duration probeInterval,
        @Nullable RetryPolicy retryPolicy) {
    /** Ten minutes, five seconds, no probe. */
    public static final KindOptions DEFAULTS =
            new KindOptions(Duration.ofMinutes(10), Duration.ofSeconds(5), null, Duration.ofSeconds(1), null);

    /**
     * @throws IllegalArgumentException if a duration is outside its range
     */
    public KindOptions {
        require("maxRunTime", maxRunTime, Duration.ofSeconds(1), Duration.ofDays(1));
        require("buffer", buffer, Duration.ZERO, Duration.ofHours(1));
        require("probeInterval", probeInterval, Duration.ofMillis(10), Duration.ofHours(1));
    }

    /** {@return how long a run may take before it is given up} */
    Duration longest() {
        return maxRunTime.plus(buffer);
    }

    private static void require(String what, Duration value, Duration low, Duration high) {
        if (value.compareTo(low) < 0 || value.compareTo(high) > 0) {
            throw new IllegalArgumentException(what + " " + value + " is not valid: use " + low + " to " + high);
        }
    }

    /** {@return a copy} */
    public KindOptions maxRunTime(Duration longest) {
        return new KindOptions(longest, buffer, probe, probeInterval, retryPolicy);
    }

    /** {@return a copy} */
    public KindOptions buffer(Duration time) {
        return new KindOptions(maxRunTime, time, probe, probeInterval, retryPolicy);
    }

    /** {@return a copy} */
    public KindOptions probe(CompletionProbe asked, Duration interval) {
        return new KindOptions(maxRunTime, buffer, asked, interval, retryPolicy);
    }

    /** {@return a copy} */
    public KindOptions retryPolicy(RetryPolicy policy) {
        return new KindOptions(maxRunTime, buffer, probe, probeInterval, policy);
    }
}

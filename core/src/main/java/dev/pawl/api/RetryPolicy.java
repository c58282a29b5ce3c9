package dev.pawl.api;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The delay before the retry of a failed attempt. Depends on the number of the attempt or, with {@link #forFailure},
 * also on the exception and the kind of the job. Must be thread-safe. {@link EnqueueOptions#maxAttempts()} sets the
 * number of attempts.
 */
@FunctionalInterface
public interface RetryPolicy {
    /** 2 s after the first failure, doubled each time up to one hour, ±25 % jitter. */
    RetryPolicy DEFAULT = exponential(Duration.ofSeconds(2), Duration.ofHours(1));

    /**
     * Returns the delay before the next attempt.
     *
     * @param attempt the number of the failed attempt, from 1
     * @return the delay; negative counts as zero
     */
    Duration backoff(int attempt);

    /**
     * Returns the delay before the next attempt of a job. Workers call this method. By default, the delay depends only
     * on the attempt, by {@link #backoff(int)}.
     *
     * @param failure the failed attempt
     * @return the delay; negative counts as zero
     */
    default Duration backoff(Failure failure) {
        return backoff(failure.attempt());
    }

    /**
     * A failed attempt.
     *
     * @param kind the kind of the job; empty if it is not known
     * @param attempt its number, from 1. If the worker died, the number of the attempt before, because after the death of a worker the
     *     first attempt is retried at once and the policy begins with the second
     * @param cause the exception of the handler; null if there is none, because the worker died, a remote worker reported the failure, or a
     *     handler ignored its interrupt or ended the process
     */
    record Failure(String kind, int attempt, @Nullable Throwable cause) {}

    /**
     * Returns a policy that chooses the delay by the exception or the kind:
     *
     * <pre>{@code
     * RetryPolicy.forFailure(failure -> failure.cause() instanceof Throttled throttled
     *         ? throttled.retryAfter()
     *         : RetryPolicy.DEFAULT.backoff(failure));
     * }</pre>
     *
     * @param waits returns the delay after a failed attempt; negative counts as zero
     * @return the policy
     */
    static RetryPolicy forFailure(Function<Failure, Duration> waits) {
        return new RetryPolicy() {
            @Override
            public Duration backoff(int attempt) {
                return waits.apply(new Failure("", attempt, null));
            }

            @Override
            public Duration backoff(Failure failure) {
                return waits.apply(failure);
            }
        };
    }

    /**
     * Returns a policy that doubles the delay each time, with ±25 % jitter so that jobs which failed together are not
     * retried together.
     *
     * @param first the delay after the first failure; more than zero
     * @param longest the maximum, before jitter; at least {@code first}
     * @return the policy
     * @throws IllegalArgumentException if {@code first} is not positive or longer than {@code longest}
     */
    static RetryPolicy exponential(Duration first, Duration longest) {
        if (first.isZero() || first.isNegative() || first.compareTo(longest) > 0) {
            throw new IllegalArgumentException(
                    "exponential backoff needs 0 < first <= longest, got " + first + " and " + longest);
        }
        double begin = first.getSeconds() * 1e9 + first.getNano(); // may exceed a long
        double cap = longest.getSeconds() * 1e9 + longest.getNano();
        return attempt -> {
            double wait = Math.min(cap, begin * Math.pow(2, Math.max(0, attempt - 1)));
            return Duration.ofNanos((long) (wait * ThreadLocalRandom.current().nextDouble(0.75, 1.25)));
        };
    }

    /**
     * Returns a policy with the same delay each time.
     *
     * @param wait the delay; not negative
     * @return the policy
     * @throws IllegalArgumentException if the delay is negative
     */
    static RetryPolicy fixed(Duration wait) {
        return list(wait);
    }

    /**
     * Returns a policy with a list of delays.
     *
     * @param waits the delays in turn; the last one repeats
     * @return the policy
     * @throws IllegalArgumentException if the list is empty or a delay is negative
     */
    static RetryPolicy list(Duration... waits) {
        List<Duration> copy = List.of(waits);
        if (copy.isEmpty() || copy.stream().anyMatch(Duration::isNegative)) {
            throw new IllegalArgumentException("a retry policy needs one or more waits, none negative: " + copy);
        }
        return attempt -> copy.get(Math.min(Math.max(attempt, 1), copy.size()) - 1);
    }
}

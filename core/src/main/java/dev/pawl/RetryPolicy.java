package dev.pawl;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * How long to wait after a failed attempt. A pure function of the attempt's number apart from jitter; must be
 * thread-safe. The number of attempts is set elsewhere: see {@link EnqueueOptions#maxAttempts()}.
 */
@FunctionalInterface
public interface RetryPolicy {
    /** 2 s after the first failure, doubled each time up to one hour, ±25 % jitter. */
    RetryPolicy DEFAULT = exponential(Duration.ofSeconds(2), Duration.ofHours(1));

    /**
     * @param attempt the number of the failed attempt, from 1
     * @return how long to wait before the next one; negative counts as zero
     */
    Duration backoff(int attempt);

    /**
     * Doubles the wait each time, with ±25 % jitter so that jobs which failed together do not return together.
     *
     * @param first the wait after the first failure; more than zero
     * @param longest the cap, before jitter; at least {@code first}
     * @return the policy
     * @throws InvalidJobException if {@code first} is not positive or longer than {@code longest}
     */
    static RetryPolicy exponential(Duration first, Duration longest) {
        if (first.isZero() || first.isNegative() || first.compareTo(longest) > 0) {
            throw new InvalidJobException(
                    "exponential backoff needs 0 < first <= longest, got " + first + " and " + longest);
        }
        double begin = first.getSeconds() * 1e9 + first.getNano(); // may be more than a long holds
        double cap = longest.getSeconds() * 1e9 + longest.getNano();
        return attempt -> {
            double wait = Math.min(cap, begin * Math.pow(2, Math.max(0, attempt - 1)));
            return Duration.ofNanos((long) (wait * ThreadLocalRandom.current().nextDouble(0.75, 1.25)));
        };
    }

    /**
     * @param wait the same wait every time; not negative
     * @return the policy
     * @throws InvalidJobException if the wait is negative
     */
    static RetryPolicy fixed(Duration wait) {
        return list(wait);
    }

    /**
     * @param waits the waits in turn; the last one repeats
     * @return the policy
     * @throws InvalidJobException if the list is empty or a wait is negative
     */
    static RetryPolicy list(Duration... waits) {
        List<Duration> copy = List.of(waits);
        if (copy.isEmpty() || copy.stream().anyMatch(Duration::isNegative)) {
            throw new InvalidJobException("a retry policy needs one or more waits, none negative: " + copy);
        }
        return attempt -> copy.get(Math.min(Math.max(attempt, 1), copy.size()) - 1);
    }
}

package dev.pawl.api;

import dev.pawl.internal.words.ReservedHeaders;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** The timeout and the retry policy of a job, stored in two of its headers. */
public final class RunLimits {
    /** The header with the timeout of a run in ISO 8601: {@code PT30S}. */
    private static final String TIMEOUT = ReservedHeaders.TIMEOUT;

    /**
     * The header with the delay after a failure: {@code PT30S} for the same delay each time, or {@code PT2S PT1H} for two seconds, doubled
     * up to one hour.
     */
    private static final String RETRY = ReservedHeaders.RETRY;

    private RunLimits() {}

    /**
     * @param headers of a job
     * @return the timeout of a run; empty if the header is missing, so that the worker decides, or is not valid
     */
    public static Optional<Duration> timeout(Map<String, String> headers) {
        String text = headers.isEmpty() ? null : headers.get(TIMEOUT); // called for each run
        try {
            return text == null
                    ? Optional.empty()
                    : Optional.ofNullable(HandlerOptions.DEFAULTS
                            .timeout(Duration.parse(text))
                            .timeout());
        } catch (DateTimeException | IllegalArgumentException notOurs) {
            return Optional.empty();
        }
    }

    /**
     * @param headers of a job
     * @return the retry policy; empty if the header is missing, so that the worker decides, or is not valid
     */
    public static Optional<RetryPolicy> retryPolicy(Map<String, String> headers) {
        String text = headers.isEmpty() ? null : headers.get(RETRY);
        try {
            return text == null ? Optional.empty() : Optional.of(policy(text));
        } catch (DateTimeException | IllegalArgumentException notOurs) {
            return Optional.empty();
        }
    }

    private static RetryPolicy policy(String text) {
        int blank = text.indexOf(' ');
        return blank < 0
                ? RetryPolicy.fixed(Duration.parse(text))
                : RetryPolicy.exponential(
                        Duration.parse(text.substring(0, blank)), Duration.parse(text.substring(blank + 1)));
    }

    /**
     * @param headers of a job
     * @throws InvalidJobException if one of them is not valid
     */
    public static void require(Map<String, String> headers) {
        if (headers.containsKey(TIMEOUT) && timeout(headers).isEmpty()) {
            throw new InvalidJobException(
                    "the header " + TIMEOUT + " says '" + headers.get(TIMEOUT) + "': use timeout(…), which sets it");
        }
        if (headers.containsKey(RETRY) && retryPolicy(headers).isEmpty()) {
            throw new InvalidJobException("the header " + RETRY + " says '" + headers.get(RETRY)
                    + "': use retryFixed(…) or retryExponential(…), which set it");
        }
    }
}

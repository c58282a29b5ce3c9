package dev.pawl.internal.log;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Logs an outage of the database: one line when the first call fails, and one when all kinds of failed calls succeed again. Reads may
 * succeed while writes fail, so each kind of call is tracked separately. Thread-safe.
 */
public final class Outage {
    private final Logger log;
    private final Map<String, Long> failing = new HashMap<>();
    private long begunNanos;

    /**
     * @param log to write to
     */
    public Outage(Logger log) {
        this.log = log;
    }

    /**
     * Reports a failed call.
     *
     * @param doing the kind of call, as in "cannot …"
     * @param error the failure; logged as a warning for the first call, else at level debug
     */
    public void failed(String doing, Exception error) {
        if (isFirst(doing)) {
            log.warn(
                    "the database cannot be reached, or does not answer as it should: cannot {}: {}; there is one more"
                            + " line when it is back",
                    doing,
                    error.getMessage());
        } else {
            log.debug("cannot {}", doing, error);
        }
    }

    private synchronized boolean isFirst(String doing) {
        long now = System.nanoTime();
        boolean isFirst = failing.isEmpty();
        if (isFirst) {
            begunNanos = now;
        }
        failing.put(doing, now);
        return isFirst;
    }

    /**
     * Reports a successful call.
     *
     * @param doing the kind of call
     * @param sentNanos {@link System#nanoTime} before the call began, because a call that began before the last failure does not prove that
     *     the database is back
     */
    public void worked(String doing, long sentNanos) {
        Duration lasted = over(doing, sentNanos);
        if (lasted != null) {
            log.info("the database is back, after {} s", lasted.toSeconds());
        }
    }

    private synchronized @Nullable Duration over(String doing, long sentNanos) {
        Long last = failing.get(doing);
        if (last == null || sentNanos - last < 0) {
            return null;
        }
        failing.remove(doing);
        return failing.isEmpty() ? Duration.ofNanos(System.nanoTime() - begunNanos) : null;
    }
}

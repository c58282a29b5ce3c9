package dev.pawl.internal.http;

import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;

/**
 * Slows down callers that guess credentials, and reports them: a log line every ten seconds at most, with their number and without the
 * credentials. Only threads of unauthenticated callers wait, and these callers are evicted to make room. Thread-safe.
 */
public final class WrongCredentials {
    private static final long DELAY_MILLIS = 500;
    private static final long BETWEEN = TimeUnit.SECONDS.toNanos(10);

    private final Logger log;
    private final String what;
    private long unreported;
    private long toldAt = System.nanoTime() - BETWEEN;

    /**
     * @param log to write to
     * @param what the counted failures, in the plural, such as "wrong tokens"
     */
    public WrongCredentials(Logger log, String what) {
        this.log = log;
        this.what = what;
    }

    /** Reports a wrong credential, and waits for half a second. */
    public void refused() {
        long reported = takeUnreported();
        if (reported > 0) {
            log.warn("{}: {} since this was last reported", what, reported);
        }
        try {
            TimeUnit.MILLISECONDS.sleep(DELAY_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the server stops
        }
    }

    private synchronized long takeUnreported() {
        unreported++;
        long now = System.nanoTime();
        if (now - toldAt < BETWEEN) {
            return 0;
        }
        toldAt = now;
        long reported = unreported;
        unreported = 0;
        return reported;
    }
}

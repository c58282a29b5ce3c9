package dev.pawl.internal.engine;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Logs each outage once when it begins and once when it ends. Outages that begin within a minute after a logged one are counted, and logged
 * only if they last: while one node of a cluster refuses writes and the others take them, outages begin and end all the time. Not
 * thread-safe.
 */
final class OutageLog {
    private static final long QUIET = TimeUnit.MINUTES.toNanos(1);

    private final Logger log;
    private final String worker;
    private final Supplier<String> where;
    private @Nullable Long loggedNanos;
    private boolean isLogged;
    private int unlogged;

    /**
     * @param worker its name
     * @param where a blank and the database's URL in brackets, without secrets; empty if unknown
     */
    OutageLog(Logger log, String worker, Supplier<String> where) {
        this.log = log;
        this.worker = worker;
        this.where = where;
    }

    /**
     * Reports an error of the current outage.
     *
     * @param nowNanos the monotonic clock
     * @param doing as in "cannot …"
     */
    void failed(long nowNanos, String doing, Throwable error) {
        if (isLogged || isQuiet(nowNanos)) {
            log.debug("{}: cannot {}: {}", worker, doing, ErrorText.firstLine(error));
        } else {
            log.warn(
                    "{}: the database{} is unreachable or read-only{}: cannot {}: {}; retrying until it is back",
                    worker,
                    where.get(),
                    again(),
                    doing,
                    cause(error));
            loggedNanos = nowNanos;
            isLogged = true;
            unlogged = 0;
        }
        log.trace("cannot {}", doing, error);
    }

    private boolean isQuiet(long nowNanos) {
        Long logged = loggedNanos;
        return logged != null && nowNanos - logged < QUIET;
    }

    private String again() {
        return unlogged == 0 ? "" : " again, after " + unlogged + " short outages that are not logged";
    }

    /** A pool's own message says little; the driver or the network states the cause. */
    private static String cause(Throwable error) {
        Throwable root = error;
        while (root.getCause() != null && root.getCause() != root) {
            root = root.getCause();
        }
        String text = ErrorText.firstLine(error);
        return root == error ? text : text + ", caused by " + ErrorText.firstLine(root);
    }

    /** Reports the end of the current outage. */
    void ended(Duration lasted) {
        if (isLogged) {
            log.info("{}: the database is back, after {}", worker, HumanDuration.of(lasted));
        } else {
            unlogged++;
            log.debug("{}: the database is back, after {}", worker, HumanDuration.of(lasted));
        }
        isLogged = false;
    }
}

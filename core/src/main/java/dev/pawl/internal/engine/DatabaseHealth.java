package dev.pawl.internal.engine;

import dev.pawl.internal.store.Mutex;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether the worker can write to its database. All parts of the worker report here. An outage ends with the first successful write that
 * was sent after the outage began. A read proves nothing, because a server that became read-only in a failover still answers queries.
 * Thread-safe.
 */
final class DatabaseHealth {
    private static final Logger LOG = LoggerFactory.getLogger(DatabaseHealth.class);

    private final Predicate<SQLException> isOutage;
    private final String worker;
    private final Supplier<String> where;
    private final Logger log;
    private final OutageLog outages = new OutageLog();
    private final LongSupplier nanos;
    private final Mutex lock = new Mutex();
    private final Condition back = lock.newCondition();
    private volatile @Nullable Long lostNanos;
    private volatile @Nullable Long backNanos;
    private volatile long wroteNanos;

    /**
     * @param worker its name
     * @param where the database's URL without secrets, after a blank and in brackets; empty if unknown
     * @param isOutage whether an error means that the database is unreachable or read-only
     */
    DatabaseHealth(String worker, Supplier<String> where, Predicate<SQLException> isOutage) {
        this(worker, where, isOutage, LOG);
    }

    DatabaseHealth(String worker, Supplier<String> where, Predicate<SQLException> isOutage, Logger log) {
        this(worker, where, isOutage, log, System::nanoTime);
    }

    /**
     * @param nanos the monotonic clock of this process
     */
    DatabaseHealth(
            String worker, Supplier<String> where, Predicate<SQLException> isOutage, Logger log, LongSupplier nanos) {
        this.log = log;
        this.worker = worker;
        this.where = where;
        this.nanos = nanos;
        this.wroteNanos = nanos.getAsLong();
        this.isOutage = isOutage;
    }

    /**
     * Reports a failure. The first error of an outage is logged as a warning, the others at level debug: {@link OutageLog}.
     *
     * @param doing what failed, to follow "cannot" in the log line
     * @param error that may have come from the database
     * @return whether it is an outage; if not, the caller logs the failure
     */
    boolean failed(String doing, Throwable error) {
        if (!isOutage(error)) {
            return false;
        }
        int unlogged;
        lock.lock();
        try (lock) {
            long now = nanos.getAsLong();
            if (lostNanos == null) {
                lostNanos = now;
                backNanos = null;
            }
            unlogged = outages.failed(now);
        }
        if (unlogged >= 0) {
            log.warn(
                    "{}: the database{} is unreachable or read-only{}: cannot {}: {}; retrying until it is back",
                    worker,
                    where.get(),
                    unlogged == 0 ? "" : " again (short outages in the last minute: " + unlogged + ")",
                    doing,
                    cause(error));
        } else if (log.isDebugEnabled()) {
            log.debug("{}: cannot {}: {}", worker, doing, ErrorText.firstLine(error));
        }
        log.trace("cannot {}", doing, error);
        return true;
    }

    private boolean isOutage(Throwable error) {
        for (Throwable cause = error; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException sql) {
                return isOutage.test(sql);
            }
        }
        return false;
    }

    /** Adds the message of the root cause, which comes from the driver or the network, because the pool's own message says little. */
    private static String cause(Throwable error) {
        Throwable root = error;
        while (root.getCause() != null && root.getCause() != root) {
            root = root.getCause();
        }
        String text = ErrorText.firstLine(error);
        return root == error ? text : text + ", caused by " + ErrorText.firstLine(root);
    }

    /**
     * Reports a committed write.
     *
     * @param sentNanos the time on this object's clock before it was sent
     */
    void wrote(long sentNanos) {
        wroteNanos = nanos.getAsLong();
        Long lost = lostNanos;
        if (lost == null || sentNanos - lost < 0) {
            return;
        }
        long now;
        boolean isLogged;
        lock.lock();
        try (lock) {
            if (!lost.equals(lostNanos)) {
                return;
            }
            now = nanos.getAsLong();
            lostNanos = null;
            backNanos = now;
            back.signalAll();
            isLogged = outages.ended(now);
        }
        String lasted = HumanDuration.of(Duration.ofNanos(now - lost));
        if (isLogged) {
            log.info("{}: the database is back, after {}", worker, lasted);
        } else {
            log.debug("{}: the database is back, after {}", worker, lasted);
        }
    }

    /** {@return the time of the last write; that of the construction before the first one} */
    long wroteNanos() {
        return wroteNanos;
    }

    boolean isLost() {
        return lostNanos != null;
    }

    /** {@return how long writes have been failing; empty if they succeed} */
    Optional<Duration> lostFor() {
        Long lost = lostNanos;
        return lost == null ? Optional.empty() : Optional.of(Duration.ofNanos(nanos.getAsLong() - lost));
    }

    /**
     * {@return whether an outage lasts, or ended less than this long ago, so that other workers may not have recorded their outcomes yet}
     */
    boolean isLostOrBackFor(long lessNanos) {
        Long since = backNanos;
        return isLost() || (since != null && nanos.getAsLong() - since < lessNanos);
    }

    /**
     * Waits before a retry, but only until the database is back.
     *
     * @param nanos the longest wait in nanoseconds
     * @throws InterruptedException if interrupted
     */
    void await(long nanos) throws InterruptedException {
        if (!isLost()) {
            TimeUnit.NANOSECONDS.sleep(nanos);
            return;
        }
        long left = nanos;
        lock.lockInterruptibly();
        try (lock) {
            while (isLost() && left > 0) {
                left = back.awaitNanos(left);
            }
        }
    }
}

package dev.pawl.dashboard.internal.web;

import dev.pawl.dashboard.Response;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers probes: whether the process responds, and whether its database does. They reveal nothing else, so they need no authentication.
 * One database check runs at a time on its own thread, besides at most two hanging checks. Its result is valid for a second, and no probe
 * waits longer than two seconds for the result. Thread-safe.
 */
public final class HealthChecks {
    private static final Logger LOG = LoggerFactory.getLogger(HealthChecks.class);
    private static final long BELIEVED = Duration.ofSeconds(1).toNanos();
    private static final long LONGEST = Duration.ofSeconds(2).toNanos();

    private static final Duration STUCK = Duration.ofSeconds(30);
    private static final int MAX_ALIVE = 3;

    private final Runnable check;
    private final Duration stuck;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition ended = lock.newCondition();

    // All guarded by the lock.
    private @Nullable Long checkingSince;
    private @Nullable Long foundAt;
    private boolean answers;
    private long newest;
    private int alive;

    /** @param check checks the database; throws if that fails */
    public HealthChecks(Runnable check) {
        this(check, STUCK);
    }

    /** @param stuck after this time another check begins */
    HealthChecks(Runnable check, Duration stuck) {
        this.check = check;
        this.stuck = stuck;
    }

    Response answer(String path) {
        if (path.equals("/live")) {
            return Response.text(200, "text/plain", "live\n");
        }
        return isReady()
                ? Response.text(200, "text/plain", "ready\n")
                : Response.text(503, "text/plain", "the database does not answer\n");
    }

    private boolean isReady() {
        lock.lock();
        try {
            if (isKnown()) {
                return answers;
            }
            if (mayBegin()) {
                begin();
            }
            // If the check has already taken two seconds, do not wait at all.
            while (checkingSince != null) {
                long left = checkingSince + LONGEST - System.nanoTime();
                if (left <= 0 || ended.awaitNanos(left) <= 0) {
                    return false;
                }
            }
            return answers;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            lock.unlock();
        }
    }

    private boolean isKnown() {
        return foundAt != null && System.nanoTime() - foundAt < BELIEVED;
    }

    /**
     * {@return whether another check may begin, because none is in flight or the current one may hang for ever, as on a half-open
     * connection}
     */
    private boolean mayBegin() {
        return checkingSince == null || (alive < MAX_ALIVE && System.nanoTime() - checkingSince > stuck.toNanos());
    }

    private void begin() {
        long number = newest + 1;
        long since = System.nanoTime();
        Thread thread = new Thread(() -> check(number, since), "pawl-dashboard-ready");
        thread.setDaemon(true);
        thread.start(); // before the fields are set, because no check is in flight if the thread cannot start
        newest = number;
        checkingSince = since;
        alive++;
    }

    private void check(long number, long since) {
        boolean found = false;
        try {
            check.run();
            found = true;
        } catch (RuntimeException e) {
            LOG.debug("not ready", e);
        } finally {
            lock.lock();
            try {
                alive--;
                if (number == newest) { // the result of an older check is outdated
                    // A check that took too long counts as failed.
                    answers = found && System.nanoTime() - since < LONGEST + TimeUnit.SECONDS.toNanos(1);
                    foundAt = System.nanoTime();
                    checkingSince = null;
                    ended.signalAll();
                }
            } finally {
                lock.unlock();
            }
        }
    }
}

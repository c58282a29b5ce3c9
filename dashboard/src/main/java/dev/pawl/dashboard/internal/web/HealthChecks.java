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
 * For probes: whether the process answers, and whether its database does. They tell nothing else, so anybody may ask. One look at
 * the database is under way at a time, in a thread of its own, besides at most two that hang; what it finds is believed for a second, and nobody waits longer than
 * two seconds for it. Thread-safe.
 */
public final class Checks {
    private static final Logger LOG = LoggerFactory.getLogger(Checks.class);
    private static final long BELIEVED = Duration.ofSeconds(1).toNanos();
    private static final long LONGEST = Duration.ofSeconds(2).toNanos();

    private static final Duration STUCK = Duration.ofSeconds(30);
    private static final int MOST_ALIVE = 3;

    private final Runnable look;
    private final Duration stuck;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition ended = lock.newCondition();

    // All by the lock.
    private @Nullable Long lookingSince;
    private @Nullable Long foundAt;
    private boolean answers;
    private long newest;
    private int alive;

    /** @param look at the database; throws if that fails */
    public Checks(Runnable look) {
        this(look, STUCK);
    }

    /** @param stuck after this time another look begins */
    Checks(Runnable look, Duration stuck) {
        this.look = look;
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
            // Who comes when the look has been under way for two seconds does not wait at all.
            while (lookingSince != null) {
                long left = lookingSince + LONGEST - System.nanoTime();
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

    /** {@return whether another look begins: none is under way, or it may hang for ever, as over a connection that is half open} */
    private boolean mayBegin() {
        return lookingSince == null || (alive < MOST_ALIVE && System.nanoTime() - lookingSince > stuck.toNanos());
    }

    private void begin() {
        long number = newest + 1;
        long since = System.nanoTime();
        Thread thread = new Thread(() -> look(number, since), "pawl-dashboard-ready");
        thread.setDaemon(true);
        thread.start(); // first: if there is no thread, no look is under way
        newest = number;
        lookingSince = since;
        alive++;
    }

    private void look(long number, long since) {
        boolean found = false;
        try {
            look.run();
            found = true;
        } catch (RuntimeException e) {
            LOG.debug("not ready", e);
        } finally {
            lock.lock();
            try {
                alive--;
                if (number == newest) { // what an old one has found is no news
                    // What took too long was no answer.
                    answers = found && System.nanoTime() - since < LONGEST + TimeUnit.SECONDS.toNanos(1);
                    foundAt = System.nanoTime();
                    lookingSince = null;
                    ended.signalAll();
                }
            } finally {
                lock.unlock();
            }
        }
    }
}

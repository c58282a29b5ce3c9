package dev.pawl.dashboard.internal.snapshot;

import dev.pawl.dashboard.internal.web.Refusal;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A cached query result shared by all viewers: only one thread queries at a time, and the longer a query took, the
 * longer its result is kept. Thread-safe.
 *
 * @param <T> the result
 */
public final class Cached<T> {
    private static final long LEAST_NANOS = Duration.ofSeconds(1).toNanos();
    private static final long MAX_NANOS = Duration.ofMinutes(1).toNanos();
    private static final int TIMES_ITS_COST = 10;
    /** Maximum age of an expired result that is still shown while another thread queries. */
    private static final long OLDEST_NANOS = Duration.ofSeconds(30).toNanos();

    private static final long COSTLY_NANOS = Duration.ofMillis(50).toNanos();
    private static final long SOON_MILLIS = 150;

    static final Duration LONGEST_WAIT = Duration.ofSeconds(5);

    private final Supplier<T> query;
    private final LongSupplier nanos;
    private final Duration longestWait;
    private final @Nullable ExecutorService executor;
    private final AtomicBoolean refreshing = new AtomicBoolean();
    private final ReentrantLock querying = new ReentrantLock();
    private final AtomicLong changes = new AtomicLong();
    private volatile @Nullable Answer<T> last;

    private record Answer<T>(T value, long until, boolean isCostly) {}

    /**
     * @param query queries the database
     * @param nanos the time, as {@link System#nanoTime}
     */
    Cached(Supplier<T> query, LongSupplier nanos) {
        this(query, nanos, LONGEST_WAIT, null);
    }

    /**
     * @param query queries the database
     * @param nanos the time, as {@link System#nanoTime}
     * @param longestWait for another thread's query
     * @param executor refreshes slow results in the background while viewers see the last one; null makes viewers wait
     */
    Cached(Supplier<T> query, LongSupplier nanos, Duration longestWait, @Nullable ExecutorService executor) {
        this.query = query;
        this.nanos = nanos;
        this.longestWait = longestWait;
        this.executor = executor;
    }

    /**
     * {@return a recent result; while another thread queries, the last result, up to half a minute after its expiry}
     *
     * @throws Refusal if no result arrives and the last one is too old
     */
    public T get() {
        Answer<T> known = last;
        long age = known == null ? 0 : nanos.getAsLong() - known.until;
        if (known != null && age < 0) {
            return known.value;
        }
        if (known != null && age < OLDEST_NANOS && known.isCostly) {
            Future<?> unused = refresh();
            return known.value;
        }
        boolean isFree = querying.tryLock();
        if (!isFree && known != null && age < OLDEST_NANOS) {
            return known.value;
        }
        if (!isFree && !waited()) {
            throw new Refusal(
                    503, "the database has not answered for " + LONGEST_WAIT.toSeconds() + " seconds; try again later");
        }
        try {
            return queried();
        } finally {
            querying.unlock();
        }
    }

    /**
     * Like {@link #get}, but does not wait for a slow query, so that a page can show its other content.
     *
     * @return a result, up to about one and a half minutes old; empty while there is none
     */
    public Optional<T> soon() {
        if (needsQuery() && executor != null) {
            Future<?> refresh = refresh();
            try {
                if (refresh != null) {
                    refresh.get(SOON_MILLIS, TimeUnit.MILLISECONDS);
                }
            } catch (TimeoutException | ExecutionException e) {
                // the result, or its failure, is delivered to a later caller
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            if (refreshing.get()) {
                Answer<T> known = last;
                return isTooOld() || known == null ? Optional.empty() : Optional.of(known.value);
            }
        }
        return Optional.of(get());
    }

    /** {@return whether {@link #get} would query before it returns} */
    private boolean needsQuery() {
        Answer<T> known = last;
        return isTooOld() || known == null || (!known.isCostly && nanos.getAsLong() - known.until >= 0);
    }

    /** {@return whether there is no result that may be shown, not even while another thread queries} */
    private boolean isTooOld() {
        Answer<T> known = last;
        return known == null || nanos.getAsLong() - known.until >= OLDEST_NANOS;
    }

    /** Queries in the background, unless a query is in flight. */
    private @Nullable Future<?> refresh() {
        ExecutorService threads = executor;
        if (threads == null || !refreshing.compareAndSet(false, true)) {
            return null;
        }
        try {
            return threads.submit(() -> {
                querying.lock();
                try {
                    T unused = queried();
                } finally {
                    refreshing.set(false);
                    querying.unlock();
                }
            });
        } catch (RejectedExecutionException e) {
            refreshing.set(false); // too many queries are queued already
            return null;
        }
    }

    private boolean waited() {
        try {
            return querying.tryLock(longestWait.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private T queried() {
        Answer<T> known = last;
        long before = nanos.getAsLong();
        if (known != null && known.until - before > 0) {
            return known.value; // another thread has just queried
        }
        long seen = changes.get();
        T value = query.get();
        long now = nanos.getAsLong();
        long kept = Math.max(LEAST_NANOS, Math.min(MAX_NANOS, (now - before) * TIMES_ITS_COST));
        if (changes.get() == seen) { // otherwise the result may predate the change
            last = new Answer<>(value, now + kept, executor != null && now - before > COSTLY_NANOS);
        }
        return value;
    }

    /** Discards the result after a change, so that the next caller sees the change. */
    public void forget() {
        changes.incrementAndGet();
        last = null;
    }
}

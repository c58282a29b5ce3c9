package dev.pawl.dashboard.internal.look;

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
 * A look at the database that many people share: however many look, one at a time asks, and the longer an answer took, the
 * longer it is kept. Thread-safe.
 *
 * @param <T> what is looked at
 */
public final class Cached<T> {
    private static final long LEAST_NANOS = Duration.ofSeconds(1).toNanos();
    private static final long MOST_NANOS = Duration.ofMinutes(1).toNanos();
    private static final int TIMES_ITS_COST = 10;
    /** Beyond its time: so long somebody else may be asking anew. */
    private static final long OLDEST_NANOS = Duration.ofSeconds(30).toNanos();

    private static final long COSTLY_NANOS = Duration.ofMillis(50).toNanos();
    private static final long SOON_MILLIS = 150;

    static final Duration LONGEST_WAIT = Duration.ofSeconds(5);

    private final Supplier<T> look;
    private final LongSupplier nanos;
    private final Duration longestWait;
    private final @Nullable ExecutorService executor;
    private final AtomicBoolean refreshing = new AtomicBoolean();
    private final ReentrantLock asking = new ReentrantLock();
    private final AtomicLong changes = new AtomicLong();
    private volatile @Nullable Answer<T> last;

    private record Answer<T>(T value, long until, boolean isCostly) {}

    /**
     * @param look asks the database
     * @param nanos the time, as {@link System#nanoTime}
     */
    Cached(Supplier<T> look, LongSupplier nanos) {
        this(look, nanos, LONGEST_WAIT, null);
    }

    /**
     * @param look asks the database
     * @param nanos the time, as {@link System#nanoTime}
     * @param longestWait for somebody else who asks
     * @param executor asks anew while people see the last answer, where asking takes long; null to let them wait
     */
    Cached(Supplier<T> look, LongSupplier nanos, Duration longestWait, @Nullable ExecutorService executor) {
        this.look = look;
        this.nanos = nanos;
        this.longestWait = longestWait;
        this.executor = executor;
    }

    /**
     * {@return a recent answer; while somebody else asks anew, the last one, for half a minute}
     *
     * @throws Refusal if whoever asks gets no answer, and the last one is too old
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
        boolean isFree = asking.tryLock();
        if (!isFree && known != null && age < OLDEST_NANOS) {
            return known.value;
        }
        if (!isFree && !waited()) {
            throw new Refusal(
                    503, "the database has not answered for " + LONGEST_WAIT.toSeconds() + " seconds; try again later");
        }
        try {
            return asked();
        } finally {
            asking.unlock();
        }
    }

    /**
     * For a page that has more to show: does not wait for what takes long.
     *
     * @return a recent answer, perhaps of a minute ago; empty while the first one, or the first for long, is under way
     */
    public Optional<T> soon() {
        if (isTooOld() && executor != null) {
            Future<?> looking = refresh();
            try {
                if (looking != null) {
                    looking.get(SOON_MILLIS, TimeUnit.MILLISECONDS);
                }
            } catch (TimeoutException | ExecutionException e) {
                // it is there later, or its failure is told to whoever looks next
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            if (isTooOld() && refreshing.get()) {
                return Optional.empty();
            }
        }
        return Optional.of(get());
    }

    /** {@return whether there is no answer that anybody may be shown, not even while somebody asks anew} */
    private boolean isTooOld() {
        Answer<T> known = last;
        return known == null || nanos.getAsLong() - known.until >= OLDEST_NANOS;
    }

    /** Asks anew in the background, unless somebody does. */
    private @Nullable Future<?> refresh() {
        ExecutorService threads = executor;
        if (threads == null || !refreshing.compareAndSet(false, true)) {
            return null;
        }
        try {
            return threads.submit(() -> {
                asking.lock();
                try {
                    T unused = asked();
                } finally {
                    refreshing.set(false);
                    asking.unlock();
                }
            });
        } catch (RejectedExecutionException e) {
            refreshing.set(false); // too much is asked already
            return null;
        }
    }

    private boolean waited() {
        try {
            return asking.tryLock(longestWait.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private T asked() {
        Answer<T> known = last;
        long before = nanos.getAsLong();
        if (known != null && known.until - before > 0) {
            return known.value; // somebody else has just asked
        }
        long seen = changes.get();
        T value = look.get();
        long now = nanos.getAsLong();
        long kept = Math.max(LEAST_NANOS, Math.min(MOST_NANOS, (now - before) * TIMES_ITS_COST));
        if (changes.get() == seen) { // else it may be from before the change
            last = new Answer<>(value, now + kept, executor != null && now - before > COSTLY_NANOS);
        }
        return value;
    }

    /** Has the next one ask again: somebody has changed something, and wants to see it. */
    public void forget() {
        changes.incrementAndGet();
        last = null;
    }
}

package dev.pawl.dashboard.internal.look;

import java.time.Duration;
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

    private final Supplier<T> look;
    private final LongSupplier nanos;
    private final ReentrantLock asking = new ReentrantLock();
    private final AtomicLong changes = new AtomicLong();
    private volatile @Nullable Answer<T> last;

    private record Answer<T>(T value, long until) {}

    /**
     * @param look asks the database
     * @param nanos the time, as {@link System#nanoTime}
     */
    Cached(Supplier<T> look, LongSupplier nanos) {
        this.look = look;
        this.nanos = nanos;
    }

    /** {@return a recent answer; while somebody else asks anew, the last one} */
    public T get() {
        Answer<T> known = last;
        if (known != null && known.until - nanos.getAsLong() > 0) {
            return known.value;
        }
        if (known != null && !asking.tryLock()) {
            return known.value;
        }
        if (known == null) {
            asking.lock();
        }
        try {
            return asked();
        } finally {
            asking.unlock();
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
            last = new Answer<>(value, now + kept);
        }
        return value;
    }

    /** Has the next one ask again: somebody has changed something, and wants to see it. */
    public void forget() {
        changes.incrementAndGet();
        last = null;
    }
}

package dev.pawl.internal.engine;

import dev.pawl.internal.store.WorkerHost;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares the database's clock with the monotonic clock of this process. Leases expire by the database's clock, and workers renew them by
 * their own, so when the database's clock is set forward, leases of live workers look expired. The first reading cannot show whether the
 * clock was set forward before. Therefore leases are believed expired only after every live worker has had time to renew. Thread-safe.
 */
final class ServerClock {
    private static final Logger LOG = LoggerFactory.getLogger(ServerClock.class);
    /** Clocks that are only slewed drift apart by less than this plus a thousandth of the time. */
    private static final long SLACK = TimeUnit.SECONDS.toNanos(1);

    private static final int DRIFT = 1000;

    private final String worker;
    private final long restNanos;
    private final LongSupplier nanos;
    private boolean known;
    private long firstNanos;
    private long micros;
    private long sentNanos;
    private long receivedNanos;
    /** The highest recent reading: clocks of a cluster's nodes may differ, and the nodes answer in turn. */
    private @Nullable Reading highest;

    private boolean jumped;
    private long jumpNanos;
    /** The last reading before a jump; kept until permits that were valid at that time are renewed or expired. */
    private long trustedMicros;

    private long trustedNanos;

    private record Reading(long micros, long sent, long received) {
        private long since(Reading earlier) {
            return TimeUnit.MICROSECONDS.toNanos(micros - earlier.micros);
        }

        /** {@return whether this reading is lower than an earlier one plus the time since} */
        private boolean isLower(Reading earlier) {
            return since(earlier) < sent - earlier.received - SLACK;
        }

        /** {@return whether a clock with this earlier reading can show the later one} */
        private boolean isReachedBy(Reading later) {
            long most = later.received - sent;
            return later.since(this) <= most + SLACK + most / DRIFT;
        }
    }

    /**
     * @param worker its name
     * @param rest how long expired leases are not trusted after a jump
     */
    ServerClock(String worker, Duration rest) {
        this(worker, rest, System::nanoTime);
    }

    /**
     * @param nanos the monotonic clock of this process
     */
    ServerClock(String worker, Duration rest, LongSupplier nanos) {
        this.worker = worker;
        this.restNanos = rest.toNanos();
        this.nanos = nanos;
    }

    /** {@return the monotonic clock of this process} */
    long nanos() {
        return nanos.getAsLong();
    }

    /**
     * Adds a reading.
     *
     * @param nowMicros the database's time since 1970; 0 if unknown
     * @param sent the time of {@link #nanos} before the statement was sent
     * @param received the time of {@link #nanos} after its result arrived
     */
    synchronized void read(long nowMicros, long sent, long received) {
        if (nowMicros == 0) {
            return;
        }
        Reading now = new Reading(nowMicros, sent, received);
        Reading before = highest;
        Reading top = before != null && sent - before.received < restNanos ? before : null;
        if (top == null || !now.isLower(top)) {
            highest = now;
        }
        if (known) {
            long went = TimeUnit.MICROSECONDS.toNanos(nowMicros - micros);
            long most = received - sentNanos;
            long ahead = went - most - SLACK - most / DRIFT;
            if (ahead > 0 && (top == null || !top.isReachedBy(now))) {
                jumped = true;
                jumpNanos = received;
                LOG.warn(
                        "{}: the database's clock has jumped forward by about {}, or this process was suspended; no"
                                + " abandoned jobs are rescued for {}, so that live workers can renew their leases first",
                        worker,
                        HumanDuration.of(Duration.ofNanos(went - most)),
                        HumanDuration.of(Duration.ofNanos(restNanos)));
            }
        }
        if (!known || !jumped || received - jumpNanos >= Math.max(restNanos, WorkerHost.LONGEST_PERMIT.toNanos())) {
            trustedMicros = nowMicros;
            trustedNanos = sent;
        }
        if (!known) {
            firstNanos = received;
        }
        known = true;
        micros = nowMicros;
        sentNanos = sent;
        receivedNanos = received;
    }

    /**
     * {@return whether a lease that has expired by the database's clock has really expired} After the first reading, live workers get half
     * a lease length, in which each renews twice.
     */
    synchronized boolean isSteady() {
        return isSteady(Duration.ZERO) && (!known || hasWatchedFor(restNanos / 2));
    }

    private boolean hasWatchedFor(long length) {
        return nanos() - firstNanos >= length;
    }

    /**
     * {@return whether something that is renewed at this interval has really expired if it looks expired} Considers only jumps of the clock
     * since the first reading.
     */
    synchronized boolean isSteady(Duration renewed) {
        return !jumped || nanos() - jumpNanos >= Math.max(restNanos, renewed.toNanos());
    }

    /**
     * {@return an upper bound of the database's clock, in microseconds since 1970, as if it had not been set forward} Permits of other
     * workers that end after this time are valid, even if the database's clock says otherwise. Until a permit's lifetime has passed since
     * the first reading, no permit counts as expired.
     */
    synchronized long latest() {
        if (!known || !hasWatchedFor(WorkerHost.LONGEST_PERMIT.toNanos())) {
            return 0;
        }
        long went = nanos() - trustedNanos;
        return trustedMicros + TimeUnit.NANOSECONDS.toMicros(went + SLACK + went / DRIFT);
    }

    /** {@return a lower bound of the time since a moment, by the database's clock; a day if the clock has not been read} */
    synchronized Duration since(Instant moment) {
        if (!known) {
            return Duration.ofDays(1);
        }
        Instant now = Instant.EPOCH.plus(micros, ChronoUnit.MICROS).plusNanos(nanos() - receivedNanos);
        return Duration.between(moment, now);
    }
}

package dev.pawl.internal.engine;

import dev.pawl.internal.store.LimitSource;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares the database's clock with this process's monotonic clock. Leases expire by the first, and workers renew them by the second:
 * when the database's clock is set forward, leases of live workers look expired. The first reading cannot show a step that came before it:
 * what looks expired is believed only after a time in which every live worker has renewed. Thread-safe.
 */
final class ServerClock {
    private static final Logger LOG = LoggerFactory.getLogger(ServerClock.class);
    /** Clocks that are only slewed drift apart by less than this and a thousandth of the time. */
    private static final long SLACK = TimeUnit.SECONDS.toNanos(1);

    private static final int DRIFT = 1000;

    private final String worker;
    private final long restNanos;
    private final LongSupplier nanos;
    private boolean known;
    private long firstNanos;
    private long micros;
    private long sentNanos;
    private long heardNanos;
    /** Of the last time: nodes of a cluster may have clocks that differ, and one after the other is asked. */
    private @Nullable Reading highest;

    private boolean jumped;
    private long jumpNanos;
    /** A reading from before a jump, until shares that were good then are renewed or over. */
    private long trustedMicros;

    private long trustedNanos;

    private record Reading(long micros, long sent, long heard) {
        private long since(Reading earlier) {
            return TimeUnit.MICROSECONDS.toNanos(micros - earlier.micros);
        }

        /** {@return whether the clock is lower than one that has gone on since an earlier reading} */
        private boolean isLower(Reading earlier) {
            return since(earlier) < sent - earlier.heard - SLACK;
        }

        /** {@return whether a clock that has gone on since then shows as much as a later reading} */
        private boolean isReachedBy(Reading later) {
            long most = later.heard - sent;
            return later.since(this) <= most + SLACK + most / DRIFT;
        }
    }

    /**
     * @param worker its name
     * @param rest for how long after a jump leases say nothing
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

    /** {@return what the monotonic clock of this process shows} */
    long nanos() {
        return nanos.getAsLong();
    }

    /**
     * A reading.
     *
     * @param nowMicros what the database says, since 1970; 0 if it does not
     * @param sent before it was asked, by {@link #nanos}
     * @param heard after it had answered
     */
    synchronized void read(long nowMicros, long sent, long heard) {
        if (nowMicros == 0) {
            return;
        }
        Reading now = new Reading(nowMicros, sent, heard);
        Reading before = highest;
        Reading top = before != null && sent - before.heard < restNanos ? before : null;
        if (top == null || !now.isLower(top)) {
            highest = now;
        }
        if (known) {
            long went = TimeUnit.MICROSECONDS.toNanos(nowMicros - micros);
            long most = heard - sentNanos;
            long ahead = went - most - SLACK - most / DRIFT;
            if (ahead > 0 && (top == null || !top.isReachedBy(now))) {
                jumped = true;
                jumpNanos = heard;
                LOG.warn(
                        "{}: the database's clock has jumped forward by about {}, or this process was suspended; no"
                                + " abandoned jobs are rescued for {}, so that live workers can renew their leases first",
                        worker,
                        Spoken.of(Duration.ofNanos(went - most)),
                        Spoken.of(Duration.ofNanos(restNanos)));
            }
        }
        if (!known || !jumped || heard - jumpNanos >= Math.max(restNanos, LimitSource.SHARE.toNanos())) {
            trustedMicros = nowMicros;
            trustedNanos = sent;
        }
        if (!known) {
            firstNanos = heard;
        }
        known = true;
        micros = nowMicros;
        sentNanos = sent;
        heardNanos = heard;
    }

    /**
     * {@return whether a lease that has expired by the database's clock really has}
     * After the first reading live workers have half a lease, in which each renews twice.
     */
    synchronized boolean isSteady() {
        return isSteady(Duration.ZERO) && (!known || hasWatchedFor(restNanos / 2));
    }

    private boolean hasWatchedFor(long length) {
        return nanos() - firstNanos >= length;
    }

    /** {@return whether what is renewed so often may be believed to be over, as far as a step since the first reading is concerned} */
    synchronized boolean isSteady(Duration renewed) {
        return !jumped || nanos() - jumpNanos >= Math.max(restNanos, renewed.toNanos());
    }

    /**
     * {@return the latest that it may be by the clock of the database, in microseconds since 1970, as if it had not been set forward}
     * What others have until later is theirs still, though the database's clock says that it is over. For the length of a share after the
     * first reading nothing is over.
     */
    synchronized long latest() {
        if (!known || !hasWatchedFor(LimitSource.SHARE.toNanos())) {
            return 0;
        }
        long went = nanos() - trustedNanos;
        return trustedMicros + TimeUnit.NANOSECONDS.toMicros(went + SLACK + went / DRIFT);
    }

    /** {@return how long ago, at least, a moment was by the database's clock; a day if that is not known} */
    synchronized Duration since(Instant moment) {
        if (!known) {
            return Duration.ofDays(1);
        }
        Instant now = Instant.EPOCH.plus(micros, ChronoUnit.MICROS).plusNanos(nanos() - heardNanos);
        return Duration.between(moment, now);
    }
}

package dev.pawl.internal.engine;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares the database's clock with this process's monotonic clock. Leases expire by the first, and workers renew them by the second:
 * when the database's clock is set forward, leases of live workers look expired. Thread-safe.
 */
final class ServerClock {
    private static final Logger LOG = LoggerFactory.getLogger(ServerClock.class);
    /** Clocks that are only slewed drift apart by less than this and a thousandth of the time. */
    private static final long SLACK = TimeUnit.SECONDS.toNanos(1);

    private static final int DRIFT = 1000;

    private final String worker;
    private final long restNanos;
    private boolean known;
    private long micros;
    private long sentNanos;
    private long heardNanos;
    private boolean jumped;
    private long jumpNanos;

    /**
     * @param worker its name
     * @param rest for how long after a jump leases say nothing
     */
    ServerClock(String worker, Duration rest) {
        this.worker = worker;
        this.restNanos = rest.toNanos();
    }

    /**
     * A reading.
     *
     * @param nowMicros what the database says, since 1970; 0 if it does not
     * @param sent before it was asked, by {@link System#nanoTime}
     * @param heard after it had answered
     */
    synchronized void read(long nowMicros, long sent, long heard) {
        if (nowMicros == 0) {
            return;
        }
        if (known) {
            long went = TimeUnit.MICROSECONDS.toNanos(nowMicros - micros);
            long most = heard - sentNanos;
            long ahead = went - most - SLACK - most / DRIFT;
            if (ahead > 0) {
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
        known = true;
        micros = nowMicros;
        sentNanos = sent;
        heardNanos = heard;
    }

    /** {@return whether a lease that has expired by the database's clock really has} */
    synchronized boolean isSteady() {
        return !jumped || System.nanoTime() - jumpNanos >= restNanos;
    }

    /** {@return how long ago, at least, a moment was by the database's clock; a day if that is not known} */
    synchronized Duration since(Instant moment) {
        if (!known) {
            return Duration.ofDays(1);
        }
        Instant now = Instant.EPOCH.plus(micros, ChronoUnit.MICROS).plusNanos(System.nanoTime() - heardNanos);
        return Duration.between(moment, now);
    }
}

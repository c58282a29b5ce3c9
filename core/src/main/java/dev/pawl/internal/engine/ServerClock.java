package dev.pawl.internal.engine;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The clock of the database against the monotonic one of this process. Leases end by the first, and live workers renew them by the
 * second: when the first has been set forward, leases look expired that are not. Thread-safe.
 */
final class ServerClock {
    private static final Logger LOG = LoggerFactory.getLogger(ServerClock.class);
    /** Clocks that are slewed, and none is set, drift apart by less than this, and a thousandth of the time. */
    private static final long SLACK = TimeUnit.SECONDS.toNanos(1);

    private static final int DRIFT = 1000;

    private final String worker;
    private final long restNanos;
    private boolean known;
    private long micros;
    private long sentNanos;
    private long heardNanos;
    /** Of the last time: nodes of a cluster may have clocks that differ, and one after the other is asked. */
    private @Nullable Reading highest;

    private boolean jumped;
    private long jumpNanos;

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
                        "{}: the clock of the database has been set forward by about {}, or this program stood still;"
                                + " abandoned jobs are rescued in {} at the earliest, because workers that live renew"
                                + " their leases first",
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

    /** {@return whether a lease that is over by the clock of the database may be believed to be} */
    synchronized boolean isSteady() {
        return !jumped || System.nanoTime() - jumpNanos >= restNanos;
    }

    /** {@return how long ago a moment was by the clock of the database, at least; forever if that is not known} */
    synchronized Duration since(Instant moment) {
        if (!known) {
            return Duration.ofDays(1);
        }
        Instant now = Instant.EPOCH.plus(micros, ChronoUnit.MICROS).plusNanos(System.nanoTime() - heardNanos);
        return Duration.between(moment, now);
    }
}

package dev.pawl.internal.engine;

import dev.pawl.internal.quota.LocalLimits;
import dev.pawl.internal.store.KeyTurns;
import dev.pawl.internal.store.LimitSource;
import dev.pawl.limit.Subject;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the database what limits allow this worker, as often as need be, and tells it what jobs have found out. Where there
 * are no limits it sleeps. One thread.
 */
final class LimitKeeper implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger("dev.pawl.limit");

    private final String worker;
    private final LocalLimits localLimits;
    private final LimitSource source;
    private final ServerClock clock;
    private final KeyTurns keys;
    private final RequestSize size;
    private final LongSupplier workerId;
    private final Buffer buffer;
    private final Releaser releaser;
    private final FetchSignal signal;
    private final IdleGate idleGate;
    private final DatabaseHealth health;
    private final Backoff outage = new Backoff(100, 2_000);
    private volatile boolean stopping;

    LimitKeeper(
            String worker,
            LocalLimits localLimits,
            LimitSource source,
            ServerClock clock,
            KeyTurns keys,
            LongSupplier workerId,
            Buffer buffer,
            Releaser releaser,
            FetchSignal signal,
            IdleGate idleGate,
            DatabaseHealth health) {
        this.health = health;
        this.worker = worker;
        this.localLimits = localLimits;
        this.source = source;
        this.clock = clock;
        this.keys = keys;
        this.size = new RequestSize(keys.most());
        this.workerId = workerId;
        this.buffer = buffer;
        this.releaser = releaser;
        this.signal = signal;
        this.idleGate = idleGate;
    }

    @Override
    public void run() {
        while (!stopping) {
            try {
                localLimits.awaitAnyDue();
                handleUnlessSuspended();
            } catch (InterruptedException e) {
                LOG.debug("the keeper of limits was interrupted, and goes on", e); // it ends when it is stopped
            }
        }
    }

    /** What is to be told is taken only when it may be told: until then the worker that falls asleep can see it. */
    private void handleUnlessSuspended() {
        idleGate.enterWhenOpen();
        try {
            localLimits.takeDue().forEach(this::see);
            localLimits.takeDueKeys(size.keys()).forEach(this::see);
            releaseExhausted();
        } finally {
            idleGate.leave();
        }
    }

    private void see(LocalLimits.Due due) {
        try {
            reportAndRequest(due);
            outage.reset();
        } catch (SQLException | RuntimeException e) {
            localLimits.notReported(due);
            waitOut(due.request().subject(), e);
        }
    }

    private void see(LocalLimits.DueKeys due) {
        try {
            long sent = System.nanoTime();
            Map<String, LimitSource.Allocation> allocated = keys.starts(due.queue(), due.requests());
            size.sent(due.requests().size(), System.nanoTime() - sent);
            heard(localLimits.allocated(due.queue(), allocated, sent));
            outage.reset();
        } catch (SQLException | RuntimeException e) {
            waitOut(Subject.keysOf(due.queue()), e); // they are asked for again, because their jobs still wait
        }
    }

    /** Others may be allowed to run them sooner, unless it is the rate of their key: then nobody may. */
    private void releaseExhausted() {
        List<HeldJob> exhausted = new ArrayList<>();
        Map<HeldJob, Duration> later = new HashMap<>();
        for (HeldJob job : buffer.removeExhausted()) {
            Duration wait = localLimits.untilStarts(job.job());
            if (wait.isZero()) {
                exhausted.add(job);
            } else {
                later.put(job, wait);
            }
        }
        if (!exhausted.isEmpty()) {
            releaser.unstarted(exhausted);
        }
        releaser.later(later);
    }

    private void heard(boolean more) {
        if (more) {
            buffer.limitsChanged();
            signal.look();
        }
    }

    private void reportAndRequest(LocalLimits.Due due) throws SQLException {
        LocalLimits.Report report = due.report();
        if (report != null) {
            LOG.warn(
                    "{}: {} is held back for {}: {}",
                    worker,
                    due.request().subject(),
                    Spoken.of(report.length()),
                    report.reason());
            source.unavailable(due.request().subject(), report.length(), report.reason());
        }
        if (due.worksAgain()) {
            source.available(due.request().subject());
        }
        long sent = System.nanoTime();
        LimitSource.Allocation allocated = source.allocate(workerId.getAsLong(), due.request(), clock.latest());
        heard(localLimits.allocated(due.request().subject(), allocated, sent));
    }

    private void waitOut(Subject subject, Exception e) {
        if (stopping) {
            return;
        }
        long wait = outage.next();
        if (!health.failed("ask what limits allow", e)) {
            LOG.warn(
                    "{}: cannot ask what the limit of {} allows, trying again in {} ms: {}",
                    worker,
                    subject,
                    TimeUnit.NANOSECONDS.toMillis(wait),
                    ErrorText.firstLine(e));
        }
        try {
            health.await(wait);
        } catch (InterruptedException somebody) {
            LOG.debug("interrupted, so asking again at once", somebody);
        }
    }

    /** Asks for nothing more. */
    void stop() {
        stopping = true;
        localLimits.close();
    }

    /** Gives back what the worker has, if there are limits. */
    void signOff() throws SQLException {
        if (!localLimits.none()) {
            source.release(workerId.getAsLong());
        }
    }
}

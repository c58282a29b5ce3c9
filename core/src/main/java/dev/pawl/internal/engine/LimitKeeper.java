package dev.pawl.internal.engine;

import dev.pawl.internal.quota.LocalLimits;
import dev.pawl.internal.store.ConcurrencyKeys;
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
 * Requests from the database what limits allow this worker, and reports what jobs have found unavailable. Without limits it waits. One
 * thread.
 */
final class LimitKeeper implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger("dev.pawl.limit");

    private final String worker;
    private final LocalLimits localLimits;
    private final LimitSource source;
    private final ServerClock clock;
    private final ConcurrencyKeys keys;
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
            Claiming claiming,
            LimitSource source,
            ConcurrencyKeys keys,
            ServerClock clock,
            IdleGate idleGate,
            DatabaseHealth health) {
        worker = claiming.config().name();
        localLimits = claiming.limits();
        workerId = claiming.workerId();
        buffer = claiming.buffer();
        releaser = claiming.releaser();
        signal = claiming.signal();
        this.source = source;
        this.keys = keys;
        this.size = new RequestSize(keys.most());
        this.clock = clock;
        this.idleGate = idleGate;
        this.health = health;
    }

    @Override
    public void run() {
        while (!stopping) {
            try {
                localLimits.awaitAnyDue();
                handleUnlessSuspended();
            } catch (InterruptedException e) {
                LOG.debug("the limits thread was interrupted, and goes on", e); // ends when it is stopped
            }
        }
    }

    /** Takes the reports only inside the gate; until then they keep the worker from being suspended. */
    private void handleUnlessSuspended() {
        idleGate.enterWhenOpen();
        try {
            localLimits.takeDue().forEach(this::handle);
            localLimits.takeDueKeys(size.keys()).forEach(this::handle);
            releaseExhausted();
        } finally {
            idleGate.leave();
        }
    }

    private void handle(LocalLimits.Due due) {
        try {
            reportAndRequest(due);
            outage.reset();
        } catch (SQLException | RuntimeException e) {
            localLimits.notReported(due);
            waitOut(due.request().subject(), e);
        }
    }

    private void handle(LocalLimits.DueKeys due) {
        try {
            long sent = System.nanoTime();
            Map<String, LimitSource.Allocation> allocated = keys.starts(due.queue(), due.requests());
            size.sent(due.requests().size(), System.nanoTime() - sent);
            allocated(localLimits.allocated(due.queue(), allocated, sent));
            outage.reset();
        } catch (SQLException | RuntimeException e) {
            waitOut(Subject.keysOf(due.queue()), e); // requested again, because their jobs still wait
        }
    }

    /**
     * Releases jobs that cannot start for a while, because another worker may be allowed to run them. Jobs whose key has no starts left are
     * delayed instead, because no worker may run them.
     */
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

    private void allocated(boolean more) {
        if (more) {
            buffer.limitsChanged();
            signal.poll();
        }
    }

    private void reportAndRequest(LocalLimits.Due due) throws SQLException {
        LocalLimits.Report report = due.report();
        if (report != null) {
            LOG.warn(
                    "{}: {} is on hold for {}: {}",
                    worker,
                    due.request().subject(),
                    HumanDuration.of(report.length()),
                    report.reason());
            source.unavailable(due.request().subject(), report.length(), report.reason());
        }
        if (due.worksAgain()) {
            source.available(due.request().subject());
        }
        long sent = System.nanoTime();
        LimitSource.Allocation allocated = source.allocate(workerId.getAsLong(), due.request(), clock.latest());
        allocated(localLimits.allocated(due.request().subject(), allocated, sent));
    }

    private void waitOut(Subject subject, Exception e) {
        if (stopping) {
            return;
        }
        long wait = outage.next();
        if (!health.failed("request what limits allow", e)) {
            LOG.warn(
                    "{}: cannot request what the limit of {} allows, trying again in {} ms: {}",
                    worker,
                    subject,
                    TimeUnit.NANOSECONDS.toMillis(wait),
                    ErrorText.firstLine(e));
        }
        try {
            health.await(wait);
        } catch (InterruptedException interrupt) {
            LOG.debug("interrupted, so trying again at once", interrupt);
        }
    }

    /** Sends no more requests. */
    void stop() {
        stopping = true;
        localLimits.close();
    }

    /** Releases the worker's allocations, if there are limits. */
    void signOff() throws SQLException {
        if (!localLimits.none()) {
            source.release(workerId.getAsLong());
        }
    }
}

package dev.pawl.internal.quota;

import dev.pawl.api.Job;
import dev.pawl.api.Outcome;
import dev.pawl.internal.engine.ErrorText;
import dev.pawl.internal.engine.HumanDuration;
import dev.pawl.internal.engine.LaterTry;
import dev.pawl.internal.store.Admission;
import dev.pawl.internal.store.Allocation;
import dev.pawl.internal.store.ConcurrencyKeys;
import dev.pawl.internal.store.JobStore;
import dev.pawl.internal.store.LimitSource;
import dev.pawl.internal.store.WorkerContext;
import dev.pawl.internal.store.WorkerHost;
import dev.pawl.internal.store.WorkerPart;
import dev.pawl.limit.Subject;
import java.sql.SQLException;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Requests permits and starts for this worker from the database, and reports resources that jobs have found unavailable. Without limits it
 * waits. Runs in one thread.
 */
public final class LimitKeeper implements WorkerPart {
    private static final Logger LOG = LoggerFactory.getLogger("dev.pawl.limit");

    private final String worker;
    private final WorkerHost host;
    private final LocalLimits localLimits;
    private final LimitSource source;
    private final ConcurrencyKeys keys;
    private final RequestSize size;
    private final LaterTry laterTry;
    private volatile boolean stopping;

    /**
     * @param worker to which this part belongs
     * @param host what the worker offers
     * @param source allocates what limits allow
     * @param keys allocates starts of keys
     */
    public LimitKeeper(WorkerContext worker, WorkerHost host, LimitSource source, ConcurrencyKeys keys) {
        this.worker = worker.name();
        this.host = host;
        localLimits = new LocalLimits(host::atOnce, host::claimsFrom, host.kinds(), host.lock());
        laterTry = new LaterTry(worker.name(), host, LOG);
        size = new RequestSize(keys.maxKeys());
        this.source = source;
        this.keys = keys;
    }

    /** {@return the limits of this worker} */
    public Admission admission() {
        return localLimits;
    }

    @Override
    public String name() {
        return "pawl-limits";
    }

    @Override
    public void run() {
        while (!stopping) {
            try {
                localLimits.awaitAnyDue();
                host.whileAwake(this::handleDue);
            } catch (InterruptedException e) {
                LOG.debug("the limits thread was interrupted, and goes on", e); // the loop ends when it is stopped
            } catch (SQLException e) {
                throw new IllegalStateException(e); // cannot happen: handleDue() handles them
            }
        }
    }

    /**
     * Handles due requests. Takes the reports only while the worker is awake, because a report that is taken but not written yet does not
     * prevent the worker's suspension.
     */
    private void handleDue() {
        localLimits.takeDue().forEach(this::handle);
        localLimits.takeDueKeyRequests(size.keys()).forEach(this::handle);
        // Jobs whose key has no starts left are delayed, because no worker may run them.
        host.releaseExhausted(localLimits::untilStarts);
    }

    private void handle(LocalLimits.Due due) {
        try {
            reportAndRequest(due);
            laterTry.reset();
        } catch (SQLException | RuntimeException e) {
            localLimits.notReported(due);
            waitOut(due.request().subject(), e);
        }
    }

    private void handle(LocalLimits.DueKeyRequests due) {
        try {
            long sent = System.nanoTime();
            Map<String, Allocation> allocated = keys.starts(due.queue(), due.requests());
            size.sent(due.requests().size(), System.nanoTime() - sent);
            allocated(localLimits.allocated(due.queue(), allocated, sent));
            laterTry.reset();
        } catch (SQLException | RuntimeException e) {
            waitOut(Subject.keysOf(due.queue()), e); // the starts are requested again, because jobs still wait
        }
    }

    private void waitOut(Subject subject, Exception e) {
        if (!stopping) {
            laterTry.waitOut("request what the limit of " + subject + " allows", e);
        }
    }

    private void allocated(boolean more) {
        if (more) {
            host.admissionChanged();
            host.mayClaimMore();
        }
    }

    private void reportAndRequest(LocalLimits.Due due) throws SQLException {
        LocalLimits.Report report = due.report();
        if (report != null) {
            LOG.warn(
                    "{}: {} is paused for {}: {}",
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
        Allocation allocated = source.allocate(host.workerId(), due.request(), host.latestMicros());
        allocated(localLimits.allocated(due.request().subject(), allocated, sent));
    }

    @Override
    public void read(JobStore.Settings settings) {
        if (localLimits.limited(settings.limited())) {
            host.admissionChanged();
        }
    }

    @Override
    public void ran(Job job, @Nullable Outcome outcome) {
        if (outcome instanceof Outcome.Unavailable unavailable) {
            localLimits.unavailable(job.kind(), unavailable.delay(), ErrorText.clean(unavailable.reason()));
            host.admissionChanged();
        } else if (!(outcome instanceof Outcome.KeyUnavailable)) {
            localLimits.available(job.queue(), job.kind());
        }
    }

    @Override
    public boolean isSettledSince(long nanos) {
        return localLimits.isSettledSince(nanos);
    }

    /** Sends no more requests. */
    @Override
    public void stop() {
        stopping = true;
        localLimits.close();
    }

    /** Releases the worker's allocations, if there are limits. */
    @Override
    public void signOff() throws SQLException {
        if (!localLimits.none()) {
            source.release(host.workerId());
        }
    }
}

package dev.pawl.internal.engine;

import dev.pawl.internal.store.Lease;
import dev.pawl.internal.store.Mutex;
import dev.pawl.internal.store.StartedLeases;
import dev.pawl.internal.store.WorkerDirectory;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs in the worker's row which jobs are about to start. One write covers many jobs, because it includes those that the handlers will take
 * next. If the worker dies, only logged jobs lose an attempt. So a job does not start before the write is committed. Thread-safe.
 */
final class StartLog {
    private static final Logger LOG = LoggerFactory.getLogger(StartLog.class);

    private final WorkerDirectory directory;
    private final LongSupplier workerId;
    private final HeldJobs heldJobs;
    private final Buffer buffer;
    private final HandlerRate handlerRate;
    private final DatabaseHealth health;
    private final Mutex writing = new Mutex();
    private final Set<HeldJob> waiting = ConcurrentHashMap.newKeySet();
    private final AtomicInteger left = new AtomicInteger();
    /** Where writes are slow, because many workers write, each write logs more starts ahead. */
    private final ClaimHorizon horizon = new ClaimHorizon();

    private volatile int refillAt;

    StartLog(
            WorkerDirectory directory,
            LongSupplier workerId,
            HeldJobs heldJobs,
            Buffer buffer,
            HandlerRate handlerRate,
            DatabaseHealth health) {
        this.health = health;
        this.directory = directory;
        this.workerId = workerId;
        this.heldJobs = heldJobs;
        this.buffer = buffer;
        this.handlerRate = handlerRate;
    }

    /**
     * Makes sure that the starts of jobs are logged; waits while the database is unavailable. The write for the first job includes the
     * remaining jobs.
     *
     * @return false if no start could be logged before the jobs were stopped, their leases expired or the worker stopped
     */
    boolean ensureLogged(List<HeldJob> jobs) throws InterruptedException {
        if (buffer.isTrusted() && !HeldJobs.any(jobs, job -> !job.isStartLogged())) {
            refill(jobs.get(0));
            return true;
        }
        buffer.waitsForLog(jobs.get(0));
        waiting.addAll(jobs);
        try {
            for (HeldJob job : jobs) {
                ensureLogged(job);
            }
            return HeldJobs.any(jobs, HeldJob::isStartLogged);
        } finally {
            jobs.forEach(waiting::remove);
        }
    }

    private void ensureLogged(HeldJob held) throws InterruptedException {
        Backoff outage = new Backoff(20, 500);
        while (!isEnough(held)
                && held.stopped() == null
                && !held.hasExpired(System.nanoTime())
                && !buffer.isClosed()
                && !write(held)) {
            TimeUnit.NANOSECONDS.sleep(outage.next());
        }
    }

    /** Writes, unless another thread has written meanwhile: the first thread writes for all that wait. */
    private boolean write(HeldJob held) throws InterruptedException {
        writing.lockInterruptibly();
        try (writing) {
            return isEnough(held) || write();
        }
    }

    /**
     * Whether the job may start. While the database is not trusted, even a job whose start is already logged waits for the database's
     * answer.
     */
    private boolean isEnough(HeldJob held) {
        return held.isStartLogged() && buffer.isTrusted();
    }

    /** When half of the starts that were logged ahead are used, one thread logs the next ones, while other threads use the other half. */
    private void refill(HeldJob first) {
        if (left.decrementAndGet() == refillAt && writing.tryLock()) {
            try {
                if (!next().isEmpty()) {
                    buffer.waitsForLog(first);
                    write();
                }
            } finally {
                writing.unlock();
            }
        }
    }

    /** {@return the jobs that the handlers will take next, and whose starts may be logged ahead} */
    private List<HeldJob> next() {
        return buffer.next(handlerRate.ahead(horizon.nanos(), System.nanoTime())).stream()
                .filter(job -> !job.isStartLoggedAlone() && !job.isStartLogged())
                .toList();
    }

    /** {@return the timeout of the write, so that a dead connection does not cost the jobs their leases} */
    private static Duration longest(Set<HeldJob> jobs) {
        return jobs.stream()
                .map(HeldJob::leaseLength)
                .min(Comparator.naturalOrder())
                .map(lease -> new LeaseTerms(lease).longestCall())
                .orElse(LeaseTerms.SHORTEST_CALL);
    }

    private boolean write() {
        Set<HeldJob> now = new LinkedHashSet<>(waiting);
        List<HeldJob> next = next();
        now.addAll(next);
        List<Lease> leases = new ArrayList<>(heldJobs.unrecorded());
        for (HeldJob job : heldJobs.all()) {
            if (now.contains(job) || job.isStartLoggedHere()) {
                leases.add(job.lease());
            }
        }
        long begun = System.nanoTime();
        try {
            directory.logStarts(workerId.getAsLong(), StartedLeases.encode(leases), longest(now));
        } catch (SQLException | RuntimeException e) {
            buffer.database(false);
            if (!health.failed("log the start of jobs", e)) {
                LOG.warn("cannot log the start of {} job(s), so they wait: {}", now.size(), ErrorText.firstLine(e));
            }
            return false;
        }
        horizon.claimed(System.nanoTime() - begun, false);
        now.forEach(HeldJob::startLogged);
        buffer.onStartsLogged();
        int ahead = Math.max(0, left.get()) + next.size();
        refillAt = ahead / 2;
        left.set(ahead);
        return true;
    }
}

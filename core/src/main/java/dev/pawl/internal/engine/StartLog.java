package dev.pawl.internal.engine;

import dev.pawl.internal.store.Announced;
import dev.pawl.internal.store.Lease;
import dev.pawl.internal.store.WorkerDirectory;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Announces in the database that jobs may begin, before they do: in one row for many jobs, because it is written ahead
 * for what the handlers are about to take. If the worker dies, only announced jobs lose an attempt. A start waits for
 * the commit of its mark. Thread-safe.
 */
final class StartMarks {
    private static final Logger LOG = LoggerFactory.getLogger(StartMarks.class);

    private final WorkerDirectory directory;
    private final LongSupplier workerId;
    private final HeldJobs heldJobs;
    private final Buffer buffer;
    private final Pace pace;
    private final DatabaseHealth health;
    private final ReentrantLock writing = new ReentrantLock();
    private final Set<HeldJob> waiting = ConcurrentHashMap.newKeySet();
    private final AtomicInteger left = new AtomicInteger();
    private volatile int refillAt;

    StartMarks(
            WorkerDirectory directory,
            LongSupplier workerId,
            HeldJobs heldJobs,
            Buffer buffer,
            Pace pace,
            DatabaseHealth health) {
        this.health = health;
        this.directory = directory;
        this.workerId = workerId;
        this.heldJobs = heldJobs;
        this.buffer = buffer;
        this.pace = pace;
    }

    /**
     * Makes sure that the start of a job is on record; waits while the database is away.
     *
     * @return false if the job was stopped, its lease ran out or the worker stopped before that succeeded
     */
    boolean announce(HeldJob held) throws InterruptedException {
        if (held.isAnnounced()) {
            refill();
            return true;
        }
        Backoff outage = new Backoff(20, 500);
        waiting.add(held);
        try {
            while (held.stopped() == null && !held.isOver(System.nanoTime()) && !buffer.isClosed()) {
                if (write(held)) {
                    return true;
                }
                TimeUnit.NANOSECONDS.sleep(outage.next());
            }
            return held.isAnnounced();
        } finally {
            waiting.remove(held);
        }
    }

    /** The same for jobs that begin together: the first one's mark is that of all. */
    void together(Collection<HeldJob> jobs) throws InterruptedException {
        waiting.addAll(jobs);
        try {
            for (HeldJob job : jobs) {
                boolean unused = job.isAnnounced() || announce(job);
            }
        } finally {
            waiting.removeAll(jobs);
        }
    }

    /** The first thread writes for all that are waiting. */
    private boolean write(HeldJob held) throws InterruptedException {
        writing.lockInterruptibly();
        try {
            return held.isAnnounced() || write();
        } finally {
            writing.unlock();
        }
    }

    /**
     * Half of what was announced ahead has been taken: while the others go on with the rest, one announces what
     * follows.
     */
    private void refill() {
        if (left.decrementAndGet() == refillAt && writing.tryLock()) {
            try {
                if (!next().isEmpty()) {
                    write();
                }
            } finally {
                writing.unlock();
            }
        }
    }

    /** What the handlers are about to take, and may be announced together. */
    private List<HeldJob> next() {
        return buffer.next(pace.ahead(System.nanoTime())).stream()
                .filter(job -> !job.isAnnouncedAlone() && !job.isAnnounced())
                .toList();
    }

    /** One dead connection must not cost them their leases. */
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
            if (now.contains(job) || job.isAnnouncedHere()) {
                leases.add(job.lease());
            }
        }
        try {
            directory.announce(workerId.getAsLong(), Announced.encode(leases), longest(now));
        } catch (SQLException | RuntimeException e) {
            if (!health.failed("announce the start of jobs", e)) {
                LOG.warn(
                        "cannot announce the start of {} job(s), so they wait: {}", now.size(), ErrorText.firstLine(e));
            }
            return false;
        }
        now.forEach(HeldJob::announced);
        int ahead = Math.max(0, left.get()) + next.size();
        refillAt = ahead / 2;
        left.set(ahead);
        return true;
    }
}

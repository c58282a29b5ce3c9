package dev.pawl.internal.engine;

import dev.pawl.api.Job;
import dev.pawl.api.WorkerEvent;
import dev.pawl.internal.log.JobsByCause;
import dev.pawl.internal.store.ClaimStrategy;
import dev.pawl.internal.store.JobStore;
import dev.pawl.internal.store.Lease;
import dev.pawl.internal.store.Settled;
import dev.pawl.internal.store.Verdict;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records outcomes in batches, with one fenced call for many jobs, and retries for as long as the database is unavailable. Outcomes that
 * cannot be recorded now are deferred and retried separately, so that they do not delay others. An outcome that stays refused while others
 * are recorded is replaced, if there is a {@link Substitute}. Run by one thread.
 */
final class Completer implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(Completer.class);
    private static final int MAX_ERRORS = 8;
    /** After this many failures the outcome itself is suspected, and not the database. */
    private static final int MAX_ALONE = 3;
    /** Divides the batch after a database error, so that a refused outcome is found within few tries. */
    private static final int BATCH_DIVISOR = 4;

    private final JobStore store;
    private final HeldJobs heldJobs;
    private final Events events;
    private final AddedParts added;
    private final Outcomes outcomes;
    private final Substitute substitute;
    private final DatabaseHealth health;
    private final FailurePauses pauses;
    private final Backoff shortage = new Backoff(100, 1_000);
    private int errors;
    /** Outcomes of one call: fewer while larger batches exceed a time limit. */
    private int most = Outcomes.BATCH;

    /** Bounded by the number of jobs that the worker may hold. */
    private final Queue<Job> lost = new ConcurrentLinkedQueue<>();

    private final JobsByCause unrecorded = new JobsByCause();
    private final JobsByCause failed = new JobsByCause();
    private volatile boolean abandon;

    Completer(
            JobStore store,
            HeldJobs heldJobs,
            Events events,
            AddedParts added,
            Outcomes outcomes,
            Substitute substitute,
            DatabaseHealth health) {
        this.substitute = substitute;
        this.health = health;
        this.store = store;
        this.pauses = new FailurePauses(store);
        this.heldJobs = heldJobs;
        this.events = events;
        this.added = added;
        this.outcomes = outcomes;
    }

    /** Waits while too many outcomes are unrecorded. */
    void submit(HeldJob held, Verdict verdict) throws InterruptedException {
        outcomes.put(new FinishedRun(held, verdict));
    }

    /** The handler of an abandoned job has ended now. */
    void endedLate(HeldJob held) throws InterruptedException {
        LOG.warn("job {}: its abandoned handler has ended now", held.job().id());
        Verdict verdict = held.takeUntilEnd();
        if (verdict != null) {
            submit(held, verdict);
        }
    }

    /**
     * Releases a job that the claiming thread could not release: its attempt does not count, and other workers may have it.
     *
     * @param inDoubt whether an earlier release may have succeeded
     */
    void release(HeldJob held, boolean inDoubt) throws InterruptedException {
        FinishedRun finished = new FinishedRun(held, new Verdict.Release());
        if (inDoubt) {
            finished.mayBeRecorded();
        }
        outcomes.put(finished);
    }

    /** Drops a job that this worker no longer holds. Listeners are told later, because the caller may be the thread that renews leases. */
    void forget(HeldJob held) {
        if (heldJobs.drop(held)) {
            lost.add(held.job());
        }
    }

    /** Publishes lost leases to listeners. */
    void publishLost() {
        List<WorkerEvent> all = new ArrayList<>();
        for (Job job = lost.poll(); job != null; job = lost.poll()) {
            all.add(new WorkerEvent.LeaseLost(job));
        }
        events.publish(all);
    }

    /** The run was handed off under its lease: nothing is recorded here, and this worker no longer renews the lease. */
    void leave(HeldJob held) {
        heldJobs.remove(held);
    }

    @Override
    public void run() {
        List<FinishedRun> batch = next();
        while (!batch.isEmpty()) {
            byStrategy(batch).forEach(this::record);
            unrecorded.report(LOG::warn);
            failed.report(LOG::error);
            outcomes.done(batch, !heldJobs.isEmpty());
            batch = next();
        }
        publishLost();
    }

    /** Ignores foreign interrupts (a listener may leave one behind): this thread ends when it is stopped. */
    private List<FinishedRun> next() {
        while (true) {
            try {
                return outcomes.take(heldJobs::size);
            } catch (InterruptedException e) {
                LOG.debug("the completer was interrupted, and goes on", e);
            }
        }
    }

    /** Skips runs that their own transaction has recorded, and dropped ones. */
    private Map<ClaimStrategy, List<FinishedRun>> byStrategy(List<FinishedRun> batch) {
        Map<ClaimStrategy, List<FinishedRun>> open = new LinkedHashMap<>();
        List<FinishedRun> closed = new ArrayList<>();
        List<WorkerEvent> what = new ArrayList<>();
        for (FinishedRun finished : batch) {
            if (finished.held().isCommitted()) {
                close(finished, true, what);
                closed.add(finished);
            } else if (heldJobs.holds(finished.held())) {
                open.computeIfAbsent(finished.held().strategy(), strategy -> new ArrayList<>())
                        .add(finished);
            }
        }
        events.publish(what);
        reportRecorded(closed);
        return open;
    }

    private void record(ClaimStrategy strategy, List<FinishedRun> open) {
        int from = 0;
        while (from < open.size() && !abandon) {
            List<FinishedRun> some = open.subList(from, Math.min(open.size(), from + most));
            if (recordAtOnce(strategy, some)) {
                from += some.size();
            }
        }
    }

    /** {@return false to try again} */
    private boolean recordAtOnce(ClaimStrategy strategy, List<FinishedRun> open) {
        long sent = System.nanoTime();
        try {
            Settled settled =
                    strategy.settle(open.stream().map(FinishedRun::settlement).toList());
            health.wrote(sent);
            apply(open, settled);
            pauses.reset();
            shortage.reset();
            errors = 0;
            most = Math.min(Outcomes.BATCH, 2 * most);
            return true;
        } catch (SQLException e) {
            if (!store.isTransient(e)) {
                isolate(strategy, open, e);
                return true;
            }
            open.forEach(FinishedRun::mayBeRecorded);
            long wrote = health.wroteNanos();
            waitOut(pauses.next(e), e, open.size());
            most = Math.max(1, open.size() / BATCH_DIVISOR);
            if (open.size() == 1) {
                alone(strategy, open.get(0), e, sent, wrote);
            }
            return open.size() == 1;
        } catch (RuntimeException e) {
            isolate(strategy, open, e);
            return true;
        } catch (Error e) { // the JVM is short of a resource; if that lasts, the worker stops
            if (++errors >= MAX_ERRORS) {
                throw e;
            }
            waitOut(shortage.next(), e, open.size());
            return false;
        }
    }

    private void apply(List<FinishedRun> open, Settled settled) {
        boolean all =
                // nearly always; sizes suffice, because each outcome has its own lease
                settled.accepted().size() == open.size();
        List<FinishedRun> closed = new ArrayList<>(open.size());
        List<WorkerEvent> what = new ArrayList<>(open.size());
        for (FinishedRun finished : open) {
            Lease lease = finished.held().lease();
            if (!all && settled.locked().contains(lease)) {
                outcomes.defer(finished);
            } else {
                close(finished, all || settled.accepted().contains(lease) || finished.wasRecordedBefore(), what);
                closed.add(finished);
            }
        }
        events.publish(what);
        reportRecorded(closed);
    }

    /** Reports them in one call, because a part may act on many jobs at once. */
    private void reportRecorded(List<FinishedRun> closed) {
        added.recorded(closed.stream().map(one -> one.held().job()).toList());
    }

    /**
     * Defers the outcome and goes on with the next one, because the database may refuse this outcome although the error looks transient.
     * The outcome is given up only after a whole lease, because an exhausted pool gives the same error. Contention does not count against
     * the outcome.
     */
    private void alone(ClaimStrategy strategy, FinishedRun finished, SQLException e, long sent, long wrote) {
        int times = store.isContention(e) ? 0 : finished.failedAlone(sent, wrote);
        if (times >= MAX_ALONE && finished.isTriedLongerThan(finished.held().leaseLength())) {
            giveUp(strategy, finished, e);
        } else {
            outcomes.defer(finished, Math.max(1, Math.min(times, MAX_ALONE)));
        }
    }

    private void waitOut(long wait, Throwable e, int count) {
        if (!health.failed("record outcomes", e) && pauses.isWarningDue()) {
            LOG.warn(
                    "cannot record {} outcome(s), trying again in {} ms: {}",
                    count,
                    TimeUnit.NANOSECONDS.toMillis(wait),
                    ErrorText.firstLine(e));
        }
        try {
            health.await(wait);
        } catch (InterruptedException interrupt) {
            LOG.debug("interrupted, so trying again at once", interrupt);
        }
    }

    /**
     * Bisects a batch with an outcome that the database refuses, so that the others are recorded. After an unknown error, the batch may
     * have been committed.
     */
    private void isolate(ClaimStrategy strategy, List<FinishedRun> batch, Exception e) {
        boolean hopeless = e instanceof SQLException sql && store.isRefusal(sql);
        if (!hopeless) {
            batch.forEach(FinishedRun::mayBeRecorded);
        }
        if (batch.size() > 1) {
            int half = batch.size() / 2;
            record(strategy, List.copyOf(batch.subList(0, half)));
            record(strategy, List.copyOf(batch.subList(half, batch.size())));
            return;
        }
        FinishedRun finished = batch.get(0);
        if (hopeless || finished.isTriedLongerThan(finished.held().leaseLength())) {
            giveUp(strategy, finished, e);
        } else {
            unrecorded.add(
                    "the outcome cannot be recorded now: " + ErrorText.firstLine(e),
                    finished.held().job().id());
            outcomes.defer(finished);
        }
    }

    /** Records the attempt as failed; if even that is refused, the job is left to the rescue. */
    private void giveUp(ClaimStrategy strategy, FinishedRun finished, Exception e) {
        Job job = finished.held().job();
        Optional<Verdict> instead =
                finished.isSubstitute() ? Optional.empty() : substitute.of(job, finished.verdict(), e);
        if (instead.isPresent()) {
            failed.add(
                    "the outcome cannot be recorded, so the attempt is recorded as failed: " + ErrorText.firstLine(e),
                    job.id(),
                    e);
            record(strategy, List.of(finished.replacedBy(instead.get())));
        } else {
            failed.add(
                    "the outcome cannot be recorded; it will run again after its lease: " + ErrorText.firstLine(e),
                    job.id(),
                    e);
            forget(finished.held());
        }
    }

    /**
     * @param what collects the events to publish
     */
    private void close(FinishedRun finished, boolean accepted, List<WorkerEvent> what) {
        HeldJob held = finished.held();
        if (heldJobs.remove(held)) {
            if (accepted) {
                finished.event().ifPresentOrElse(what::add, events::released);
            } else {
                what.add(new WorkerEvent.LeaseLost(held.job()));
            }
        }
    }

    /** Ends when everything submitted so far is recorded. */
    void stop() {
        outcomes.close();
    }

    /** Ends even if the database stays unavailable; the jobs are rescued when their leases expire. */
    void abandon() {
        abandon = true;
        outcomes.close();
        outcomes.abandon();
    }
}

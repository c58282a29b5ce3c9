package dev.pawl.internal.engine;

import dev.pawl.Job;
import dev.pawl.WorkerEvent;
import dev.pawl.internal.log.JobsByCause;
import dev.pawl.internal.store.ClaimStrategy;
import dev.pawl.internal.store.JobStore;
import dev.pawl.internal.store.KeyTurns.JobKey;
import dev.pawl.internal.store.Lease;
import dev.pawl.internal.store.Settled;
import dev.pawl.internal.store.Verdict;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records outcomes in batches: one fenced call for many jobs. Keeps trying for as long as the database is away; outcomes
 * that it cannot record now are put off and tried separately, so that they hold up no others. One that cannot be recorded though
 * others can ends as a failed attempt ({@link Substitute}). One thread.
 */
final class Completer implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(Completer.class);
    private static final int MOST_ERRORS = 8;
    /** After this number of failures the outcome may be at fault, and not the database. */
    private static final int MOST_ALONE = 3;
    /** After an error of the database: few tries until one is found that it does not take. */
    private static final int FEWER = 4;

    private final JobStore store;
    private final HeldJobs heldJobs;
    private final Events events;
    private final KeyKeeper keys;
    private final Outcomes outcomes;
    private final Substitute substitute;
    private final DatabaseHealth health;
    private final Backoff outage = new Backoff(100, 5_000);
    private final Backoff shortage = new Backoff(100, 1_000);
    private int errors;
    /** How many outcomes at once: fewer while that many exceed some time limit. */
    private int most = Outcomes.BATCH;

    /** Bounded by what the worker may hold. */
    private final Queue<Job> lost = new ConcurrentLinkedQueue<>();

    private final JobsByCause unrecorded = new JobsByCause();
    private final JobsByCause failed = new JobsByCause();
    private volatile boolean abandon;

    Completer(
            JobStore store,
            HeldJobs heldJobs,
            Events events,
            KeyKeeper keys,
            Outcomes outcomes,
            Substitute substitute,
            DatabaseHealth health) {
        this.substitute = substitute;
        this.health = health;
        this.store = store;
        this.heldJobs = heldJobs;
        this.events = events;
        this.keys = keys;
        this.outcomes = outcomes;
    }

    /** Waits while too many outcomes are unrecorded. */
    void submit(HeldJob held, Verdict verdict) throws InterruptedException {
        outcomes.put(new Ended(held, verdict));
    }

    /** The handler of a job, which was left to itself, has ended now. */
    void endedLate(HeldJob held) throws InterruptedException {
        LOG.warn(
                "job {}: its handler, which was left to itself, has ended now",
                held.job().id());
        Verdict verdict = held.takeUntilEnd();
        if (verdict != null) {
            submit(held, verdict);
        }
    }

    /**
     * It could not be put back by whoever claimed it: nothing has happened to it, and others may have it.
     *
     * @param inDoubt whether it was perhaps put back
     */
    void giveBack(HeldJob held, boolean inDoubt) throws InterruptedException {
        Ended ended = new Ended(held, new Verdict.GiveBack());
        if (inDoubt) {
            ended.doubt();
        }
        outcomes.put(ended);
    }

    /**
     * Lets go of a job that this worker no longer holds. Listeners are told later, because this may be the thread that
     * renews.
     */
    void forget(HeldJob held) {
        if (heldJobs.letGo(held)) {
            lost.add(held.job());
        }
    }

    /** Tells listeners about lost leases. */
    void tellLost() {
        List<WorkerEvent> all = new ArrayList<>();
        for (Job job = lost.poll(); job != null; job = lost.poll()) {
            all.add(new WorkerEvent.LeaseLost(job));
        }
        events.tell(all);
    }

    /** The run goes on elsewhere, under its lease: nothing is recorded, and this worker no longer renews it. */
    void leave(HeldJob held) {
        heldJobs.remove(held);
    }

    @Override
    public void run() {
        List<Ended> batch = next();
        while (!batch.isEmpty()) {
            byStrategy(batch).forEach(this::record);
            unrecorded.tell(LOG::warn);
            failed.tell(LOG::error);
            outcomes.done(batch);
            batch = next();
        }
        tellLost();
    }

    /** An interrupt is not ours (a listener may leave one behind): this thread ends when it is stopped. */
    private List<Ended> next() {
        while (true) {
            try {
                return outcomes.take();
            } catch (InterruptedException e) {
                LOG.debug("the completer was interrupted, and goes on", e);
            }
        }
    }

    /** Runs that their own transaction has recorded, or that were let go of, need no more writing. */
    private Map<ClaimStrategy, List<Ended>> byStrategy(List<Ended> batch) {
        Map<ClaimStrategy, List<Ended>> open = new LinkedHashMap<>();
        List<Ended> closed = new ArrayList<>();
        List<WorkerEvent> what = new ArrayList<>();
        for (Ended ended : batch) {
            if (ended.held().isCommitted()) {
                close(ended, true, what);
                closed.add(ended);
            } else if (heldJobs.holds(ended.held())) {
                open.computeIfAbsent(ended.held().strategy(), strategy -> new ArrayList<>())
                        .add(ended);
            }
        }
        events.tell(what);
        tellKeys(closed);
        return open;
    }

    private void record(ClaimStrategy strategy, List<Ended> open) {
        int from = 0;
        while (from < open.size() && !abandon) {
            List<Ended> some = open.subList(from, Math.min(open.size(), from + most));
            if (recordAtOnce(strategy, some)) {
                from += some.size();
            }
        }
    }

    /** {@return false to try again} */
    private boolean recordAtOnce(ClaimStrategy strategy, List<Ended> open) {
        long sent = System.nanoTime();
        try {
            Settled settled =
                    strategy.settle(open.stream().map(Ended::settlement).toList());
            health.wrote(sent);
            apply(open, settled);
            outage.reset();
            shortage.reset();
            errors = 0;
            most = Math.min(Outcomes.BATCH, 2 * most);
            return true;
        } catch (SQLException e) {
            if (!store.isTransient(e)) {
                isolate(strategy, open, e);
                return true;
            }
            open.forEach(Ended::doubt);
            long wrote = health.wroteNanos();
            waitOut(outage, e, open.size());
            most = Math.max(1, open.size() / FEWER);
            if (open.size() == 1) {
                alone(strategy, open.get(0), e, sent, wrote);
            }
            return open.size() == 1;
        } catch (RuntimeException e) {
            isolate(strategy, open, e);
            return true;
        } catch (Error e) { // the JVM is short of a resource; if that lasts, the worker stops
            if (++errors >= MOST_ERRORS) {
                throw e;
            }
            waitOut(shortage, e, open.size());
            return false;
        }
    }

    private void apply(List<Ended> open, Settled settled) {
        boolean all = settled.accepted().size() == open.size(); // as nearly always: each has a lease of its own
        List<Ended> closed = new ArrayList<>(open.size());
        List<WorkerEvent> what = new ArrayList<>(open.size());
        for (Ended ended : open) {
            Lease lease = ended.held().lease();
            if (!all && settled.busy().contains(lease)) {
                outcomes.putOff(ended);
            } else {
                close(ended, all || settled.accepted().contains(lease) || ended.wasRecordedBefore(), what);
                closed.add(ended);
            }
        }
        events.tell(what);
        tellKeys(closed);
    }

    /** All at once, so that their turns are taken together. */
    private void tellKeys(List<Ended> closed) {
        Set<JobKey> ended = new HashSet<>();
        int jobs = 0;
        for (Ended one : closed) {
            Job job = one.held().job();
            String key = job.key().orElse(null);
            if (key != null) {
                ended.add(new JobKey(job.queue(), key));
                jobs++;
            }
        }
        if (!ended.isEmpty()) {
            keys.ended(ended, jobs);
        }
    }

    /**
     * The next outcome goes first: it may be this one that the database does not take, despite what its error says. That is believed after
     * a whole lease only, because a pool that is used up gives the same error. A conflict with another transaction says nothing about it.
     */
    private void alone(ClaimStrategy strategy, Ended ended, SQLException e, long sent, long wrote) {
        int times = store.isContention(e) ? 0 : ended.failedAlone(sent, wrote);
        if (times >= MOST_ALONE && ended.isTriedLongerThan(ended.held().leaseLength())) {
            giveUp(strategy, ended, e);
        } else {
            outcomes.putOff(ended, Math.max(1, Math.min(times, MOST_ALONE)));
        }
    }

    private void waitOut(Backoff backoff, Throwable e, int count) {
        long wait = backoff.next();
        if (!health.failed("record outcomes", e)) {
            LOG.warn(
                    "cannot record {} outcome(s), trying again in {} ms: {}",
                    count,
                    TimeUnit.NANOSECONDS.toMillis(wait),
                    ErrorText.firstLine(e));
        }
        try {
            health.await(wait);
        } catch (InterruptedException somebody) {
            LOG.debug("interrupted, so trying again at once", somebody);
        }
    }

    /** The database rejects something in the batch: find out what, so that the others are recorded. */
    private void isolate(ClaimStrategy strategy, List<Ended> batch, Exception e) {
        if (batch.size() > 1) {
            int half = batch.size() / 2;
            record(strategy, List.copyOf(batch.subList(0, half)));
            record(strategy, List.copyOf(batch.subList(half, batch.size())));
            return;
        }
        Ended ended = batch.get(0);
        boolean hopeless = e instanceof SQLException sql && store.isRefusal(sql);
        if (hopeless || ended.isTriedLongerThan(ended.held().leaseLength())) {
            giveUp(strategy, ended, e);
        } else {
            unrecorded.add(
                    "the outcome cannot be recorded now: " + ErrorText.firstLine(e),
                    ended.held().job().id());
            outcomes.putOff(ended);
        }
    }

    /** Records that the attempt has failed; if even that is not taken, the job is left to its lease. */
    private void giveUp(ClaimStrategy strategy, Ended ended, Exception e) {
        Job job = ended.held().job();
        Optional<Verdict> instead = ended.isSubstitute() ? Optional.empty() : substitute.of(job, ended.verdict(), e);
        if (instead.isPresent()) {
            failed.add(
                    "the outcome cannot be recorded, so the attempt is recorded as failed: " + ErrorText.firstLine(e),
                    job.id(),
                    e);
            record(strategy, List.of(ended.replacedBy(instead.get())));
        } else {
            failed.add(
                    "the outcome cannot be recorded; it will run again after its lease: " + ErrorText.firstLine(e),
                    job.id(),
                    e);
            forget(ended.held());
        }
    }

    /** @param what gets what is to be told */
    private void close(Ended ended, boolean accepted, List<WorkerEvent> what) {
        HeldJob held = ended.held();
        if (heldJobs.remove(held)) {
            if (accepted) {
                ended.event().ifPresentOrElse(what::add, events::released);
            } else {
                what.add(new WorkerEvent.LeaseLost(held.job()));
            }
        }
    }

    /** Ends when everything submitted so far is recorded. */
    void stop() {
        outcomes.close();
    }

    /** Ends even if the database does not come back; the jobs are rescued when their leases expire. */
    void abandon() {
        abandon = true;
        outcomes.close();
        outcomes.abandon();
    }
}

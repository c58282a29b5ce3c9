package dev.pawl.internal.engine;

import dev.pawl.Job;
import dev.pawl.WorkerEvent;
import dev.pawl.internal.store.FinishedRun;
import dev.pawl.internal.store.JobStore;
import dev.pawl.internal.store.Lease;
import dev.pawl.internal.store.Verdict;
import dev.pawl.internal.store.sql.Fault;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records outcomes in batches: one fenced statement for many jobs, written when the batch is full or a few milliseconds
 * after its first outcome. While the database is slow or away the queue fills and the runners wait. One thread.
 */
final class Completer implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(Completer.class);
    private static final int BATCH = 1000;
    private static final int MOST_WAITING = 4 * BATCH;
    private static final long LINGER = TimeUnit.MILLISECONDS.toNanos(2);
    private static final long LOOK = TimeUnit.MILLISECONDS.toNanos(100);

    private final JobStore store;
    private final HeldJobs heldJobs;
    private final Strategies strategies;
    private final Events events;
    private final RunLog log;
    private final BlockingQueue<FinishedRun> finished = new ArrayBlockingQueue<>(MOST_WAITING);
    private final Backoff outage = new Backoff(100, 5_000);
    private volatile boolean stopping;
    private volatile boolean abandon;

    Completer(JobStore store, HeldJobs heldJobs, Strategies strategies, Events events, RunLog log) {
        this.store = store;
        this.heldJobs = heldJobs;
        this.strategies = strategies;
        this.events = events;
        this.log = log;
    }

    /** Waits while too many outcomes are unrecorded. */
    void submit(FinishedRun run) throws InterruptedException {
        boolean interrupted = false;
        while (true) {
            try {
                finished.put(run);
                break;
            } catch (InterruptedException e) {
                interrupted = true; // the outcome must not be lost; the runner hears of it afterwards
            }
        }
        if (interrupted) {
            throw new InterruptedException();
        }
    }

    /** Lets go of a job that this worker holds no longer. */
    void forget(HeldJob held) {
        if (heldJobs.remove(held.lease()) != null) {
            log.ended(held.job().id());
            events.tell(new WorkerEvent.LeaseLost(held.job()));
        }
    }

    @Override
    public void run() {
        List<FinishedRun> batch = new ArrayList<>(BATCH);
        try {
            while (collect(batch)) {
                record(batch);
                batch.clear();
            }
        } catch (InterruptedException e) {
            LOG.debug("the completer was interrupted with {} outcomes unrecorded", finished.size() + batch.size(), e);
        }
    }

    /** Fills the batch; false if there is nothing left and the worker stops. */
    private boolean collect(List<FinishedRun> batch) throws InterruptedException {
        while (batch.isEmpty()) {
            FinishedRun first = finished.poll(LOOK, TimeUnit.NANOSECONDS);
            if (first != null) {
                batch.add(first);
            } else if (stopping) {
                return false;
            }
        }
        finished.drainTo(batch, BATCH - batch.size());
        long deadline = System.nanoTime() + LINGER;
        for (long left = LINGER; left > 0 && batch.size() < BATCH && !stopping; left = deadline - System.nanoTime()) {
            FinishedRun next = finished.poll(left, TimeUnit.NANOSECONDS);
            if (next != null) {
                batch.add(next);
                finished.drainTo(batch, BATCH - batch.size());
            }
        }
        return true;
    }

    /** Sorts the batch by how its outcomes are written. */
    private void record(List<FinishedRun> batch) throws InterruptedException {
        List<FinishedRun> plain = new ArrayList<>(batch.size());
        List<FinishedRun> marked = new ArrayList<>();
        int tries = JobStore.USUAL_TRIES;
        for (FinishedRun run : batch) {
            HeldJob held = heldJobs.get(run.lease());
            if (held != null && held.isCommitted()) {
                settle(run, true);
            } else if (held != null
                    && run.verdict() instanceof Verdict.Completed
                    && strategies.marks(held.job().queue())) {
                marked.add(run);
            } else {
                plain.add(run);
            }
            tries = held == null ? tries : strategies.tries(held.job().queue());
        }
        int most = tries;
        record(plain, open -> store.finish(open, most));
        record(marked, open -> store.mark(open.stream().map(FinishedRun::lease).toList(), most));
    }

    private interface Writing {
        Set<Lease> write(List<FinishedRun> open) throws SQLException;
    }

    /** Tries until the database has answered; an outcome whose lease is lost meanwhile is then refused by the fence. */
    private void record(List<FinishedRun> open, Writing writing) throws InterruptedException {
        while (!open.isEmpty() && !abandon) {
            try {
                Set<Lease> accepted = writing.write(open);
                open.forEach(run -> settle(run, accepted.contains(run.lease())));
                outage.reset();
                return;
            } catch (SQLException | RuntimeException e) {
                if (e instanceof SQLException sql && Fault.of(sql).isTransient()) {
                    waitOut(e, open.size());
                } else {
                    isolate(open, e);
                    return;
                }
            }
        }
    }

    private void waitOut(Exception e, int outcomes) throws InterruptedException {
        long wait = outage.next();
        LOG.warn(
                "cannot record {} outcome(s), trying again in {} ms: {}",
                outcomes,
                TimeUnit.NANOSECONDS.toMillis(wait),
                e.toString());
        TimeUnit.NANOSECONDS.sleep(wait);
    }

    /** The database refuses something in the batch: find out what, so that the others are recorded. */
    private void isolate(List<FinishedRun> batch, Exception e) throws InterruptedException {
        if (batch.size() == 1) {
            FinishedRun run = batch.get(0);
            LOG.error(
                    "the outcome of job {} cannot be recorded; it will run again after its lease",
                    run.lease().jobId(),
                    e);
            HeldJob held = heldJobs.get(run.lease());
            if (held != null) {
                forget(held);
            }
            return;
        }
        int half = batch.size() / 2;
        record(List.copyOf(batch.subList(0, half)));
        record(List.copyOf(batch.subList(half, batch.size())));
    }

    private void settle(FinishedRun run, boolean accepted) {
        HeldJob held = heldJobs.remove(run.lease());
        if (held != null) {
            log.ended(held.job().id());
            events.tell(accepted ? event(held.job(), run.verdict()) : new WorkerEvent.LeaseLost(held.job()));
        }
    }

    private static WorkerEvent event(Job job, Verdict verdict) {
        if (verdict instanceof Verdict.Retry retry) {
            return new WorkerEvent.Failed(job, retry.error(), retry.delay());
        }
        if (verdict instanceof Verdict.Snooze snooze) {
            return new WorkerEvent.Snoozed(job, snooze.delay());
        }
        if (verdict instanceof Verdict.Cancelled cancelled) {
            return new WorkerEvent.Cancelled(job, cancelled.reason());
        }
        if (verdict instanceof Verdict.Discarded discarded) {
            return new WorkerEvent.Discarded(job, discarded.reason(), discarded.error());
        }
        return new WorkerEvent.Completed(job);
    }

    /** Ends when everything submitted so far is recorded. */
    void stop() {
        stopping = true;
    }

    /** Ends also if the database does not come back; the leases will tell the others. */
    void abandon() {
        stopping = true;
        abandon = true;
    }
}

package dev.pawl.internal.engine;

import dev.pawl.api.Job;
import dev.pawl.api.JobRun;
import dev.pawl.api.LeaseLostException;
import dev.pawl.api.Outcome;
import dev.pawl.api.WorkerEvent;
import dev.pawl.internal.store.JobStore;
import dev.pawl.internal.store.RunMode;
import dev.pawl.internal.store.Verdict;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Calls handlers, with one job or with the jobs of a chunk. Each job's start, events and outcome are handled as if it ran alone. */
final class HandlerCalls {
    private static final Logger LOG = LoggerFactory.getLogger(HandlerCalls.class);

    private final Handlers handlers;
    private final JobStore store;
    private final RunEnds ends;
    private final Transactions transactions;
    private final RunLog log;
    private final Events events;
    private final Counters counters;

    HandlerCalls(
            Handlers handlers,
            JobStore store,
            RunEnds ends,
            Transactions transactions,
            RunLog log,
            Events events,
            Counters counters) {
        this.handlers = handlers;
        this.store = store;
        this.ends = ends;
        this.transactions = transactions;
        this.log = log;
        this.events = events;
        this.counters = counters;
    }

    /**
     * @param jobs that were taken out of the buffer together
     * @param entry of their kind
     * @param number of the calling thread
     * @return the same jobs, with their verdicts
     */
    List<? extends CalledJob<?>> call(List<HeldJob> jobs, Handlers.Entry entry, int number) {
        return call(jobs, entry, entry.chunk(), number);
    }

    private <T> List<CalledJob<T>> call(
            List<HeldJob> jobs, Handlers.Entry entry, @Nullable ChunkEntry<T> chunk, int number) {
        List<CalledJob<T>> all = new ArrayList<>(jobs.size());
        for (HeldJob held : jobs) {
            all.add(called(held, chunk == null));
        }
        List<CalledJob<T>> begun = begun(all, entry, number);
        if (!begun.isEmpty()) {
            Job first = begun.get(0).held.job();
            LogNames names = begun.size() == 1 ? LogNames.of(first) : LogNames.of(first.kind());
            try {
                handle(begun, entry, chunk);
                for (CalledJob<T> job : begun) {
                    decide(job, entry);
                }
            } finally {
                names.close();
            }
        }
        return all;
    }

    /** {@return the job, with a verdict if it may not start} */
    private <T> CalledJob<T> called(HeldJob held, boolean takesSteps) {
        CalledJob<T> job =
                new CalledJob<>(held, new ActiveRun(held, transactions, log, store, handlers.results(), takesSteps));
        if (!held.isStartLogged() || held.mustReacquire()) {
            job.verdict = RunEnds.neverBegun(held);
        } else if (held.isExpired()) {
            job.verdict = RunEnds.expired(held);
        }
        return job;
    }

    private static <T> List<CalledJob<T>> begun(List<CalledJob<T>> all, Handlers.Entry entry, int number) {
        if (all.size() > 1) {
            shareCall(all);
        }
        List<CalledJob<T>> begun = new ArrayList<>(all.size());
        for (CalledJob<T> job : all) {
            if (job.verdict == null
                    && !job.held.begin(Thread.currentThread(), number, timeout(job.held.job(), entry))) {
                job.verdict = RunEnds.neverBegun(job.held);
            }
            if (job.verdict == null) {
                begun.add(job);
            }
        }
        return begun;
    }

    /**
     * {@return the timeout of the call; null for none} A job's own timeout is for its run. The call for a remote run only assigns the job.
     */
    private static @Nullable Duration timeout(Job job, Handlers.Entry entry) {
        Duration ofKind = entry.options().timeout();
        return entry.remote() ? ofKind : job.timeout().orElse(ofKind);
    }

    private static <T> void shareCall(List<CalledJob<T>> all) {
        int mayBegin = 0;
        for (CalledJob<T> job : all) {
            mayBegin += job.verdict == null ? 1 : 0;
        }
        SharedCall call = new SharedCall(all.get(0).held, mayBegin);
        all.forEach(job -> job.held.shares(call));
    }

    /** Afterwards each job has an outcome or an error, unless its run was handed off. */
    private <T> void handle(List<CalledJob<T>> jobs, Handlers.Entry entry, @Nullable ChunkEntry<T> chunk) {
        CalledJob<T> first = jobs.get(0);
        counters.running.add(jobs.size());
        try {
            for (CalledJob<T> job : jobs) {
                job.recorded = FlightRecord.begin();
                if (events.haveReceiver()) {
                    events.publish(new WorkerEvent.Started(job.held.job(), job.held.sinceClaim()));
                }
            }
            first.held.correctInterrupt();
            if (chunk != null && jobs.size() > 1) {
                new ChunkWork<>(chunk, jobs, transactions).run();
            } else {
                first.item.returned(alone(first, entry));
            }
        } catch (Throwable thrown) { // not even an Error of user code may end this thread
            jobs.forEach(job -> job.item.fails(thrown));
        } finally {
            counters.running.add(-jobs.size());
            for (CalledJob<T> job : jobs) {
                job.held.end();
            }
            boolean unused = Thread.interrupted(); // an interrupt must not reach the next job
        }
        for (CalledJob<T> job : jobs) {
            closeScope(job);
        }
    }

    /** {@return the outcome; null if the run was handed off} */
    private @Nullable Outcome alone(CalledJob<?> job, Handlers.Entry entry) throws Exception {
        HeldJob held = job.held;
        if (entry.remote()) {
            giveRow(held);
        }
        job.scope = entry.scoped() == null ? null : entry.scoped().open(job.run);
        JobRun seen = job.scope == null ? job.run : job.scope.run();
        return held.strategy().mode() == RunMode.IN_TRANSACTION
                ? transactions.around(held, connection -> {
                    job.run.isWithin(connection);
                    return OutcomePolicy.present(handle(held, entry, seen), held.job()); // never handed off here
                })
                : handle(held, entry, seen);
    }

    /**
     * Gives a job a row before its handler hands it off, because the remote worker may ask whether to begin before the handler has
     * returned. Without a row the job does not begin.
     */
    private static void giveRow(HeldJob held) {
        try {
            if (!held.strategy().detach(held.lease())) {
                throw new LeaseLostException(held.job().id(), held.lease().token());
            }
        } catch (SQLException e) {
            LOG.debug("job {} cannot be handed off now", held.job().id(), e);
            throw new TooLate();
        }
    }

    private static @Nullable Outcome handle(HeldJob held, Handlers.Entry entry, JobRun run) throws Exception {
        if (held.mustReacquire()) {
            throw new TooLate(); // a listener, a slot or the wait for a connection took too long
        }
        Outcome outcome = entry.call().handle(held.job().payload(), run);
        return entry.remote() ? outcome : OutcomePolicy.present(outcome, held.job());
    }

    private void closeScope(CalledJob<?> job) {
        if (job.scope == null) {
            return;
        }
        HeldJob held = job.held;
        try {
            job.scope.close(job.item.end().outcome() instanceof Outcome.Completed
                    || (held.isCommitted() && held.suspension() == null));
        } catch (Throwable broken) {
            events.cleanupFailed(held.job(), broken);
        }
    }

    /** The other jobs of a chunk go on if one fails here. */
    private void decide(CalledJob<?> job, Handlers.Entry entry) {
        try {
            ActiveItem.End end = job.item.end();
            job.verdict = ends.of(job.held, end.outcome(), end.error(), entry.options());
            if (job.verdict == null && !entry.remote()) {
                throw new IllegalStateException(
                        "the run of job " + job.held.job().id() + " has neither an outcome nor an error");
            }
            FlightRecord.end(job.recorded, job.held, job.verdict);
        } catch (Throwable broken) { // not from a handler: a bug in the engine, or the JVM is short of a resource
            if (job.verdict != null) {
                LOG.debug(
                        "the run of job {} is missing in the flight recording",
                        job.held.job().id(),
                        broken);
            } else if (job.held.isCommitted()) {
                job.verdict = new Verdict.Completed(job.held.result());
            } else {
                job.broken = broken;
            }
        }
    }
}

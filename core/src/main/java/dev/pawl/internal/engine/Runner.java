package dev.pawl.internal.engine;

import dev.pawl.api.HandlerOptions;
import dev.pawl.api.JobRun;
import dev.pawl.api.LeaseLostException;
import dev.pawl.api.Outcome;
import dev.pawl.api.WorkerEvent;
import dev.pawl.internal.store.JobStore;
import dev.pawl.internal.store.RunMode;
import dev.pawl.internal.store.Verdict;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes jobs from the buffer and runs their handlers, one after the other. A worker has one runner thread per unit of concurrency. */
final class Runner implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(Runner.class);

    private final Buffer buffer;
    private final StartLog starts;
    private final HandlerRate handlerRate;
    private final LongRuns longRuns;
    private final Handlers handlers;
    private final JobStore store;
    private final RunEnds ends;
    private final ChunkRuns chunks;
    private final Completer completer;
    private final Transactions transactions;
    private final RunLog log;
    private final Events events;
    private final Counters counters;

    Runner(Running running, ChunkRuns chunks) {
        this.chunks = chunks;
        buffer = running.buffer();
        starts = running.starts();
        handlerRate = running.handlerRate();
        longRuns = running.longRuns();
        handlers = running.handlers();
        store = running.store();
        ends = running.ends();
        completer = running.completer();
        transactions = running.transactions();
        log = running.log();
        events = running.events();
        counters = running.counters();
    }

    @Override
    public void run() {
        run(handlerRate.enlist(), null);
    }

    /**
     * @param handler number of the thread
     * @param before the stuck job whose thread this one replaces; null for none
     */
    void run(int handler, @Nullable HeldJob before) {
        if (before != null) {
            buffer.releaseCapacity(before);
        }
        @Nullable HeldJob ended = null;
        while (true) {
            HeldJob held = null;
            try {
                held = buffer.take(ended);
                ended = held;
                if (held == null) {
                    handlerRate.retire(handler);
                    return;
                }
                if (run(held, handler)) {
                    ended = null;
                }
            } catch (InterruptedException e) {
                // An interrupt for the previous job; this thread ends only when the buffer is closed.
                LOG.debug("interrupted between two jobs", e);
            } catch (Throwable broken) { // not from a handler: a bug in the engine, or the JVM is short of a resource
                drop(held, broken);
                if (held != null) {
                    held.others().forEach(other -> drop(other, broken));
                }
            }
            if (held != null && held.isReplaced()) {
                buffer.leave(held);
                held.others().forEach(buffer::leave);
                return; // another thread has replaced this one
            }
        }
    }

    /** Drops the job: its lease is no longer renewed, so it will be rescued; this thread goes on. */
    private void drop(@Nullable HeldJob held, Throwable broken) {
        if (held == null) {
            return;
        }
        held.end();
        completer.forget(held);
        try {
            LOG.error(
                    "job {} could not be run, or its outcome could not be passed on; it will be rescued after its lease: {}",
                    held.job().id(),
                    ErrorText.of(broken));
        } catch (Throwable unspeakable) {
            return; // even a failing log must not end the thread
        }
    }

    /** {@return whether the job was put back into the buffer} */
    private boolean run(HeldJob held, int handler) throws InterruptedException {
        Handlers.Entry entry = handlers.of(held.job().kind());
        if (entry == null) {
            throw new IllegalStateException("claimed kind '" + held.job().kind() + "' has no handler here");
        }
        ChunkEntry<?> chunk = held.others().isEmpty() ? null : entry.chunk();
        if (chunk != null) {
            return chunks.run(held, chunk, entry.options(), handler);
        }
        Verdict verdict; // null: handed off
        boolean logged = logStart(held);
        if (logged && held.mustReacquire()) {
            buffer.leave(held);
            if (buffer.putBack(held)) {
                return true;
            }
            logged = false; // the worker stops
        }
        if (logged) {
            handlerRate.begun(handler, System.nanoTime(), held.places());
            try {
                verdict = verdict(held, entry, handler);
                if (verdict instanceof Verdict.Completed) {
                    verdict = new Verdict.Completed(held.result());
                    longRuns.completed(held.job().kind(), held.ranNanos());
                }
            } finally {
                if (!held.isReplaced()) {
                    handlerRate.ended(handler, System.nanoTime());
                }
            }
        } else {
            verdict = RunEnds.neverBegun(held);
        }
        if (held.isAbandoned()) {
            completer.endedLate(held);
        } else if (verdict == null) {
            completer.leave(held);
        } else {
            completer.submit(held, verdict);
        }
        return false;
    }

    private boolean logStart(HeldJob held) {
        while (true) {
            try {
                return starts.ensureLogged(held);
            } catch (InterruptedException late) {
                LOG.debug("an interrupt that was meant for the previous job", late);
            }
        }
    }

    private @Nullable Verdict verdict(HeldJob held, Handlers.Entry entry, int handler) {
        HandlerOptions options = entry.options();
        if (held.isExpired()) {
            return RunEnds.expired(held);
        }
        if (!held.begin(Thread.currentThread(), handler, options.timeout())) {
            return RunEnds.neverBegun(held);
        }
        LogNames names = LogNames.of(held.job());
        try {
            JobRunEvent event = FlightRecord.begin();
            Verdict verdict = begun(held, entry, options);
            FlightRecord.end(event, held, verdict);
            return verdict;
        } finally {
            names.close();
        }
    }

    private @Nullable Verdict begun(HeldJob held, Handlers.Entry entry, HandlerOptions options) {
        Outcome outcome = null;
        Throwable error = null;
        counters.running.increment();
        Scoped.Scope scope = null;
        try {
            if (events.haveReceiver()) {
                events.publish(new WorkerEvent.Started(held.job(), held.sinceClaim()));
            }
            held.ignoreForeignInterrupt();
            OwnTransaction transaction = new OwnTransaction(held, transactions);
            JobRun run = new ActiveRun(
                    held,
                    transaction,
                    log,
                    store,
                    entry.chunk() == null ? () -> new ActiveSteps(held, transactions, store, handlers.codec()) : null,
                    handlers.results());
            scope = entry.scoped() == null ? null : entry.scoped().open(run);
            JobRun seen = scope == null ? run : scope.run();
            outcome = held.strategy().mode() == RunMode.IN_TRANSACTION
                    ? transactions.around(held, connection -> {
                        transaction.isOpen(connection);
                        return OutcomePolicy.present(handle(held, entry, seen), held.job());
                    })
                    : handle(held, entry, seen);
            if (outcome == null && !held.strategy().detach(held.lease())) {
                throw new LeaseLostException(held.job().id(), held.lease().token());
            }
        } catch (Throwable thrown) { // not even an Error of user code may end this thread
            error = thrown;
        } finally {
            counters.running.decrement();
            held.end();
            Thread.interrupted(); // must not reach the next job
        }
        if (scope != null) {
            close(scope, held, error == null && outcome instanceof Outcome.Completed);
        }
        return ends.of(held, outcome, error, options);
    }

    private static void close(Scoped.Scope scope, HeldJob held, boolean completed) {
        try {
            scope.close(completed || (held.isCommitted() && held.suspendedFor() == null));
        } catch (Throwable broken) {
            LOG.error(
                    "job {}: what was around its handler could not be closed",
                    held.job().id(),
                    broken);
        }
    }

    /** {@return the outcome; null if the run was handed off} */
    private static @Nullable Outcome handle(HeldJob held, Handlers.Entry entry, JobRun run) throws Exception {
        if (held.mustReacquire()) {
            throw new TooLate(); // a listener, a slot or the wait for a connection took too long
        }
        Outcome outcome = entry.call().handle(held.job().payload(), run);
        return entry.remote() ? outcome : OutcomePolicy.present(outcome, held.job());
    }
}

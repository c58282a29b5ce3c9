package dev.pawl.internal.engine;

import dev.pawl.HandlerOptions;
import dev.pawl.Job;
import dev.pawl.LeaseLostException;
import dev.pawl.Outcome;
import dev.pawl.WorkerEvent;
import dev.pawl.internal.store.FinishedRun;
import dev.pawl.internal.store.JobStore;
import dev.pawl.internal.store.Verdict;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes jobs from the buffer and runs their handlers, one after the other; a worker has as many as its concurrency. */
final class Runner implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(Runner.class);

    private final Buffer buffer;
    private final Handlers handlers;
    private final JobStore store;
    private final Strategies strategies;
    private final Judge judge;
    private final Completer completer;
    private final Transactions transactions;
    private final RunLog log;
    private final Events events;

    Runner(
            Buffer buffer,
            Handlers handlers,
            JobStore store,
            Strategies strategies,
            Judge judge,
            Completer completer,
            Transactions transactions,
            RunLog log,
            Events events) {
        this.buffer = buffer;
        this.handlers = handlers;
        this.store = store;
        this.strategies = strategies;
        this.judge = judge;
        this.completer = completer;
        this.transactions = transactions;
        this.log = log;
        this.events = events;
    }

    @Override
    public void run() {
        while (true) {
            try {
                HeldJob held = buffer.take();
                if (held == null) {
                    return;
                }
                run(held);
            } catch (InterruptedException e) {
                // An interrupt that was meant for the job before; this thread ends only when the buffer is closed.
                LOG.debug("interrupted between two jobs", e);
            }
        }
    }

    private void run(HeldJob held) throws InterruptedException {
        Handlers.Entry entry = handlers.of(held.job().kind());
        if (entry == null) {
            throw new IllegalStateException("claimed kind '" + held.job().kind() + "' has no handler here");
        }
        Verdict verdict = verdict(held, entry);
        if (verdict != null) {
            completer.submit(new FinishedRun(held.lease(), verdict));
        }
    }

    /** Null if the job may not be run any more, or its lease is lost: there is nothing to record. */
    private @Nullable Verdict verdict(HeldJob held, Handlers.Entry entry) {
        HandlerOptions options = entry.options();
        if (!held.begin(Thread.currentThread(), options.timeout())) {
            return neverBegun(held);
        }
        events.tell(new WorkerEvent.Started(held.job()));
        Outcome outcome = Outcome.completed();
        Throwable error = null;
        try {
            outcome = strategies.isTransactional(held.job().queue())
                    ? transactions.around(held, connection -> handle(held, entry, work -> work.run(connection)))
                    : handle(held, entry, work -> transactions.run(held, work));
        } catch (Throwable thrown) { // an Error of user code, too, must not end this thread
            error = thrown;
        } finally {
            held.end();
            Thread.interrupted(); // not for the next job
        }
        if (held.isCommitted()) {
            return new Verdict.Completed(); // recorded already; tells the completer to let go of it
        }
        return error == null ? judge.judge(held.job(), outcome) : failed(held, error, options);
    }

    private Outcome handle(HeldJob held, Handlers.Entry entry, ActiveRun.OwnTransaction transaction) throws Exception {
        return entry.call().handle(held.job().payload(), new ActiveRun(held, transaction, log, store));
    }

    private @Nullable Verdict neverBegun(HeldJob held) {
        HeldJob.Stop stop = held.stopped();
        if (stop == HeldJob.Stop.CANCELLED) {
            return new Verdict.Cancelled("cancelled before its handler started");
        }
        completer.forget(held);
        return null;
    }

    private Verdict failed(HeldJob held, Throwable error, HandlerOptions options) {
        Job job = held.job();
        HeldJob.Stop stop = held.stopped();
        if (stop == HeldJob.Stop.WORKER_STOPS) {
            return new Verdict.Snooze(Duration.ZERO);
        }
        if (stop == HeldJob.Stop.CANCELLED) {
            return new Verdict.Cancelled("cancelled while it was running");
        }
        if (stop == HeldJob.Stop.TIMED_OUT) {
            return judge.failed(
                    job, "timed out after " + options.timeout() + "\n" + ErrorText.of(error), options.retryPolicy());
        }
        if (error instanceof LeaseLostException) {
            LOG.debug("job {}: the lease was lost during its transaction", job.id());
        }
        return judge.failed(job, ErrorText.of(error), options.retryPolicy());
    }
}

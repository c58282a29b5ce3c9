package dev.pawl.internal.engine;

import dev.pawl.api.Job;
import dev.pawl.internal.store.Verdict;
import java.time.Duration;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds handlers that still run long after their interrupt, logs their stack traces, ends their runs, and replaces their threads. */
final class StuckHandlers {
    private static final Logger LOG = LoggerFactory.getLogger(StuckHandlers.class);
    private static final int FRAMES = 30;

    private final Duration timeout;
    private final HeldJobs heldJobs;
    private final Completer completer;
    private final OutcomePolicy outcomePolicy;
    private final Handlers handlers;
    private final Replacement replace;

    /** Replaces the thread of a handler that does not end. */
    interface Replacement {
        /** {@return false if there are too many threads already} */
        boolean replace(HeldJob left, int handler);
    }

    /**
     * @param timeout how long a handler may go on after its interrupt
     * @param replace replaces its thread
     */
    StuckHandlers(
            Duration timeout,
            HeldJobs heldJobs,
            Completer completer,
            OutcomePolicy outcomePolicy,
            Handlers handlers,
            Replacement replace) {
        this.timeout = timeout;
        this.heldJobs = heldJobs;
        this.completer = completer;
        this.outcomePolicy = outcomePolicy;
        this.handlers = handlers;
        this.replace = replace;
    }

    void check() {
        long now = System.nanoTime();
        for (HeldJob held : heldJobs.all()) {
            StuckRun found = held.abandon(timeout.toNanos(), now);
            if (found != null) {
                leave(held, found);
            }
        }
    }

    private void leave(HeldJob held, StuckRun found) {
        Job job = held.job();
        LOG.warn(
                "job {} ({}): its handler was interrupted {} ago, because {}, but keeps running; its outcome will be"
                        + " ignored. Stack trace:\n{}",
                job.id(),
                job.kind(),
                HumanDuration.of(found.sinceInterrupt()),
                reason(found.why()),
                Stream.of(found.thread().getStackTrace())
                        .limit(FRAMES)
                        .map(frame -> "    at " + frame)
                        .collect(Collectors.joining("\n")));
        held.replace(() -> replace.replace(held.capacityHolder(), found.number()));
        end(held, found.why());
    }

    private static String reason(HeldJob.Stop why) {
        return switch (why) {
            case LEASE_LOST -> "its lease was lost";
            case CANCELLED -> "it was cancelled";
            case TIMED_OUT -> "it timed out";
            case WORKER_STOPS -> "the worker stops";
        };
    }

    private void end(HeldJob held, HeldJob.Stop why) {
        switch (why) {
            case LEASE_LOST, WORKER_STOPS -> completer.forget(held);
            case CANCELLED ->
                endOrKeep(
                        held,
                        new Verdict.Cancelled("cancelled while it was running; its handler ignores the interrupt"));
            case TIMED_OUT ->
                endOrKeep(
                        held,
                        outcomePolicy.failed(
                                held.job(),
                                "timed out, and its handler ignores the interrupt",
                                handlers.retryPolicy(held.job().kind())));
        }
    }

    /**
     * Keeps a job with a key until its handler ends, because the next job of the key must not run beside the stuck handler. A job without
     * a key ends now, because limits of a queue or kind count the stuck handler itself.
     */
    private void endOrKeep(HeldJob held, Verdict verdict) {
        String key = held.job().key().orElse(null);
        if (key != null && held.keepUntilEnd(verdict)) {
            LOG.warn(
                    "job {} counts as running for its key until its handler or this program ends",
                    held.job().id());
        } else {
            submit(held, verdict);
        }
    }

    private void submit(HeldJob held, Verdict verdict) {
        try {
            completer.submit(held, verdict);
        } catch (InterruptedException e) { // it was submitted nevertheless
            Thread.currentThread().interrupt();
        }
    }
}

package dev.pawl.internal.engine;

import dev.pawl.Job;
import dev.pawl.internal.store.Verdict;
import java.time.Duration;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds handlers that go on although they were interrupted long ago. Says where they are, ends their runs, and has others
 * take their places.
 */
final class Stubborn {
    private static final Logger LOG = LoggerFactory.getLogger(Stubborn.class);
    private static final int FRAMES = 30;

    private final Duration patience;
    private final HeldJobs heldJobs;
    private final Completer completer;
    private final Judge judge;
    private final Handlers handlers;
    private final Replacement replace;

    /** Has another thread take the place of the one with that number, whose handler does not end. */
    interface Replacement {
        /** {@return false if there are too many already} */
        boolean of(HeldJob left, int handler);
    }

    /**
     * @param patience how long a handler may go on
     * @param replace has another thread take the place of the one with that number, if there are not too many
     */
    Stubborn(
            Duration patience,
            HeldJobs heldJobs,
            Completer completer,
            Judge judge,
            Handlers handlers,
            Replacement replace) {
        this.patience = patience;
        this.heldJobs = heldJobs;
        this.completer = completer;
        this.judge = judge;
        this.handlers = handlers;
        this.replace = replace;
    }

    void look() {
        long now = System.nanoTime();
        for (HeldJob held : heldJobs.all()) {
            Ignorance found = held.abandon(patience.toNanos(), now);
            if (found != null) {
                leave(held, found);
            }
        }
    }

    private void leave(HeldJob held, Ignorance found) {
        Job job = held.job();
        LOG.warn(
                "job {} ({}): its handler was interrupted {} ago, because {}, but it keeps running; what it does no"
                        + " longer counts. It is here:\n{}",
                job.id(),
                job.kind(),
                Spoken.of(patience),
                reason(found.why()),
                Stream.of(found.thread().getStackTrace())
                        .limit(FRAMES)
                        .map(frame -> "    at " + frame)
                        .collect(Collectors.joining("\n")));
        held.replace(() -> replace.of(held.placeHolder(), found.number()));
        end(held, found.why());
    }

    private static String reason(HeldJob.Stop why) {
        return switch (why) {
            case LEASE_LOST -> "its lease was lost";
            case CANCELLED -> "it was cancelled";
            case TIMED_OUT -> "its time was over";
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
                        judge.failed(
                                held.job(),
                                "timed out, and its handler ignores the interrupt",
                                handlers.retryPolicy(held.job().kind())));
        }
    }

    /** The next job of a key must not run beside a handler that goes on. A limit on a queue or kind counts the handler itself. */
    private void endOrKeep(HeldJob held, Verdict verdict) {
        String key = held.job().key().orElse(null);
        if (key != null && held.keepUntilEnd(verdict)) {
            LOG.warn(
                    "job {} counts as running for its key until its handler has ended, or this program has",
                    held.job().id());
        } else {
            submit(held, verdict);
        }
    }

    private void submit(HeldJob held, Verdict verdict) {
        try {
            completer.submit(held, verdict);
        } catch (InterruptedException e) {
            completer.forget(held); // the worker stops; the job is rescued after its lease
            Thread.currentThread().interrupt();
        }
    }
}

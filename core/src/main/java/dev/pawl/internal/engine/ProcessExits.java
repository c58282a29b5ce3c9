package dev.pawl.internal.engine;

import dev.pawl.internal.store.Verdict;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handlers that have called {@code System.exit}. Their threads wait for the shutdown hooks, so the hook that stops the worker must not wait
 * for them. Their attempts count as failed; otherwise such a job could end one process after the other forever.
 */
final class ProcessExits {
    private static final Logger LOG = LoggerFactory.getLogger(ProcessExits.class);

    private final HeldJobs heldJobs;
    private final Completer completer;
    private final OutcomePolicy outcomePolicy;
    private final Handlers handlers;

    ProcessExits(HeldJobs heldJobs, Completer completer, OutcomePolicy outcomePolicy, Handlers handlers) {
        this.heldJobs = heldJobs;
        this.completer = completer;
        this.outcomePolicy = outcomePolicy;
        this.handlers = handlers;
    }

    /** {@return whether a thread waits inside {@code System.exit}} */
    static boolean isExiting(Thread thread) {
        return switch (thread.getState()) {
            case NEW, RUNNABLE, TERMINATED -> false;
            default ->
                Stream.of(thread.getStackTrace())
                        .anyMatch(frame -> frame.getMethodName().equals("exit")
                                && frame.getClassName().equals("java.lang.Runtime"));
        };
    }

    /** Records the failed attempts. Skips handlers in a transaction, because it keeps the job's row locked until the process ends. */
    void record() throws InterruptedException {
        for (HeldJob held : heldJobs.all()) {
            if (held.isOn(ProcessExits::isExiting) && !held.clock().isInTransaction()) {
                LOG.warn(
                        "job {} ({}): its handler called System.exit, so the attempt is recorded as failed",
                        held.job().id(),
                        held.job().kind());
                completer.submit(held, verdict(held));
            }
        }
    }

    private Verdict verdict(HeldJob held) {
        return outcomePolicy.failed(
                held.job(),
                "its handler has ended the process (System.exit)",
                handlers.retryPolicy(held.job().kind()));
    }
}

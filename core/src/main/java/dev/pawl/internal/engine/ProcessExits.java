package dev.pawl.internal.engine;

import dev.pawl.internal.store.Verdict;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handlers that have called {@code System.exit}. Such a thread waits for the shutdown hooks of the process, and the hook that
 * stops the worker must not wait for it. Its attempt has failed: a job that ends each process that runs it must not do so for
 * ever.
 */
final class ProcessExits {
    private static final Logger LOG = LoggerFactory.getLogger(ProcessExits.class);

    private final HeldJobs heldJobs;
    private final Completer completer;
    private final Judge judge;
    private final Handlers handlers;

    ProcessExits(HeldJobs heldJobs, Completer completer, Judge judge, Handlers handlers) {
        this.heldJobs = heldJobs;
        this.completer = completer;
        this.judge = judge;
        this.handlers = handlers;
    }

    /** {@return whether a thread waits for the end of the process, which it has asked for} */
    static boolean isExiting(Thread thread) {
        return switch (thread.getState()) {
            case NEW, RUNNABLE, TERMINATED -> false;
            default ->
                Stream.of(thread.getStackTrace())
                        .anyMatch(frame -> frame.getMethodName().equals("exit")
                                && frame.getClassName().equals("java.lang.Runtime"));
        };
    }

    /** Records what has become of their jobs. One in a transaction of its handler keeps its row until the process has ended. */
    void record() throws InterruptedException {
        for (HeldJob held : heldJobs.all()) {
            if (held.isOn(ProcessExits::isExiting) && !held.isInTransaction()) {
                LOG.warn(
                        "job {} ({}): its handler ends this process (System.exit), so its attempt has failed",
                        held.job().id(),
                        held.job().kind());
                completer.submit(held, verdict(held));
            }
        }
    }

    private Verdict verdict(HeldJob held) {
        Handlers.Entry entry = handlers.of(held.job().kind());
        return judge.failed(
                held.job(),
                "its handler has ended the process (System.exit)",
                entry == null ? null : entry.options().retryPolicy());
    }
}

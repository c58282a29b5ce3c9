package dev.pawl.internal.engine;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stops a worker step by step: claim no more, give back what has not started, let handlers end, record their outcomes,
 * sign off. Waiting for the database has a limit, because the database may hang; the leases then tell the others. A
 * caller who is interrupted is in a hurry: every step is still taken, but none is waited for. Used once, by one thread.
 */
final class Shutdown {
    private static final Logger LOG = LoggerFactory.getLogger(Shutdown.class);
    /** How often a thread that is waited for is looked at: it may do what never ends. */
    private static final long LOOK_MILLIS = 250;

    private static final long HURRY = TimeUnit.MILLISECONDS.toNanos(200);

    private final String worker;
    private final Patience patience;
    private final WorkerParts parts;
    private final Thread fetcher;
    private final Thread completer;
    private final List<Thread> keepers;
    private boolean interrupted;

    /**
     * @param keepers of limits and of keys
     */
    Shutdown(
            String worker,
            Patience patience,
            WorkerParts parts,
            Thread fetcher,
            Thread completer,
            List<Thread> keepers) {
        this.worker = worker;
        this.patience = patience;
        this.parts = parts;
        this.fetcher = fetcher;
        this.completer = completer;
        this.keepers = keepers;
    }

    /**
     * @param graceNanos how long handlers may go on
     */
    void run(long graceNanos) {
        interrupted = Thread.interrupted();
        long graceEnds = System.nanoTime() + graceNanos;
        try {
            tellHandlers();
            stopClaiming();
            letHandlersEnd(graceEnds);
            recordOutcomes(graceEnds);
            stopKeepers();
            within(patience.database().toNanos() / 2, "sign off", this::signOff);
        } finally {
            parts.idleGate.disable();
            parts.limits.stop();
            parts.keys.stop();
            parts.buffer.close();
            parts.completer.abandon();
            parts.housekeeper.stop(interrupted ? Duration.ofNanos(HURRY) : patience.database());
            parts.completer.tellLost();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Those that run; what was taken out of the buffer just now is told when no more can begin. */
    private void tellHandlers() {
        parts.heldJobs.all().forEach(HeldJob::workerStops);
    }

    private void stopClaiming() {
        parts.fetcher.stop();
        join(List.of(fetcher), patience.claim().toNanos()); // a claim that ends later gives its jobs back itself
        List<HeldJob> unstarted = parts.buffer.close();
        tellHandlers();
        if (!unstarted.isEmpty()) {
            within(
                    patience.database().toNanos(),
                    "release what has not started",
                    () -> parts.releaser.unstartedAtTheEnd(unstarted));
        }
    }

    private void letHandlersEnd(long graceEnds) {
        if (!completer.isAlive()) {
            parts.completer.abandon(); // nobody takes outcomes from here on, so nobody may wait for that
        }
        if (!joinHandlers(graceEnds - System.nanoTime())) {
            parts.heldJobs.all().forEach(held -> held.stop(HeldJob.Stop.WORKER_STOPS));
            if (!joinHandlers(patience.interrupted().toNanos())) {
                LOG.warn(
                        "{}: {} handler(s) did not end when interrupted; their jobs will be rescued after their leases expire",
                        worker,
                        parts.heldJobs.all().size());
            }
        }
        try {
            parts.exits.record();
        } catch (InterruptedException e) {
            interrupted = true;
        }
    }

    private boolean joinHandlers(long nanos) {
        return join(parts.runners.all(), nanos, ProcessExits::isExiting);
    }

    private void recordOutcomes(long graceEnds) {
        parts.completer.stop();
        join(
                List.of(completer),
                Math.max(graceEnds - System.nanoTime(), patience.database().toNanos()));
        parts.completer.abandon();
    }

    /** What they are about to do, they do: after the end nothing asks for a share, and nobody uses the pool any more. */
    private void stopKeepers() {
        parts.limits.stop();
        parts.keys.stop();
        boolean unused = join(keepers, patience.database().toNanos() / 2);
    }

    private void signOff() throws SQLException {
        parts.limits.signOff();
        parts.log.flush();
        parts.interruptions.warn();
        parts.registration.stopped();
    }

    /** On a thread of its own, which is left behind if the database does not respond in time. */
    private void within(long nanos, String what, Duty.Work work) {
        Thread thread = new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (SQLException | RuntimeException e) {
                        LOG.warn("{}: could not {}: {}", worker, what, ErrorText.firstLine(e));
                    }
                },
                "pawl-sign-off");
        thread.setDaemon(true);
        thread.start();
        if (!join(List.of(thread), nanos)) {
            LOG.warn("{}: the database does not respond; stopping without being able to {}", worker, what);
        }
    }

    /**
     * Waits for all of them to end; false if the time is over first. An interrupt cuts this and all later waits short.
     */
    private boolean join(List<Thread> threads, long nanos) {
        return join(threads, nanos, thread -> false);
    }

    /**
     * @param endless those that are not waited for
     */
    private boolean join(List<Thread> threads, long nanos, Predicate<Thread> endless) {
        long until = System.nanoTime() + (interrupted ? Math.min(nanos, HURRY) : nanos);
        for (Thread thread : threads) {
            while (thread.isAlive() && !endless.test(thread)) {
                long left = until - System.nanoTime();
                if (left <= 0) {
                    return false;
                }
                try {
                    thread.join(Math.max(1, Math.min(LOOK_MILLIS, TimeUnit.NANOSECONDS.toMillis(left))));
                } catch (InterruptedException e) {
                    interrupted = true;
                    until = Math.min(until, System.nanoTime() + HURRY);
                }
            }
        }
        return true;
    }
}

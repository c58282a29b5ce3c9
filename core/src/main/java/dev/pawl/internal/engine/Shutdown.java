package dev.pawl.internal.engine;

import dev.pawl.internal.store.Duty;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stops a worker step by step: stop claiming, release unstarted jobs, let handlers end, record their outcomes, sign off. The database may
 * hang, so every wait for it has a time limit. If the limit is reached, the jobs are rescued when their leases expire. If the caller is
 * interrupted, every step is still taken, with short waits. Used once, by one thread.
 */
final class Shutdown {
    private static final Logger LOG = LoggerFactory.getLogger(Shutdown.class);
    /** How often a joined thread is checked, because its handler may call {@code System.exit}. */
    private static final long CHECK_MILLIS = 250;

    private static final long HURRY = TimeUnit.MILLISECONDS.toNanos(200);

    private final String worker;
    private final ShutdownTimeouts shutdownTimeouts;
    private final WorkerParts parts;
    private final Thread fetcher;
    private final Thread completer;
    private final List<Thread> added;
    private boolean interrupted;

    /**
     * @param added the threads of the parts that features add
     */
    Shutdown(
            String worker,
            ShutdownTimeouts shutdownTimeouts,
            WorkerParts parts,
            Thread fetcher,
            Thread completer,
            List<Thread> added) {
        this.worker = worker;
        this.shutdownTimeouts = shutdownTimeouts;
        this.parts = parts;
        this.fetcher = fetcher;
        this.completer = completer;
        this.added = added;
    }

    /**
     * @param graceNanos how long handlers may go on
     */
    void run(long graceNanos) {
        interrupted = Thread.interrupted();
        long graceEnds = System.nanoTime() + graceNanos;
        try {
            notifyHandlers();
            stopClaiming();
            letHandlersEnd(graceEnds);
            recordOutcomes(graceEnds);
            stopAdded();
            within(shutdownTimeouts.database().toNanos() / 2, "sign off", this::signOff);
        } finally {
            parts.idleGate.disable();
            parts.added.stop();
            parts.buffer.close();
            parts.completer.abandon();
            parts.housekeeper.stop(interrupted ? Duration.ofNanos(HURRY) : shutdownTimeouts.database());
            parts.completer.publishLost();
            parts.events.reportAllRepeats();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * Tells running handlers that the worker stops. It is called again when no further handler can start, for jobs that had just been taken
     * out of the buffer.
     */
    private void notifyHandlers() {
        parts.heldJobs.all().forEach(HeldJob::workerStops);
    }

    private void stopClaiming() {
        parts.fetcher.stop();
        join(List.of(fetcher), shutdownTimeouts.claim().toNanos()); // a claim that ends later releases its jobs itself
        endOffers();
        List<HeldJob> unstarted = parts.buffer.close();
        notifyHandlers();
        if (!unstarted.isEmpty()) {
            within(
                    shutdownTimeouts.database().toNanos(),
                    "release what has not started",
                    () -> parts.releaser.unstartedAtTheEnd(unstarted));
        }
    }

    private void endOffers() {
        try {
            parts.offers.close(interrupted ? 0 : shutdownTimeouts.claim().toNanos());
        } catch (InterruptedException e) {
            interrupted = true;
        }
    }

    private void letHandlersEnd(long graceEnds) {
        if (!completer.isAlive()) {
            parts.completer.abandon(); // no thread takes outcomes any more, so no runner may wait for room
        }
        if (!joinHandlers(graceEnds - System.nanoTime())) {
            parts.heldJobs.all().forEach(held -> held.stop(HeldJob.Stop.WORKER_STOPS));
            if (!joinHandlers(shutdownTimeouts.interrupted().toNanos())) {
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
                Math.max(
                        graceEnds - System.nanoTime(),
                        shutdownTimeouts.database().toNanos()));
        parts.completer.abandon();
    }

    /** Lets the threads of features finish their current work. Unless that takes too long, they do not use the pool afterwards. */
    private void stopAdded() {
        parts.added.stop();
        boolean unused = join(added, shutdownTimeouts.database().toNanos() / 2);
    }

    private void signOff() throws SQLException {
        parts.added.signOff();
        parts.log.flush();
        parts.interruptions.warn();
        parts.registration.stopped();
    }

    /** Runs the work on its own thread, which is left behind if the database does not respond in time. */
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

    /** Waits for the threads to end; false on timeout. An interrupt cuts this and all later waits short. */
    private boolean join(List<Thread> threads, long nanos) {
        return join(threads, nanos, thread -> false);
    }

    /**
     * @param endless threads that are not waited for
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
                    thread.join(Math.max(1, Math.min(CHECK_MILLIS, TimeUnit.NANOSECONDS.toMillis(left))));
                } catch (InterruptedException e) {
                    interrupted = true;
                    until = Math.min(until, System.nanoTime() + HURRY);
                }
            }
        }
        return true;
    }
}

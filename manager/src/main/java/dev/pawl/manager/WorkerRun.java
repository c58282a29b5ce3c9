package dev.pawl.manager;

import dev.pawl.api.Job;
import dev.pawl.api.JobRun;
import dev.pawl.api.JobState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A run on a worker without a database. It lasts as long as managers renew it and is interrupted when they have not renewed it in time.
 * Only the worker's monotonic clock counts, and a renewal counts from the moment when the worker sent it. Thread-safe: guarded by itself.
 */
final class WorkerRun implements JobRun {
    private static final int MAX_LINES = 1000;
    private static final int LONGEST_LINE = 2000;
    /** In characters, each up to six bytes of JSON; a whole call is limited to four mebibytes. */
    private static final int MAX_LOGGED = 500_000;

    private final Protocol.Job message;
    private final Callbacks callbacks;
    private final List<String> lines = new ArrayList<>();
    private int logged;
    private long grantedNanos = Long.MAX_VALUE;
    private long deadlineNanos = Long.MAX_VALUE;
    private long leaseEndNanos = System.nanoTime();
    private long askedNanos = System.nanoTime();
    private @Nullable Thread thread;
    private @Nullable String stopped;
    private long stoppedNanos;
    private boolean complained;
    private boolean ended;
    private boolean later;
    private boolean workerStops;

    WorkerRun(Protocol.Job message, Callbacks callbacks) {
        this.message = message;
        this.callbacks = callbacks;
    }

    Protocol.Job message() {
        return message;
    }

    long heartbeatNanos() {
        return (long) (message.heartbeatSeconds() * 1e9);
    }

    /** {@return how long, in nanoseconds, the manager may wait for the outcome: at most half the time until it gives up} */
    long waits(Duration longest) {
        long manager = (long) (message.answerSeconds() * 1e9 / 2);
        return manager == 0 ? longest.toNanos() : Math.min(longest.toNanos(), manager);
    }

    /** Records that a manager has renewed the run until this time. */
    synchronized void granted(long untilNanos) {
        if (untilNanos - leaseEndNanos > 0) {
            leaseEndNanos = untilNanos;
            grantedNanos = untilNanos - System.nanoTime();
        }
    }

    synchronized long leaseEnd() {
        return leaseEndNanos;
    }

    /** Registers the thread that is about to call the handler; returns false if the worker stops or the lease has expired. */
    synchronized boolean begin(Thread runner) {
        long now = System.nanoTime();
        if (workerStops || now - leaseEndNanos >= 0) {
            return false;
        }
        deadlineNanos = now + (long) (message.deadlineSeconds() * 1e9);
        thread = runner;
        return true;
    }

    synchronized void end() {
        thread = null;
        ended = true;
        boolean unused = Thread.interrupted(); // keeps the interrupt from the next run on this thread
    }

    /** Switches to a later report, because the manager gets 202; returns false if the run has ended in the meantime. */
    synchronized boolean answerLater() {
        later = !ended;
        return later;
    }

    synchronized boolean endedLater() {
        return later;
    }

    /** Returns why the run was told to stop; null if it was not. */
    synchronized @Nullable String stopped() {
        return stopped;
    }

    /** Marks the worker as stopping: every outcome is reported by a call from now on. */
    synchronized void workerStops() {
        later = !ended;
        workerStops = true;
        stop("the worker stops");
    }

    synchronized boolean isStoppedByWorker() {
        return workerStops;
    }

    private synchronized void stop(String why) {
        if (stopped == null && thread != null) {
            stopped = why;
            stoppedNanos = System.nanoTime();
            thread.interrupt();
        }
    }

    /** Stops the run if its time is up. */
    void watch(long now) {
        boolean expired;
        boolean late;
        synchronized (this) {
            expired = now - leaseEndNanos >= 0;
            late = deadlineNanos != Long.MAX_VALUE && now - deadlineNanos >= 0;
        }
        if (expired) {
            stop("no manager has renewed the run in time");
        } else if (late) {
            stop("the run did not end within " + message.deadlineSeconds() + " s");
        }
    }

    /** {@return true, once, if its handler was interrupted a heartbeat ago and is still running} */
    synchronized boolean isStuck(long now) {
        if (stopped != null && !ended && !complained && now - stoppedNanos >= heartbeatNanos()) {
            complained = true;
            return true;
        }
        return false;
    }

    /**
     * {@return whether it is time to renew; if so, sets the next time} The next time depends on the time granted last, because the manager
     * that renews may grant a shorter time than the manager that assigned the job.
     */
    synchronized boolean wantsRenewal(long now) {
        if (deadlineNanos == Long.MAX_VALUE || now - askedNanos < Math.min(heartbeatNanos() / 2, grantedNanos / 3)) {
            return false;
        }
        askedNanos = now;
        return true;
    }

    void renew() {
        heed(callbacks.renew(this));
    }

    private void heed(Callbacks.Verdict verdict) {
        if (verdict == Callbacks.Verdict.REFUSED) {
            stop("the managers no longer want the run");
        }
    }

    synchronized List<String> lines() {
        return List.copyOf(lines);
    }

    @Override
    public Job job() {
        return Job.builder(message.id(), message.kind(), message.queue())
                .state(JobState.RUNNING)
                .attempt(message.attempt())
                .maxAttempts(message.maxAttempts())
                .leaseToken(message.leaseToken())
                .headers(message.headers())
                .payload(message.payload())
                .key(message.key())
                .batch(message.batch())
                .cost(message.cost())
                .expiresAt(message.expiresAt() == null ? null : Instant.parse(message.expiresAt()))
                .build();
    }

    @Override
    public int attempt() {
        return message.attempt();
    }

    @Override
    public boolean isLastAttempt() {
        return message.attempt() >= message.maxAttempts();
    }

    @Override
    public long leaseToken() {
        return message.leaseToken();
    }

    @Override
    public synchronized Optional<Duration> timeLeft() {
        return Optional.of(Duration.ofNanos(Math.max(0, deadlineNanos - System.nanoTime())));
    }

    @Override
    public synchronized boolean isCancelled() {
        return stopped != null;
    }

    @Override
    public void progress(int percent) {
        heed(callbacks.progress(this, percent));
    }

    @Override
    public synchronized void log(String line) {
        String cut = Protocol.cut(line, LONGEST_LINE);
        if (lines.size() < MAX_LINES && logged + cut.length() <= MAX_LOGGED) {
            lines.add(cut);
            logged += cut.length();
        }
    }

    /** Adds a last line, in place of another one if the log is full. */
    synchronized void logLast(String line) {
        if (lines.size() == MAX_LINES) {
            lines.remove(MAX_LINES - 1);
        }
        lines.add(Protocol.cut(line, LONGEST_LINE));
    }

    @Override
    public void assignedTo(String worker) {
        log("handed over to " + worker);
    }

    @Override
    public void transaction(TransactionWork work) {
        throw new UnsupportedOperationException("this worker has no database: job " + message.id()
                + " runs where a manager has sent it; write to your own, with leaseToken() as the fence");
    }
}

package dev.pawl.manager;

import dev.pawl.Job;
import dev.pawl.JobRun;
import dev.pawl.JobState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A run on a worker without a database. Thread-safe: guarded by itself. */
final class RemoteRun implements JobRun {
    private static final int MOST_LINES = 1000;
    private static final int LONGEST_LINE = 2000;

    private final Protocol.Job message;
    private final Callbacks callbacks;
    private final long deadlineNanos;
    private final List<String> lines = new ArrayList<>();
    private @Nullable Thread thread;
    private boolean stopped;
    private boolean ended;
    private boolean later;

    RemoteRun(Protocol.Job message, Callbacks callbacks) {
        this.message = message;
        this.callbacks = callbacks;
        this.deadlineNanos = System.nanoTime() + (long) (message.deadlineSeconds() * 1e9);
    }

    Protocol.Job message() {
        return message;
    }

    synchronized void begin(Thread runner) {
        thread = runner;
    }

    synchronized void end() {
        thread = null;
        ended = true;
        boolean unused = Thread.interrupted(); // not for what comes next on this thread
    }

    /** The manager is told 202; false if the run has ended meanwhile. */
    synchronized boolean answerLater() {
        later = !ended;
        return later;
    }

    synchronized boolean endedLater() {
        return later;
    }

    private synchronized void stop() {
        stopped = true;
        if (thread != null) {
            thread.interrupt();
        }
    }

    void deadline() {
        stop();
    }

    /** Says that we live, if the manager waits for that; stops when it does not want the run any more. */
    void renew() {
        if (endedLater() && !callbacks.renew(this)) {
            stop();
        }
    }

    synchronized List<String> lines() {
        return List.copyOf(lines);
    }

    @Override
    public Job job() {
        return new Job(
                message.id(),
                message.kind(),
                message.queue(),
                JobState.RUNNING,
                0,
                message.attempt(),
                message.maxAttempts(),
                Instant.EPOCH,
                Instant.EPOCH,
                null,
                null,
                null,
                null,
                message.leaseToken(),
                false,
                null,
                null,
                List.of(),
                message.payload(),
                null);
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
    public Optional<Duration> timeLeft() {
        return Optional.of(Duration.ofNanos(Math.max(0, deadlineNanos - System.nanoTime())));
    }

    @Override
    public synchronized boolean isCancelled() {
        return stopped;
    }

    @Override
    public void progress(int percent) {
        if (endedLater()) {
            callbacks.progress(this, percent);
        }
    }

    @Override
    public synchronized void log(String line) {
        if (lines.size() < MOST_LINES) {
            lines.add(Protocol.cut(line, LONGEST_LINE));
        }
    }

    @Override
    public void assignedTo(String worker) {
        log("given on to " + worker);
    }

    @Override
    public void transaction(TransactionWork work) {
        throw new UnsupportedOperationException("this worker has no database: job " + message.id()
                + " runs where a manager has sent it; write to your own, with leaseToken() as the fence");
    }
}

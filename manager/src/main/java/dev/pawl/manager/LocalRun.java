package dev.pawl.manager;

import dev.pawl.api.Job;
import dev.pawl.api.JobRun;
import dev.pawl.api.RunSteps;
import dev.pawl.api.Slot;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A run in the manager's own process with a time limit. Thread-safe: guarded by itself. */
final class LocalRun implements JobRun {
    private final JobRun run;
    private final long deadlineNanos;
    private final Thread thread = Thread.currentThread();
    private boolean timedOut;
    private boolean ended;

    LocalRun(JobRun run, Duration longest) {
        this.run = run;
        this.deadlineNanos = System.nanoTime() + longest.toNanos();
    }

    synchronized void timeOut() {
        if (!ended) {
            timedOut = true;
            thread.interrupt();
        }
    }

    synchronized boolean isTimedOut() {
        return timedOut;
    }

    /** Ends the run. From now on its timeout does not interrupt the thread. */
    synchronized void end() {
        ended = true;
        if (timedOut) {
            boolean unused = Thread.interrupted(); // keeps the interrupt from the next run on this thread
        }
    }

    @Override
    public Optional<Duration> timeLeft() {
        return Optional.of(Duration.ofNanos(Math.max(0, deadlineNanos - System.nanoTime())));
    }

    @Override
    public boolean isCancelled() {
        return isTimedOut() || run.isCancelled();
    }

    @Override
    public boolean isStopping() {
        return isTimedOut() || run.isStopping();
    }

    @Override
    public Job job() {
        return run.job();
    }

    @Override
    public int attempt() {
        return run.attempt();
    }

    @Override
    public boolean isLastAttempt() {
        return run.isLastAttempt();
    }

    @Override
    public long leaseToken() {
        return run.leaseToken();
    }

    @Override
    public void progress(int percent) {
        run.progress(percent);
    }

    @Override
    public void log(String line) {
        run.log(line);
    }

    @Override
    public void result(Object value) {
        run.result(value);
    }

    @Override
    public void assignedTo(String worker) {
        run.assignedTo(worker);
    }

    @Override
    public List<Slot> slots() {
        return run.slots();
    }

    @Override
    public void transaction(TransactionWork work) throws Exception {
        run.transaction(work);
    }

    @Override
    public RunSteps steps() {
        return run.steps();
    }
}

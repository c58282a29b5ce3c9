package dev.pawl.internal.slot;

import dev.pawl.Job;
import dev.pawl.JobRun;
import dev.pawl.Slot;
import java.time.Duration;
import java.util.Optional;

/** A run that has a slot: its transaction uses it. */
public final class SlotRun implements JobRun {
    private final JobRun run;
    private final ReservedSlot slot;

    /**
     * @param run the run as it is
     * @param slot reserved for it
     */
    public SlotRun(JobRun run, ReservedSlot slot) {
        this.run = run;
        this.slot = slot;
    }

    @Override
    public Optional<Slot> slot() {
        return Optional.of(slot);
    }

    @Override
    public void transaction(TransactionWork work) throws Exception {
        try {
            run.transaction(connection -> {
                work.run(connection);
                if (!slot.isTakenInTransaction()) {
                    slot.use(connection);
                }
            });
        } catch (Exception | Error failure) {
            slot.rolledBack();
            throw failure;
        }
        slot.committed();
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
    public Optional<Duration> timeLeft() {
        return run.timeLeft();
    }

    @Override
    public boolean isCancelled() {
        return run.isCancelled();
    }

    @Override
    public void progress(int percent) {
        run.progress(percent);
    }

    @Override
    public void assignedTo(String worker) {
        run.assignedTo(worker);
    }

    @Override
    public void log(String line) {
        run.log(line);
    }
}

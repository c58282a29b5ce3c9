package dev.pawl.internal.slot;

import dev.pawl.api.Job;
import dev.pawl.api.JobRun;
import dev.pawl.api.RunSteps;
import dev.pawl.api.Slot;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A run with a slot. It may wrap a run with another slot. A transaction of the outermost run uses all slots. */
final class SlotRun implements JobRun {
    private final JobRun run;
    private final ReservedSlot slot;
    private final SlotHandler<?> handler;
    private volatile boolean isCompleted;

    /**
     * @param run the wrapped run
     * @param slot reserved for it
     * @param handler for which the slot was reserved
     */
    SlotRun(JobRun run, ReservedSlot slot, SlotHandler<?> handler) {
        this.run = run;
        this.slot = slot;
        this.handler = handler;
    }

    /** {@return whether a slot was reserved for this handler in this run} */
    static boolean isOpen(JobRun run, SlotHandler<?> handler) {
        return run instanceof SlotRun own && (own.handler == handler || isOpen(own.run, handler));
    }

    /** {@return whether the slot of this handler is not used yet} */
    static boolean isUnused(JobRun run, SlotHandler<?> handler) {
        return run instanceof SlotRun own && (own.handler == handler ? own.isUnused() : isUnused(own.run, handler));
    }

    /** {@return whether no transaction of this run has used the slot, and the slot may still be open} */
    boolean isUnused() {
        return !isCompleted && slot.mayBeOpen();
    }

    @Override
    public List<Slot> slots() {
        List<Slot> all = new ArrayList<>(run.slots());
        all.add(slot);
        return all;
    }

    @Override
    public void transaction(TransactionWork work) throws Exception {
        try {
            run.transaction(connection -> {
                work.run(connection);
                slot.useUnlessEnded(connection);
            });
            isCompleted = true;
        } catch (Throwable failure) {
            slot.rolledBack();
            throw failure;
        }
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
    public boolean isStopping() {
        return run.isStopping();
    }

    @Override
    public void progress(int percent) {
        run.progress(percent);
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
    public void log(String line) {
        run.log(line);
    }

    @Override
    public RunSteps steps() {
        return run.steps();
    }
}

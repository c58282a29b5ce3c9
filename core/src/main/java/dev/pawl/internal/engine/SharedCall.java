package dev.pawl.internal.engine;

import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One call of a handler for several jobs, and its thread. The thread is interrupted for reasons that concern all jobs, or when every job
 * was stopped. Thread-safe; takes
 * no other lock while it holds its own.
 */
final class SharedCall {
    private final HeldJob first;
    private int goingOn;
    private boolean interrupted;
    private long interruptedNanos;
    private HeldJob.@Nullable Stop forAll;
    private @Nullable Boolean replaced;

    /**
     * @param first job of the call, which holds the capacity of all
     * @param jobs how many there are
     */
    SharedCall(HeldJob first, int jobs) {
        this.first = first;
        this.goingOn = jobs;
    }

    HeldJob first() {
        return first;
    }

    /** Notes that a job is finished without a stop, or will not begin. */
    synchronized void finished() {
        goingOn--;
    }

    /** Notes that a job should stop. */
    synchronized void stop(Thread thread, HeldJob.Stop why) {
        goingOn--;
        if (forAll == null && (why == HeldJob.Stop.TIMED_OUT || why == HeldJob.Stop.WORKER_STOPS)) {
            forAll = why;
        }
        if (!interrupted && (forAll != null || goingOn <= 0)) {
            interrupted = true;
            interruptedNanos = System.nanoTime();
            thread.interrupt();
        }
    }

    /** {@return why the thread was interrupted, if that concerns all jobs} */
    synchronized HeldJob.@Nullable Stop forAll() {
        return forAll;
    }

    /** Clears an interrupt from elsewhere and restores one set by {@link #stop}. Called by the thread. */
    synchronized void correctInterrupt() {
        HeldJob.correctInterrupt(interrupted);
    }

    /** {@return when the thread was interrupted; 0 if it was not} */
    synchronized long interruptedNanos() {
        return interruptedNanos;
    }

    synchronized boolean isInterruptedFor(long nanos, long now) {
        return interrupted && now - interruptedNanos >= nanos;
    }

    /** Tries once to replace this thread; returns whether it was replaced. */
    synchronized boolean replace(BooleanSupplier replacement) {
        if (replaced == null) {
            replaced = replacement.getAsBoolean();
        }
        return replaced;
    }

    synchronized boolean isReplaced() {
        return replaced != null && replaced;
    }
}

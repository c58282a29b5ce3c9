package dev.pawl.internal.engine;

import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The one thread on which jobs of a chunk run: it is interrupted for what concerns all of them, or when none of them is left that should go on.
 * Thread-safe; takes no other lock while it holds its own.
 */
final class ChunkCall {
    private final HeldJob first;
    private int goingOn;
    private boolean interrupted;
    private long interruptedNanos;
    private HeldJob.@Nullable Stop forAll;
    private @Nullable Boolean replaced;

    /**
     * @param first of the jobs, which holds the places of all
     * @param jobs how many there are
     */
    ChunkCall(HeldJob first, int jobs) {
        this.first = first;
        this.goingOn = jobs;
    }

    HeldJob first() {
        return first;
    }

    /** One of the jobs is over, by itself. */
    synchronized void over() {
        goingOn--;
    }

    /** One of the jobs should end. */
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

    /** {@return why it was interrupted, if that concerns all of its jobs} */
    synchronized HeldJob.@Nullable Stop forAll() {
        return forAll;
    }

    synchronized boolean isInterruptedFor(long nanos, long now) {
        return interrupted && now - interruptedNanos >= nanos;
    }

    /** {@return whether another thread has taken the place of this one; it is asked once for all jobs} */
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

package dev.pawl.shard;

import java.nio.channels.ClosedByInterruptException;

/** Distinguishes failures that an interrupt has caused from failures of a database. */
final class Interrupts {
    private Interrupts() {}

    /** {@return whether a call of this thread may have failed only because the thread was interrupted} */
    static boolean caused(Throwable failure) {
        boolean interrupted = Thread.currentThread().isInterrupted();
        Throwable cause = failure;
        for (int depth = 0; !interrupted && cause != null && depth < 20; depth++) {
            interrupted = cause instanceof InterruptedException || cause instanceof ClosedByInterruptException;
            cause = cause.getCause();
        }
        return interrupted;
    }
}

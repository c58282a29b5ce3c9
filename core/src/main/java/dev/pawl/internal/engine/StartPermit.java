package dev.pawl.internal.engine;

import dev.pawl.internal.store.Admission.Limiter;

/**
 * The limiter that a job has acquired and must release when it has finished.
 *
 * @param limiter to release
 * @param endNanos the {@link System#nanoTime} until which the job may start; {@link Limiter#ANY_TIME} for any time
 */
record StartPermit(Limiter limiter, long endNanos) {
    /** {@return whether it is too late to start, so that the job must acquire its limiter again} */
    boolean isOver() {
        return endNanos != Limiter.ANY_TIME && System.nanoTime() - endNanos >= 0;
    }
}

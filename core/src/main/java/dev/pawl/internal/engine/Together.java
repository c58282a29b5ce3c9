package dev.pawl.internal.engine;

import java.util.function.IntSupplier;

/**
 * How jobs of a kind are taken together by one call of its handler.
 *
 * @param kind the kind
 * @param most the maximum number of jobs in a call, which shrinks if a thread's stack turns out to be too small
 * @param waitNanos how long the first job waits for others
 */
record Together(String kind, IntSupplier most, long waitNanos) {
    /** {@return the largest number of jobs in a call} */
    int size() {
        return most.getAsInt();
    }
}

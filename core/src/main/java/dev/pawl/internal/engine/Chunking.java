package dev.pawl.internal.engine;

import java.util.function.IntSupplier;

/**
 * How jobs of a kind are chunked.
 *
 * @param kind the kind
 * @param most jobs in a chunk; shrinks if a thread's stack turns out to be too small
 * @param waitNanos how long the first job waits for others
 */
record Chunking(String kind, IntSupplier most, long waitNanos) {
    /** {@return the largest number of jobs in a chunk} */
    int size() {
        return most.getAsInt();
    }
}

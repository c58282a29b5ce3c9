package dev.pawl.internal.engine;

import java.util.function.IntSupplier;

/**
 * How jobs of a kind come together.
 *
 * @param kind the kind
 * @param most that are handled at once; becomes smaller where a thread's stack turns out to be too small
 * @param waitNanos how long the first one waits for others
 */
record Chunking(String kind, IntSupplier most, long waitNanos) {
    /** {@return the most that are handled at once} */
    int size() {
        return most.getAsInt();
    }
}

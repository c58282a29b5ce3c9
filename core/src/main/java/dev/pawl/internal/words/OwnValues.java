package dev.pawl.internal.words;

import org.jspecify.annotations.Nullable;

/**
 * What only the library says about a job that is to be written, beside its headers.
 *
 * @param state in which it is written: its code
 * @param batch to which it belongs; 0 for none
 * @param fromWithin whether a job of that batch adds it, so that the batch may be sealed
 * @param unindexedKey its unique key, if the index of unique keys must not contain it; else null
 */
public record OwnValues(
        int state, long batch, boolean fromWithin, @Nullable String unindexedKey) {
    /** Of a job that is written as available, in no batch. */
    public static final OwnValues NONE = new OwnValues(0, 0, false, null);

    /** {@return the same in another state} */
    public OwnValues state(int newState) {
        return new OwnValues(newState, batch, fromWithin, unindexedKey);
    }

    /** {@return the same in a batch} */
    public OwnValues batch(long newBatch, boolean isFromWithin) {
        return new OwnValues(state, newBatch, isFromWithin, unindexedKey);
    }

    /** {@return the same with a unique key beside the index} */
    public OwnValues unindexedKey(@Nullable String key) {
        return new OwnValues(state, batch, fromWithin, key);
    }
}

package dev.pawl.internal.words;

import org.jspecify.annotations.Nullable;

/**
 * Values of a new job, besides its headers, that only the library can set.
 *
 * @param state code of the state in which the job is written
 * @param batch to which it belongs; 0 for none
 * @param fromWithin whether a job of the same batch adds it, which is allowed even if the batch is sealed
 * @param unindexedKey the unique key, if the index of unique keys must not contain it; else null
 */
public record OwnValues(
        int state, long batch, boolean fromWithin, @Nullable String unindexedKey) {
    /** The values of a job that is written as available, in no batch. */
    public static final OwnValues NONE = new OwnValues(0, 0, false, null);

    /** {@return a copy with another state} */
    public OwnValues state(int newState) {
        return new OwnValues(newState, batch, fromWithin, unindexedKey);
    }

    /** {@return a copy with a batch} */
    public OwnValues batch(long newBatch, boolean isFromWithin) {
        return new OwnValues(state, newBatch, isFromWithin, unindexedKey);
    }

    /** {@return a copy with a unique key that is not in the index} */
    public OwnValues unindexedKey(@Nullable String key) {
        return new OwnValues(state, batch, fromWithin, key);
    }
}

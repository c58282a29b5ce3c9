package dev.pawl.internal.enqueue;

/**
 * The live job that has a unique key.
 *
 * @param id its id
 * @param standing whether it was just written, and whether it has begun
 */
public record LiveJob(long id, Standing standing) {
    /** What is known about it. */
    public enum Standing {
        /** It was written just now. */
        NEW,
        /** It was there and had not begun. */
        WAITING,
        /** It was there and must not be changed: it has begun, or nobody has looked. */
        KEPT
    }
}

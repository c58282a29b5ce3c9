package dev.pawl.specification;

/**
 * Faults that are known and not mended yet: a program that comes upon one ends there, as if it had none, so that others are found. Each goes
 * with its mend. With {@code PAWL_KNOWN=none} none is passed by, and the programs find them.
 */
enum Known {
    /** A job that has expired and was not claimed since keeps its unique key. */
    EXPIRED_HOLDS_KEY,
    /** A job with a key that is replaced by an enqueue without it stays in the line of its key. */
    REPLACED_STAYS_IN_LINE,
    /** A job that a person has run before its turn, and whose run fails, does not wait: the turn of its key makes it available at once. */
    OUT_OF_TURN_LOSES_ITS_WAIT,
    /**
     * A day after its enqueue, what keeps the key of a job with {@code UniqueWhile.WAITING} is forgotten by a pruning while it runs; when it
     * waits for a retry, its key is free.
     */
    KEY_FORGOTTEN_DURING_A_RUN,
    /** A rescued job waits by the default policy, whatever its kind says. */
    RESCUE_WAITS_BY_DEFAULT;

    private static final boolean NONE = "none".equals(System.getenv("PAWL_KNOWN"));

    /** Ends a program. */
    static final class Passed extends RuntimeException {
        private static final long serialVersionUID = 1;

        Passed(Known fault) {
            super(fault.name(), null, false, false);
        }
    }

    /** The program goes no further if this fault is known. */
    void passBy() {
        if (!NONE) {
            throw new Passed(this);
        }
    }

    boolean isTolerated() {
        return !NONE;
    }
}

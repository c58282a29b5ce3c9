package dev.pawl.specification;

import java.util.List;

/**
 * Faults that are known and not mended yet: a program that comes upon one ends there, as if it had none, so that others are found. Each goes
 * with its mend. With {@code PAWL_FIND=NAME,NAME} these are not passed by, with {@code PAWL_FIND=ALL} none is, and the programs find them.
 */
public enum Known {
    /** A job that has expired and was not claimed since keeps its unique key. */
    EXPIRED_HOLDS_KEY,
    /** A job with a key that is replaced by an enqueue without it stays in the line of its key. */
    REPLACED_STAYS_IN_LINE,
    /** Jobs of {@code UniqueWhile.WAITING} run side by side, although of a key one runs and one waits. */
    WAITING_RUN_SIDE_BY_SIDE,
    /** Lanes give the same token to each claim: the outcome of one whose commit was lost counts for another. */
    TOKEN_OF_A_LOST_CLAIM,
    /** Jobs of other kinds in a lane cost a claim several statements each. */
    OTHER_KINDS_COST_A_CLAIM_EACH,
    /** Headers and moments that the queue uses itself may be given with an enqueue. */
    FORGED,
    /** A rescued job waits by the default policy, not by that of its kind. */
    RESCUE_WAITS_BY_DEFAULT;

    private static final List<String> FIND =
            List.of(System.getenv().getOrDefault("PAWL_FIND", "").split(","));

    /** Ends a program. */
    static final class Passed extends RuntimeException {
        private static final long serialVersionUID = 1;

        Passed(Known fault) {
            super(fault.name(), null, false, false);
        }
    }

    /** The program goes no further if this fault is known. */
    void passBy() {
        if (!FIND.contains("ALL") && !FIND.contains(name())) {
            throw new Passed(this);
        }
    }
}

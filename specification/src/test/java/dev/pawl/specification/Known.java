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
    /** A job that a person has run before its turn, and whose run fails, does not wait: the turn of its key makes it available at once. */
    OUT_OF_TURN_LOSES_ITS_WAIT,
    /**
     * A day after its enqueue, what keeps the key of a job with {@code UniqueWhile.WAITING} is forgotten by a pruning while it runs; when it
     * waits for a retry, its key is free.
     */
    KEY_FORGOTTEN_DURING_A_RUN,
    /** Jobs of {@code UniqueWhile.WAITING} run side by side, although of a key one runs and one waits. */
    WAITING_RUN_SIDE_BY_SIDE,
    /** Lanes give the same token to each claim: the outcome of one whose commit was lost counts for another. */
    TOKEN_OF_A_LOST_CLAIM,
    /** A program that has opened a lane in a transaction whose commit was lost writes jobs to it that no worker sees. */
    LANE_OF_A_LOST_COMMIT,
    /** Jobs of other kinds in a lane cost a claim several statements each. */
    OTHER_KINDS_COST_A_CLAIM_EACH,
    /** Headers and moments that the queue uses itself may be given with an enqueue. */
    FORGED,
    /**
     * A worker that dies between its claim from a lane and the moment when it gives away the jobs of other kinds has them charged an attempt,
     * though it has no handler for them.
     */
    OTHER_KINDS_ARE_CHARGED,
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

package dev.pawl.specification;

import java.util.List;

/**
 * Faults that are known and not mended yet: a program that comes upon one ends there, as if it had none, so that others are found. Each goes
 * with its mend. With {@code PAWL_FIND=NAME,NAME} these are not passed by, with {@code PAWL_FIND=ALL} none is, and the programs find them.
 */
public enum Known {
    /** A job that a person has run before its turn, and whose run fails, does not wait: the turn of its key makes it available at once. */
    OUT_OF_TURN_LOSES_ITS_WAIT,
    /**
     * A day after its enqueue, what keeps the key of a job with {@code UniqueWhile.WAITING} is forgotten by a pruning while it runs; when it
     * waits for a retry, its key is free.
     */
    KEY_FORGOTTEN_DURING_A_RUN,
    /** A program that has opened a lane in a transaction whose commit was lost writes jobs to it that no worker sees. */
    LANE_OF_A_LOST_COMMIT;

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

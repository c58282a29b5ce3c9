package dev.pawl.specification;

import java.util.List;

/**
 * Faults that are known and not mended yet: a program that comes upon one ends there, as if it had none, so that others are found. Each goes
 * with its mend. With {@code PAWL_FIND=NAME,NAME} these are not passed by, with {@code PAWL_FIND=ALL} none is, and the programs find them.
 */
public enum Known {
    /**
     * A worker that dies between its claim from a lane and the moment when it gives away the jobs of other kinds has them charged an attempt,
     * though it has no handler for them.
     */
    OTHER_KINDS_ARE_CHARGED;

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

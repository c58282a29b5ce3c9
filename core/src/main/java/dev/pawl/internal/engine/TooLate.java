package dev.pawl.internal.engine;

/** Thrown when the period in which a job was allowed to start has passed. */
final class TooLate extends RuntimeException {
    private static final long serialVersionUID = 1;

    TooLate() {
        super("its start was allowed for a moment that has passed", null, false, false);
    }
}

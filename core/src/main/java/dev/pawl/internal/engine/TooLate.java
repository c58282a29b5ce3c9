package dev.pawl.internal.engine;

/** Thrown when a job may not start now. It is put back, and no attempt is counted. */
final class TooLate extends RuntimeException {
    private static final long serialVersionUID = 1;

    TooLate() {
        super("it may not start now", null, false, false);
    }
}

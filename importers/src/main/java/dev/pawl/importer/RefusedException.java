package dev.pawl.importer;

/** Thrown for a row of the peer that cannot be mapped exactly; the message is shown in the list. */
final class RefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    RefusedException(String message) {
        super(message);
    }
}

package dev.pawl.cli.importer;

/** A row of the peer that cannot be mapped exactly; the message says why, for the one who looks at the list. */
final class RefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    RefusedException(String message) {
        super(message);
    }
}

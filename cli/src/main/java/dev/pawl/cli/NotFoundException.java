package dev.pawl.cli;

/** The command line is right, but what it names does not exist. */
final class NotFoundException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NotFoundException(String message) {
        super(message);
    }
}

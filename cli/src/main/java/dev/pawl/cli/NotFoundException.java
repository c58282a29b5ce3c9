package dev.pawl.cli;

/** Thrown if the command line is valid but names something that does not exist. */
final class NotFoundException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NotFoundException(String message) {
        super(message);
    }
}

package dev.pawl.cli;

/** What the user asked for cannot be done as it was written; the message says what to write. */
final class UsageException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UsageException(String message) {
        super(message);
    }
}

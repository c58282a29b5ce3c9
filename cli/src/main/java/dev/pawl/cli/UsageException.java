package dev.pawl.cli;

/** Thrown if the command line is invalid; the message says how to correct it. */
public final class UsageException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** @param message the problem, and the correct usage */
    public UsageException(String message) {
        super(message);
    }

    UsageException(String message, Throwable cause) {
        super(message, cause);
    }
}

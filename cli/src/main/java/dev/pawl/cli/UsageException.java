package dev.pawl.cli;

/** What the user asked for cannot be done as written; the message says what to write. */
public final class UsageException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * @param message what is wrong, and what to write instead
     */
    public UsageException(String message) {
        super(message);
    }
}

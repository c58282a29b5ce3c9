package dev.pawl.api;

import org.jspecify.annotations.Nullable;

/**
 * Pawl refuses a job, an option or a name: a malformed kind, a payload that is too large or cannot be encoded, a
 * negative delay. Nothing was written to the database.
 */
public final class InvalidJobException extends PawlException {
    private static final long serialVersionUID = 1L;

    /**
     * @param message the invalid value and the accepted ones
     * @param cause the underlying error, if any
     */
    public InvalidJobException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /**
     * @param message the invalid value and the accepted ones
     */
    public InvalidJobException(String message) {
        this(message, null);
    }
}

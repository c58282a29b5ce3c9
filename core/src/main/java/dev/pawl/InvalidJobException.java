package dev.pawl;

import org.jspecify.annotations.Nullable;

/**
 * A job, an option or a name that Pawl refuses: a malformed kind, a payload that is too large or cannot be encoded, a
 * negative delay. Nothing was written to the database.
 */
public final class InvalidJobException extends PawlException {
    private static final long serialVersionUID = 1L;

    /**
     * @param message what is wrong and what would be accepted
     * @param cause the error underneath, if any
     */
    public InvalidJobException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /**
     * @param message what is wrong and what would be accepted
     */
    public InvalidJobException(String message) {
        this(message, null);
    }
}

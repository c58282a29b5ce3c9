package dev.pawl.api;

import org.jspecify.annotations.Nullable;

/**
 * Pawl refuses a job, or a change of a job, because of the job's data: a payload that is too large or cannot be encoded, a malformed key or
 * header, a batch that is sealed. Nothing was written to the database, except earlier batches of a bulk enqueue. Values that are wrong for
 * any job, such as a malformed name of a queue or a duration outside its range, throw a plain {@link IllegalArgumentException}. A program
 * that catches {@code IllegalArgumentException} catches both.
 */
public final class InvalidJobException extends IllegalArgumentException {
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

package dev.pawl.api;

import org.jspecify.annotations.Nullable;

/**
 * The base class of exceptions for failures that are no mistakes of the program. The message names the failure, its
 * place and the remedy. Its subclasses: {@link QueueFullException} (too many jobs wait), {@link SchemaException} (the
 * tables), {@link DatabaseException} (the server or the connection), {@link LeaseLostException} (another worker may own
 * the job), {@link SlotException} (another job may own the slot). Wrong arguments throw an
 * {@link IllegalArgumentException}, or its subclass {@link InvalidJobException} if they are a job's data.
 */
public abstract sealed class PawlException extends RuntimeException
        permits QueueFullException, SchemaException, DatabaseException, LeaseLostException, SlotException {
    private static final long serialVersionUID = 1L;

    PawlException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}

package dev.pawl.api;

import org.jspecify.annotations.Nullable;

/**
 * The base class of the exceptions that Pawl throws. The message names the failure, its place and the remedy. Its
 * subclasses: {@link InvalidJobException} (the caller's input), {@link QueueFullException} (too many jobs wait),
 * {@link SchemaException} (the tables), {@link DatabaseException} (the server or the connection),
 * {@link LeaseLostException} (another worker may own the job), {@link SlotException} (another job may own the slot).
 */
public abstract sealed class PawlException extends RuntimeException
        permits InvalidJobException,
                QueueFullException,
                SchemaException,
                DatabaseException,
                LeaseLostException,
                SlotException {
    private static final long serialVersionUID = 1L;

    PawlException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}

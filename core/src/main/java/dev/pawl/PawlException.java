package dev.pawl;

import org.jspecify.annotations.Nullable;

/**
 * The root of every error that Pawl throws. The message says what failed, where, and what to do about it.
 * Subclasses tell the families apart: {@link InvalidJobException} (the caller's input), {@link QueueFullException} (too many wait), {@link SchemaException} (the
 * tables), {@link DatabaseException} (the server or the connection), {@link LeaseLostException} (another worker may own
 * the job now), {@link SlotException} (another job may own the slot now).
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

package dev.pawl;

import org.jspecify.annotations.Nullable;

/**
 * The tables in the database do not fit this version of Pawl: they are missing and migration was switched off, or a
 * newer version of Pawl has already migrated them, or the database product or version is not supported.
 */
public final class SchemaException extends PawlException {
    private static final long serialVersionUID = 1L;

    /**
     * @param message what was found, what was expected, and what to do
     * @param cause the error underneath, if any
     */
    public SchemaException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /**
     * @param message what was found, what was expected, and what to do
     */
    public SchemaException(String message) {
        this(message, null);
    }
}

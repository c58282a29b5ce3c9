package dev.pawl.api;

import org.jspecify.annotations.Nullable;

/**
 * The tables do not fit this version of Pawl: they are missing and migration is switched off, a newer version of Pawl
 * has migrated them, or the database product or version is not supported.
 */
public final class SchemaException extends PawlException {
    private static final long serialVersionUID = 1L;

    /**
     * @param message the state found, the state expected, and the remedy
     * @param cause the underlying error, if any
     */
    public SchemaException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /**
     * @param message the state found, the state expected, and the remedy
     */
    public SchemaException(String message) {
        this(message, null);
    }
}

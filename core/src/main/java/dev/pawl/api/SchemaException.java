package dev.pawl.api;

import org.jspecify.annotations.Nullable;

/**
 * The tables or the database do not fit this program. For example, the tables are missing or too old and migration is switched off, a newer
 * version of Pawl has migrated them, the database product or version is not supported, or the database does not support the strategy of a
 * worker.
 */
public final class SchemaException extends PawlException {
    private static final long serialVersionUID = 1L;

    private final Reason reason;

    /** Why the tables cannot be used. */
    public enum Reason {
        /** They are missing, or older than this program needs, and migration is switched off. */
        NOT_MIGRATED,
        /** The database product or its version is not supported. */
        UNSUPPORTED_DATABASE,
        /** Another reason, which the message explains. */
        OTHER
    }

    /**
     * @param message the state found, the state expected, and the remedy
     * @param cause the underlying error, if any
     */
    public SchemaException(String message, @Nullable Throwable cause) {
        super(message, cause);
        this.reason = Reason.OTHER;
    }

    /**
     * @param message the state found, the state expected, and the remedy
     */
    public SchemaException(String message) {
        this(message, Reason.OTHER);
    }

    /**
     * @param message the state found, the state expected, and the remedy
     * @param reason for programs that explain the failure in their own words
     */
    public SchemaException(String message, Reason reason) {
        super(message, null);
        this.reason = reason;
    }

    /** {@return why the tables cannot be used} */
    public Reason reason() {
        return reason;
    }
}

package dev.pawl.api;

import java.sql.SQLException;

/**
 * The database refused a statement or could not be reached. The {@link #sqlException() cause} carries SQLSTATE and
 * vendor code; {@link #isTransient()} says whether the same call may succeed later.
 */
public final class DatabaseException extends PawlException {
    private static final long serialVersionUID = 1L;

    private final SQLException sqlException;
    private final boolean transientFault;

    /**
     * @param message the failed operation
     * @param cause the driver's error
     * @param transientFault true if a retry may succeed
     */
    public DatabaseException(String message, SQLException cause, boolean transientFault) {
        super(message + ": " + cause.getMessage(), cause);
        this.sqlException = cause;
        this.transientFault = transientFault;
    }

    /**
     * {@return true for a deadlock, a serialization failure, a lock timeout, or a database that is busy, unreachable, read-only or short of
     * a resource}
     */
    public boolean isTransient() {
        return transientFault;
    }

    /**
     * {@return the driver's error}
     */
    public SQLException sqlException() {
        return sqlException;
    }
}

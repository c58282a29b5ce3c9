package dev.pawl.lab.database;

import java.sql.SQLException;

/**
 * An object that the lab has created on an external server: dropped on close, or when the program is stopped, except by
 * {@code kill -9}.
 */
final class DropOnExit implements AutoCloseable {
    /** Removes it. */
    interface Drop {
        void run() throws SQLException;
    }

    private final String what;
    private final Drop drop;
    private final Thread whenStopped;
    private boolean isDropped;

    /**
     * @param what its name for people
     * @param drop removes it
     */
    DropOnExit(String what, Drop drop) {
        this.what = what;
        this.drop = drop;
        this.whenStopped = new Thread(this::dropOrReport, "drop-" + what);
        Runtime.getRuntime().addShutdownHook(whenStopped);
    }

    private synchronized void drop() throws SQLException {
        if (!isDropped) {
            drop.run();
            isDropped = true;
        }
    }

    @SuppressWarnings("SystemOut") // standard error may be the only output of a stopping program
    private void dropOrReport() {
        try {
            drop();
        } catch (SQLException | RuntimeException e) {
            System.err.println(
                    "the lab could not drop its " + what + ": " + Secrets.hidden(String.valueOf(e.getMessage())));
        }
    }

    /** Cancels the drop, because there is nothing to remove. */
    synchronized void forget() {
        isDropped = true;
        removeHook();
    }

    @Override
    public void close() throws SQLException {
        drop();
        removeHook();
    }

    private void removeHook() {
        try {
            boolean unused = Runtime.getRuntime().removeShutdownHook(whenStopped);
        } catch (IllegalStateException stopping) {
            // the hook finds nothing left to do
        }
    }
}

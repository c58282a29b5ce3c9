package dev.pawl.lab.database;

import java.sql.SQLException;

/**
 * Something that the lab has made on a server of somebody else: dropped when it is closed, and also if the program is
 * stopped before that; all but {@code kill -9}.
 */
final class Dropped implements AutoCloseable {
    /** Removes it. */
    interface Drop {
        void run() throws SQLException;
    }

    private final String what;
    private final Drop drop;
    private final Thread whenStopped;
    private boolean isDropped;

    /**
     * @param what for people
     * @param drop removes it
     */
    Dropped(String what, Drop drop) {
        this.what = what;
        this.drop = drop;
        this.whenStopped = new Thread(this::dropOrTell, "drop-" + what);
        Runtime.getRuntime().addShutdownHook(whenStopped);
    }

    private synchronized void drop() throws SQLException {
        if (!isDropped) {
            drop.run();
            isDropped = true;
        }
    }

    @SuppressWarnings("SystemOut") // the last word of a program that is being stopped
    private void dropOrTell() {
        try {
            drop();
        } catch (SQLException | RuntimeException e) {
            System.err.println(
                    "the lab could not drop its " + what + ": " + Secrets.hidden(String.valueOf(e.getMessage())));
        }
    }

    /** There is nothing to drop. */
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
            // the hook finds that it is done
        }
    }
}

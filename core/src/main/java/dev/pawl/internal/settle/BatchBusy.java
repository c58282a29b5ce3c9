package dev.pawl.internal.settle;

import java.sql.SQLException;

/**
 * Somebody is sealing a batch or one that is part of it, in a transaction that may take long: nothing was counted, the caller's transaction is
 * to be rolled back, and may be tried again later.
 */
public final class BatchBusy extends SQLException {
    private static final long serialVersionUID = 1L;

    /**
     * @param batch that is being sealed, or that others are part of
     */
    public BatchBusy(long batch) {
        super("somebody is sealing batch " + batch + ", or one that is part of it: its jobs are recorded after that");
    }
}

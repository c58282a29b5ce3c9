package dev.pawl.internal.settle;

import java.sql.SQLException;

/**
 * Another transaction is sealing the batch or one that is part of it, which may take long. Nothing was counted; the
 * caller rolls back, and may try again later.
 */
public final class BatchBusy extends SQLException {
    private static final long serialVersionUID = 1L;

    /** @param batch that is being sealed, or contains the sealed one */
    public BatchBusy(long batch) {
        super("another transaction is sealing batch " + batch
                + ", or one that is part of it: its jobs are recorded after that");
    }
}

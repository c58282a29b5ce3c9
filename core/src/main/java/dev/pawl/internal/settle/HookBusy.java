package dev.pawl.internal.settle;

import java.sql.SQLException;

/**
 * A {@link CompletionHook} cannot write now for one of the jobs, because another transaction holds what it needs, and may hold it for long.
 * Nothing was written; the caller rolls back, and may try again later.
 */
public final class HookBusy extends SQLException {
    private static final long serialVersionUID = 1L;

    /** @param message what the hook needs, and who holds it */
    public HookBusy(String message) {
        super(message);
    }
}

package dev.pawl.internal.settle;

import java.sql.SQLException;

/**
 * Thrown if a {@link CompletionHook} cannot write now for one of the jobs, because another transaction has locked what it needs, perhaps
 * for long. Nothing was written. The caller rolls back, and may try again later.
 */
public final class HookBusy extends SQLException {
    private static final long serialVersionUID = 1L;

    /** @param message what the hook needs, and what has locked it */
    public HookBusy(String message) {
        super(message);
    }
}

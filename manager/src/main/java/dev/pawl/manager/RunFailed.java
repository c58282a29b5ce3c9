package dev.pawl.manager;

import org.jspecify.annotations.Nullable;

/** Reports that the run failed on its worker. Its own stack trace carries no information; that of a cause may. */
final class RunFailed extends Exception {
    private static final long serialVersionUID = 1L;

    RunFailed(String error) {
        this(error, null);
    }

    RunFailed(String error, @Nullable Throwable cause) {
        super(error, cause, false, cause != null);
    }
}

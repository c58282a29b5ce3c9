package dev.pawl.manager;

import org.jspecify.annotations.Nullable;

/** The run failed on its worker. Its own stack says nothing; the one of a cause may. */
final class RunFailed extends Exception {
    private static final long serialVersionUID = 1L;

    RunFailed(String error) {
        this(error, null);
    }

    RunFailed(String error, @Nullable Throwable cause) {
        super(error, cause, false, cause != null);
    }
}

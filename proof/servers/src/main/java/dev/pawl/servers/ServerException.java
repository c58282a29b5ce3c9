package dev.pawl.servers;

import org.jspecify.annotations.Nullable;

/** Thrown if a test server cannot be started or used; the message contains the reason and the remedy. */
public final class ServerException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ServerException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    ServerException(String message) {
        this(message, null);
    }
}

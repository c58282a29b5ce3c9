package dev.pawl.servers;

import org.jspecify.annotations.Nullable;

/** A test server cannot be started or used; the message says why and what to do. */
public final class ServerException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ServerException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    ServerException(String message) {
        this(message, null);
    }
}

package dev.pawl.cli;

import java.io.IOException;

/** A failed command or server. Without a stack trace, which would not explain the cause. */
final class HandlerFailure extends IOException {
    private static final long serialVersionUID = 1L;

    HandlerFailure(String message) {
        super(message);
    }

    /** Only the message is recorded for an error without a stack trace. */
    @Override
    public synchronized Throwable fillInStackTrace() {
        return this;
    }
}

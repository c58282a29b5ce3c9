package dev.pawl.cli;

import java.io.IOException;

/** A command or a server did not do its job. Without a stack trace, which would say nothing about why. */
final class HandlerFailure extends IOException {
    private static final long serialVersionUID = 1L;

    HandlerFailure(String message) {
        super(message);
    }

    /** What is written of an error without a stack trace is its message. */
    @Override
    public synchronized Throwable fillInStackTrace() {
        return this;
    }
}

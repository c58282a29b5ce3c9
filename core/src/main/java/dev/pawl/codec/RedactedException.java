package dev.pawl.codec;

/**
 * Replaces an error whose message may quote encrypted data: keeps its class, its stack trace and its causes, but not
 * its message.
 */
final class RedactedException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    /** Bounds the chain of causes, which may be circular. */
    private static final int DEEPEST = 20;

    RedactedException(Throwable error) {
        this(error, 0);
    }

    private RedactedException(Throwable error, int depth) {
        super(
                error.getClass().getName() + ": message redacted, because it may quote encrypted data",
                error.getCause() == null || depth == DEEPEST
                        ? null
                        : new RedactedException(error.getCause(), depth + 1));
        setStackTrace(error.getStackTrace());
    }
}

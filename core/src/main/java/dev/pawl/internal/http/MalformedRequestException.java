package dev.pawl.internal.http;

/** A request that cannot be read, with the status of the response. */
final class MalformedRequestException extends Exception {
    private static final long serialVersionUID = 1L;

    private final int status;

    MalformedRequestException(int status, String message) {
        super(message);
        this.status = status;
    }

    int status() {
        return status;
    }
}

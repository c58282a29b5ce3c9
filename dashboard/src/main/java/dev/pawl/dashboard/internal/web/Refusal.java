package dev.pawl.dashboard.internal.web;

/** A request that is not done, with the reason that its sender is told. */
public final class Refusal extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int status;

    /**
     * @param status of HTTP
     * @param message for people
     */
    public Refusal(int status, String message) {
        super(message);
        this.status = status;
    }

    /** {@return the status of HTTP} */
    public int status() {
        return status;
    }

    /** {@return what people are told} */
    public String text() {
        return String.valueOf(getMessage());
    }
}

package dev.pawl.dashboard.internal.web;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** A request that is not done, with the reason that its sender is told. */
public final class Refusal extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int status;
    private final String allowed;
    private final String field;

    /**
     * @param status of HTTP
     * @param message for people
     */
    public Refusal(int status, String message) {
        this(status, message, "", "");
    }

    private Refusal(int status, String message, String allowed, String field) {
        super(message);
        this.status = status;
        this.allowed = allowed;
        this.field = field;
    }

    /** {@return that a path has no such method, but others} */
    static Refusal ofMethod(String path, Collection<String> methods) {
        List<String> all = new ArrayList<>(methods);
        if (all.contains("GET")) {
            all.add("HEAD");
        }
        String allowed = String.join(", ", all);
        return new Refusal(405, path + " takes " + allowed + " only", allowed, "");
    }

    /** {@return the methods that the path has, if that is what is wrong; otherwise empty} */
    String allowed() {
        return allowed;
    }

    /** {@return that the value of a field is not valid} */
    static Refusal ofField(String field, String message) {
        return new Refusal(400, message, "", field);
    }

    /** {@return the field whose value is not valid; empty if it is not that} */
    String field() {
        return field;
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

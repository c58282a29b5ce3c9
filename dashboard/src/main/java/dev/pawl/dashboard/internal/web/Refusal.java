package dev.pawl.dashboard.internal.web;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** A refused request, with the reason for its sender. */
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

    /** {@return a refusal of a method that the path lacks} */
    static Refusal ofMethod(String path, Collection<String> methods) {
        List<String> all = new ArrayList<>(methods);
        if (all.contains("GET")) {
            all.add("HEAD");
        }
        String allowed = String.join(", ", all);
        return new Refusal(405, path + " takes " + allowed + " only", allowed, "");
    }

    /** {@return the methods of the path, if the method was wrong; otherwise empty} */
    String allowed() {
        return allowed;
    }

    /** {@return a refusal of a field's value} */
    static Refusal ofField(String field, String message) {
        return new Refusal(400, message, "", field);
    }

    /** {@return the field with the invalid value; empty if none} */
    String field() {
        return field;
    }

    /** {@return the status of HTTP} */
    public int status() {
        return status;
    }

    /** {@return the message for people} */
    public String text() {
        return String.valueOf(getMessage());
    }
}

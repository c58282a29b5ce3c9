package dev.pawl.dashboard.internal.change;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a change has done.
 *
 * @param status of HTTP for the API: 200 done, 404 there is no such thing, 409 it cannot be done now
 * @param message for people
 * @param json for programs
 * @param goTo the page to go to; null for the one that the form was on
 */
public record Done(
        int status,
        String message,
        Map<String, ? extends @Nullable Object> json,
        @Nullable String goTo) {
    static Done of(String message, Map<String, ? extends @Nullable Object> json) {
        return new Done(200, message, json, null);
    }

    static Done not(int status, String message) {
        return new Done(status, message, Map.of(), null);
    }

    Done goingTo(String page) {
        return new Done(status, message, json, page);
    }

    /** {@return whether it was done} */
    public boolean isDone() {
        return status < 400;
    }
}

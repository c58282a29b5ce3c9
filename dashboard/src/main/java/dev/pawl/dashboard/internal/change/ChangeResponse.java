package dev.pawl.dashboard.internal.change;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The result of a change.
 *
 * @param status of HTTP for the API: 200 done, 404 not found, 409 not possible now
 * @param message for people
 * @param json for programs
 * @param goTo the page to redirect to; null for the page of the form
 */
public record ChangeResponse(
        int status,
        String message,
        Map<String, ? extends @Nullable Object> json,
        @Nullable String goTo) {
    static ChangeResponse of(String message, Map<String, ? extends @Nullable Object> json) {
        return new ChangeResponse(200, message, json, null);
    }

    static ChangeResponse not(int status, String message) {
        return new ChangeResponse(status, message, Map.of(), null);
    }

    ChangeResponse goingTo(String page) {
        return new ChangeResponse(status, message, json, page);
    }

    /** {@return whether the change was made} */
    public boolean isDone() {
        return status < 400;
    }
}

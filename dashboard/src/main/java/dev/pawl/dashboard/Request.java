package dev.pawl.dashboard;

import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A request, independent of the HTTP server. Immutable, unless the body is modified.
 *
 * @param method of HTTP, in capital letters
 * @param prefix under which the dashboard is mounted, such as {@code /pawl}; empty for none. Links begin with it
 * @param path after the prefix, still encoded; begins with a slash
 * @param query after the question mark, still encoded; empty if there is none
 * @param headers by their names in lower case. {@code cookie} has all its values, joined by {@code "; "}, and each other header has its
 *     first value
 * @param body the whole body; of a larger one than {@link #MAX_BYTES}, at least one byte more than that
 * @param secure whether it came over HTTPS, so that cookies are set for HTTPS only
 * @param viewer the sender, if the server has authenticated it; null lets the dashboard check tokens
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Request(
        String method,
        String prefix,
        String path,
        String query,
        Map<String, String> headers,
        byte[] body,
        boolean secure,
        @Nullable Viewer viewer) {
    /** Maximum size of a body in bytes; larger ones are answered with 413. */
    public static final int MAX_BYTES = 4 << 20;

    /** Copies the headers. */
    public Request {
        Objects.requireNonNull(method, "method");
        headers = Map.copyOf(headers);
    }

    /**
     * @param name in lower case
     * @return the header; null if there is none
     */
    public @Nullable String header(String name) {
        return headers.get(name);
    }
}

package dev.pawl.dashboard;

import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A request as any HTTP server can tell it. Immutable, if the body is left alone.
 *
 * @param method of HTTP, in capital letters
 * @param prefix below which the dashboard is mounted, such as {@code /pawl}; empty for none. Links begin with it
 * @param path after the prefix, still encoded as it came; begins with a slash
 * @param query what follows the question mark, still encoded; empty if there is none
 * @param headers by their names in lower case; the first one of each, but of {@code cookie} all, with {@code "; "} between them
 * @param body all of it, or at least one byte more than {@link #MOST_BYTES}
 * @param secure whether it came by HTTPS, so that cookies are for HTTPS only
 * @param viewer who sends it, as far as the server has found that out; null lets the dashboard look for tokens
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
    /** The largest body, in bytes; larger ones are answered 413. */
    public static final int MOST_BYTES = 4 << 20;

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

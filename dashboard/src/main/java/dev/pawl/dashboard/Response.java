package dev.pawl.dashboard;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A response. Immutable, unless the body is modified.
 *
 * @param status of HTTP
 * @param headers in order; a name may occur more than once
 * @param body empty for none
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Response(int status, List<Map.Entry<String, String>> headers, byte[] body) {
    /** Copies the headers. */
    public Response {
        headers = List.copyOf(headers);
    }

    /**
     * @param status of HTTP
     * @param type of the text, such as {@code text/html}; it is sent as UTF-8
     * @param text the body
     * @return the response
     */
    public static Response text(int status, String type, String text) {
        return new Response(
                status,
                List.of(Map.entry("Content-Type", type + ";charset=utf-8")),
                text.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * @param name of a header
     * @param value of it
     * @return a copy with one more header
     */
    public Response with(String name, String value) {
        List<Map.Entry<String, String>> more = new ArrayList<>(headers);
        more.add(Map.entry(name, value));
        return new Response(status, more, body);
    }
}

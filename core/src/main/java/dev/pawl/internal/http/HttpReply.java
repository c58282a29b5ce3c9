package dev.pawl.internal.http;

import java.util.List;
import java.util.Map;

/**
 * The response to a request.
 *
 * @param status of HTTP
 * @param headers in order, without those about length and connection
 * @param body the whole body
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record HttpReply(int status, List<Map.Entry<String, String>> headers, byte[] body) {
    /** Copies the list. */
    public HttpReply {
        headers = List.copyOf(headers);
    }
}

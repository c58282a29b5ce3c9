package dev.pawl.internal.http;

import java.util.List;
import java.util.Map;

/**
 * What a request is answered.
 *
 * @param status of HTTP
 * @param headers in their order, without those about the length and the connection
 * @param body all of it
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record HttpReply(int status, List<Map.Entry<String, String>> headers, byte[] body) {
    /** The list is copied. */
    public HttpReply {
        headers = List.copyOf(headers);
    }
}

package dev.pawl.internal.http;

import java.net.InetAddress;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A request before its body is read.
 *
 * @param method of HTTP
 * @param path without the query, as it was sent; its beginning if it is longer than 32 KiB
 * @param query what follows the question mark, as it was sent; empty if there is none
 * @param headers by their names in lower case; the first one of each, but of {@code cookie} all, with {@code "; "} between them
 * @param remote who has sent it
 * @param isOld whether it is of HTTP/1.0
 */
public record HttpHead(
        String method, String path, String query, Map<String, String> headers, InetAddress remote, boolean isOld) {
    /** The headers are copied. */
    public HttpHead {
        headers = Map.copyOf(headers);
    }

    /**
     * @param name in lower case
     * @return the header; null if there is none
     */
    public @Nullable String header(String name) {
        return headers.get(name);
    }

    /** {@return whether the body comes in chunks, so that its length is not known} */
    boolean isChunked() {
        return headers.containsKey("transfer-encoding");
    }

    /** {@return the length of the body as the caller has announced it; 0 if there is none} */
    long announced() {
        return Long.parseLong(headers.getOrDefault("content-length", "0"));
    }

    boolean keepsConnection() {
        String connection = headers.getOrDefault("connection", isOld ? "close" : "keep-alive");
        return !connection.toLowerCase(Locale.ROOT).contains("close");
    }

    boolean expectsContinue() {
        return headers.getOrDefault("expect", "").equalsIgnoreCase("100-continue");
    }
}

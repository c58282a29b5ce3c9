package dev.pawl.internal.http;

import java.net.InetAddress;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A request before its body is read.
 *
 * @param method HTTP method
 * @param path without the query, as sent; truncated if it is longer than 32 KiB
 * @param query after the question mark, as sent; empty if there is none
 * @param headers by lower-case name; only the first of each name, except cookies, which are joined by {@code "; "}
 * @param remote address of the caller
 * @param isHttp10 whether it is HTTP/1.0
 */
public record HttpHead(
        String method, String path, String query, Map<String, String> headers, InetAddress remote, boolean isHttp10) {
    /** Copies the headers. */
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

    /** {@return whether the body is sent in chunks, so that its length is unknown} */
    boolean isChunked() {
        return headers.containsKey("transfer-encoding");
    }

    /** {@return the declared length of the body; 0 if there is none} */
    long contentLength() {
        return Long.parseLong(headers.getOrDefault("content-length", "0"));
    }

    boolean keepsConnection() {
        String connection = headers.getOrDefault("connection", isHttp10 ? "close" : "keep-alive");
        return !connection.toLowerCase(Locale.ROOT).contains("close");
    }

    boolean expectsContinue() {
        return headers.getOrDefault("expect", "").equalsIgnoreCase("100-continue");
    }
}

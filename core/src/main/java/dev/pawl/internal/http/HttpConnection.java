package dev.pawl.internal.http;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The requests of one connection: the part of HTTP/1.1 that our servers need. Limits apply while reading, so nothing beyond them is ever in
 * memory. Confined to one thread.
 */
final class HttpConnection {
    /** Maximum number of stored bytes of the first line. A longer line is truncated, and the request is still answered. */
    private static final int LONGEST_LINE = 32 << 10;
    /** Maximum length of the first line. */
    private static final int MAX_SKIPPED = 1 << 20;

    private static final int LONGEST_HEADERS = 32 << 10;
    private static final String TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";

    private final BufferedInputStream in;
    private final OutputStream out;
    private final InetAddress remote;
    private boolean bodyRead;
    private int headerBytes;

    HttpConnection(Socket socket) throws IOException {
        this.in = new BufferedInputStream(socket.getInputStream());
        this.out = socket.getOutputStream();
        this.remote = socket.getInetAddress();
    }

    /** {@return the next request; null at the end of the input} */
    @Nullable
    HttpHead readHead() throws IOException, MalformedRequestException {
        bodyRead = false;
        headerBytes = 0;
        String first = line(LONGEST_LINE, MAX_SKIPPED);
        if (first == null) {
            return null;
        }
        boolean isCut = first.length() >= LONGEST_LINE;
        String[] words = first.split(" ", -1);
        if (words.length != (isCut ? 2 : 3)
                || !words[0].matches(TOKEN)
                || (!isCut && !words[2].matches("HTTP/1\\.[0-9]"))) {
            throw new MalformedRequestException(400, "not an HTTP/1.1 request");
        }
        String target = words[1].replaceFirst("^https?://[^/?]*", "");
        if (!target.startsWith("/") || target.chars().anyMatch(c -> c <= ' ' || c >= 127 || c == '#')) {
            throw new MalformedRequestException(400, "the request target is malformed");
        }
        int query = target.indexOf('?');
        return new HttpHead(
                words[0],
                query < 0 ? target : target.substring(0, query),
                query < 0 ? "" : target.substring(query + 1),
                headers(),
                remote,
                !isCut && words[2].equals("HTTP/1.0"));
    }

    private Map<String, String> headers() throws IOException, MalformedRequestException {
        Map<String, String> headers = new HashMap<>();
        for (String header = header(); !header.isEmpty(); header = header()) {
            int colon = header.indexOf(':');
            if (colon < 1 || !header.substring(0, colon).matches(TOKEN)) {
                throw new MalformedRequestException(400, "a header is malformed");
            }
            String name = header.substring(0, colon).toLowerCase(Locale.ROOT);
            String value = header.substring(colon + 1).strip();
            String before = headers.get(name);
            if (before == null) {
                headers.put(name, value);
            } else if (name.equals("cookie")) {
                headers.put(name, before + "; " + value);
            } else if (name.matches("host|content-length|transfer-encoding|authorization") && !before.equals(value)) {
                throw new MalformedRequestException(400, "the header " + name + " is repeated with another value");
            }
        }
        String encoding = headers.get("transfer-encoding");
        String length = headers.get("content-length");
        // Refuses requests with both headers, because a proxy in between might use the other header than this server.
        if (encoding != null && (length != null || !encoding.equalsIgnoreCase("chunked"))) {
            throw new MalformedRequestException(400, "Transfer-Encoding is not valid: send chunked, or Content-Length");
        }
        if (length != null && !length.matches("[0-9]{1,18}")) {
            throw new MalformedRequestException(400, "Content-Length is not a number");
        }
        return headers;
    }

    private String header() throws IOException, MalformedRequestException {
        String line = line(LONGEST_HEADERS, LONGEST_HEADERS);
        if (line == null) {
            throw new EOFException("the head of a request breaks off");
        }
        headerBytes += line.length() + 2;
        if (headerBytes > LONGEST_HEADERS) {
            throw new MalformedRequestException(431, "the headers are longer than " + LONGEST_HEADERS + " bytes");
        }
        return line;
    }

    /**
     * {@return the next line; null at the end of the input}
     *
     * @param kept maximum number of its bytes to store
     * @param most maximum number of its bytes to read
     */
    private @Nullable String line(int kept, int most) throws IOException, MalformedRequestException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        int count = 0;
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                if (count == 0) {
                    return null;
                }
                throw new EOFException("the head of a request breaks off");
            }
            if (++count > most) {
                throw new MalformedRequestException(431, "a line is longer than " + most + " bytes");
            }
            if (next != '\r' && line.size() < kept) {
                line.write(next);
            }
        }
        return line.toString(StandardCharsets.ISO_8859_1);
    }

    /** {@return whether the body was read, so that the next request begins here} */
    boolean isBodyRead(HttpHead head) {
        return bodyRead || (!head.isChunked() && head.contentLength() == 0);
    }

    /** {@return the body, up to this size} */
    byte[] readBody(HttpHead head, int most) throws IOException, MalformedRequestException {
        if (head.isChunked() ? most == 0 : head.contentLength() > most) {
            throw tooLarge(most);
        }
        if (head.expectsContinue() && !isBodyRead(head)) {
            out.write("HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            out.flush();
        }
        byte[] body = head.isChunked() ? chunks(most) : in.readNBytes((int) head.contentLength());
        if (!head.isChunked() && body.length < head.contentLength()) {
            throw new EOFException("the body of a request breaks off");
        }
        bodyRead = true;
        return body;
    }

    private static MalformedRequestException tooLarge(int most) {
        return new MalformedRequestException(413, "the body is larger than " + most + " bytes");
    }

    private byte[] chunks(int most) throws IOException, MalformedRequestException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        while (true) {
            String size = line(100, 1_000);
            if (size == null || !size.matches("[0-9a-fA-F]{1,7}\\s*(;.*)?")) {
                throw new MalformedRequestException(400, "the body is not in chunks");
            }
            int bytes = Integer.parseInt(size.replaceFirst("\\s*(;.*)?$", ""), 16);
            if (body.size() + bytes > most) {
                throw tooLarge(most);
            }
            byte[] chunk = in.readNBytes(bytes);
            if (chunk.length < bytes) {
                throw new EOFException("the body of a request breaks off");
            }
            body.writeBytes(chunk);
            if (bytes == 0) {
                headerBytes = 0;
                String trailer = header();
                while (!trailer.isEmpty()) { // not used
                    trailer = header();
                }
                return body.toByteArray();
            }
            String end = line(2, 2);
            if (end == null || !end.isEmpty()) {
                throw new MalformedRequestException(400, "the body is not in chunks");
            }
        }
    }

    void write(HttpReply reply, boolean keep, boolean withBody) throws IOException {
        StringBuilder head = new StringBuilder("HTTP/1.1 ")
                .append(reply.status())
                .append(' ')
                .append(reason(reply.status()))
                .append("\r\n");
        reply.headers()
                .forEach(header -> head.append(header.getKey())
                        .append(": ")
                        .append(header.getValue().replaceAll("[\\p{Cntrl}]", " ")) // prevents header injection
                        .append("\r\n"));
        boolean hasLength = reply.status() != 204 && reply.status() != 304;
        if (hasLength) {
            head.append("Content-Length: ").append(reply.body().length).append("\r\n");
        }
        head.append(keep ? "" : "Connection: close\r\n").append("\r\n");
        byte[] bytes = head.toString().getBytes(StandardCharsets.UTF_8);
        if (withBody && hasLength && reply.body().length <= LONGEST_LINE) {
            ByteArrayOutputStream all = new ByteArrayOutputStream(bytes.length + reply.body().length);
            all.writeBytes(bytes);
            all.writeBytes(reply.body());
            out.write(all.toByteArray()); // one packet
        } else {
            out.write(bytes);
            if (withBody && hasLength) {
                out.write(reply.body());
            }
        }
        out.flush();
    }

    /** Discards remaining input of the caller, so that the caller sees the response. */
    void skip(long most) throws IOException {
        byte[] some = new byte[8_192];
        long left = most;
        for (int read = 0; read >= 0 && left > 0; left -= read) {
            read = in.read(some);
        }
    }

    private static String reason(int status) {
        return switch (status) {
            case 200 -> "OK";
            case 202 -> "Accepted";
            case 204 -> "No Content";
            case 303 -> "See Other";
            case 304 -> "Not Modified";
            case 400 -> "Bad Request";
            case 401 -> "Unauthorized";
            case 403 -> "Forbidden";
            case 404 -> "Not Found";
            case 405 -> "Method Not Allowed";
            case 409 -> "Conflict";
            case 413 -> "Content Too Large";
            case 414 -> "URI Too Long";
            case 421 -> "Misdirected Request";
            case 429 -> "Too Many Requests";
            case 431 -> "Request Header Fields Too Large";
            case 503 -> "Service Unavailable";
            default -> status < 400 ? "OK" : status < 500 ? "Bad Request" : "Internal Server Error";
        };
    }
}

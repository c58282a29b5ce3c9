package dev.pawl.manager;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The calls of one connection, one after the other: as much of HTTP/1.1 as the protocol needs. Confined to one thread. */
final class HttpExchange {
    private static final int LONGEST_HEAD = 16 << 10;

    private final BufferedInputStream in;
    private final OutputStream out;
    private final Map<String, String> headers = new HashMap<>();
    private String method = "";
    private String path = "";
    private boolean old;
    private boolean bodyRead;
    private int headBytes;

    HttpExchange(InputStream in, OutputStream out) {
        this.in = new BufferedInputStream(in);
        this.out = out;
    }

    /** False if no further call comes. */
    boolean readHead() throws IOException {
        headers.clear();
        bodyRead = false;
        headBytes = 0;
        String first = line();
        if (first == null) {
            return false;
        }
        String[] words = first.split(" ", -1);
        if (words.length != 3 || !words[2].startsWith("HTTP/1.")) {
            throw new IOException("this is not HTTP");
        }
        method = words[0];
        path = words[1].replaceFirst("\\?.*", "");
        old = words[2].equals("HTTP/1.0");
        for (String header = line(); header != null && !header.isEmpty(); header = line()) {
            int colon = header.indexOf(':');
            if (colon > 0) {
                headers.put(
                        header.substring(0, colon).toLowerCase(Locale.ROOT),
                        header.substring(colon + 1).strip());
            }
        }
        return true;
    }

    /** Null at the end of the input. */
    private @Nullable String line() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                if (line.size() == 0) {
                    return null;
                }
                throw new EOFException("the head of a call breaks off");
            }
            if (++headBytes > LONGEST_HEAD) {
                throw new IOException("the head of a call is longer than " + LONGEST_HEAD + " bytes");
            }
            if (next != '\r') {
                line.write(next);
            }
        }
        return line.toString(StandardCharsets.ISO_8859_1);
    }

    String method() {
        return method;
    }

    String path() {
        return path;
    }

    Map<String, String> headers() {
        return Map.copyOf(headers);
    }

    @Nullable
    String header(String name) {
        return headers.get(name);
    }

    /** {@return whether the caller may use the connection again} */
    boolean wantsMore() {
        String connection = headers.getOrDefault("connection", old ? "close" : "keep-alive");
        return !connection.equalsIgnoreCase("close");
    }

    /** {@return whether the next call begins right here} */
    boolean isBodyRead() {
        return bodyRead;
    }

    byte[] readBody() throws IOException, Protocol.Violation {
        if (headers.getOrDefault("transfer-encoding", "identity").equalsIgnoreCase("chunked")) {
            goOn();
            return chunks();
        }
        String length = headers.getOrDefault("content-length", "0");
        if (!length.matches("[0-9]{1,18}")) {
            throw new Protocol.Violation("Content-Length is not a number");
        }
        long bytes = Long.parseLong(length);
        if (bytes > Protocol.MOST_BYTES) {
            throw Protocol.tooLarge();
        }
        goOn();
        byte[] body = in.readNBytes((int) bytes);
        if (body.length < bytes) {
            throw new EOFException("the body of a call breaks off");
        }
        bodyRead = true;
        return body;
    }

    private void goOn() throws IOException {
        if (headers.getOrDefault("expect", "").equalsIgnoreCase("100-continue")) {
            out.write("HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            out.flush();
        }
    }

    private byte[] chunks() throws IOException, Protocol.Violation {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        while (true) {
            String size = line();
            if (size == null || !size.matches("[0-9a-fA-F]{1,7}(;.*)?")) {
                throw new Protocol.Violation("the body is not in chunks");
            }
            int bytes = Integer.parseInt(size.replaceFirst(";.*", ""), 16);
            if (body.size() + bytes > Protocol.MOST_BYTES) {
                throw Protocol.tooLarge();
            }
            body.write(in.readNBytes(bytes));
            String end = line();
            if (bytes == 0) {
                while (end != null && !end.isEmpty()) { // trailers
                    end = line();
                }
                bodyRead = true;
                return body.toByteArray();
            }
            headBytes = 0;
        }
    }

    void write(HttpEndpoint.Answer answer, boolean keep) throws IOException {
        byte[] body = answer.message() == null ? new byte[0] : Protocol.write(answer.message());
        String head = "HTTP/1.1 " + answer.status() + " " + reason(answer.status()) + "\r\n"
                + (answer.status() == 204
                        ? ""
                        : "Content-Type: application/json\r\nContent-Length: " + body.length + "\r\n")
                + (keep ? "" : "Connection: close\r\n") + "\r\n";
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(head.getBytes(StandardCharsets.US_ASCII));
        all.writeBytes(body);
        out.write(all.toByteArray());
        out.flush();
    }

    private static String reason(int status) {
        return switch (status) {
            case 200 -> "OK";
            case 202 -> "Accepted";
            case 204 -> "No Content";
            case 401 -> "Unauthorized";
            case 404 -> "Not Found";
            case 409 -> "Conflict";
            case 413 -> "Content Too Large";
            case 421 -> "Misdirected Request";
            case 503 -> "Service Unavailable";
            default -> status < 400 ? "OK" : status < 500 ? "Bad Request" : "Internal Server Error";
        };
    }
}

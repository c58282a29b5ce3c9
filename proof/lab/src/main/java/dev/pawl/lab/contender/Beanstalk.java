package dev.pawl.lab.contender;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/** One connection to beanstalkd: the five commands of its protocol that the lab needs. Not thread-safe. */
final class Beanstalk implements AutoCloseable {
    private static final int DEFAULT_PORT = 11300;

    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;

    /**
     * A reserved job.
     *
     * @param id its number at the server
     * @param body its payload
     */
    record Reserved(long id, String body) {}

    Beanstalk(URI uri, String tube) throws IOException {
        socket = new Socket(uri.getHost(), uri.getPort() < 0 ? DEFAULT_PORT : uri.getPort());
        socket.setTcpNoDelay(true);
        in = new BufferedInputStream(socket.getInputStream());
        out = new BufferedOutputStream(socket.getOutputStream());
        expect(call("use " + tube), "USING");
        expect(call("watch " + tube), "WATCHING");
    }

    /** Puts jobs; all are sent before the first reply is read. */
    void put(List<String> bodies) throws IOException {
        for (String body : bodies) {
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            out.write(("put 0 0 60 " + bytes.length + "\r\n").getBytes(StandardCharsets.US_ASCII));
            out.write(bytes);
            out.write('\r');
            out.write('\n');
        }
        out.flush();
        for (int i = 0; i < bodies.size(); i++) {
            expect(line(), "INSERTED");
        }
    }

    Optional<Reserved> reserve(int seconds) throws IOException {
        String answer = call("reserve-with-timeout " + seconds);
        if (answer.startsWith("TIMED_OUT")) {
            return Optional.empty();
        }
        expect(answer, "RESERVED");
        List<String> words = List.of(answer.split(" "));
        return Optional.of(new Reserved(Long.parseLong(words.get(1)), body(Integer.parseInt(words.get(2)))));
    }

    void delete(long id) throws IOException {
        expect(call("delete " + id), "DELETED");
    }

    /** {@return the number of ready and reserved jobs of the tube} */
    long unfinished(String tube) throws IOException {
        String answer = call("stats-tube " + tube);
        expect(answer, "OK");
        return body(Integer.parseInt(List.of(answer.split(" ")).get(1)))
                .lines()
                .filter(line -> line.startsWith("current-jobs-ready:") || line.startsWith("current-jobs-reserved:"))
                .mapToLong(line ->
                        Long.parseLong(line.substring(line.indexOf(' ') + 1).strip()))
                .sum();
    }

    private String call(String command) throws IOException {
        out.write((command + "\r\n").getBytes(StandardCharsets.US_ASCII));
        out.flush();
        return line();
    }

    private static void expect(String answer, String word) throws IOException {
        if (!answer.startsWith(word)) {
            throw new IOException("beanstalkd answers '" + answer + "' where " + word + " was expected");
        }
    }

    private String line() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new EOFException("beanstalkd has closed the connection");
            }
            line.write(next);
        }
        return line.toString(StandardCharsets.US_ASCII).strip();
    }

    private String body(int length) throws IOException {
        byte[] bytes = in.readNBytes(length + 2);
        return new String(bytes, 0, length, StandardCharsets.UTF_8);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}

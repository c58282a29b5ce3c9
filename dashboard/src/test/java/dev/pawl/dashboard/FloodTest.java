package dev.pawl.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Unauthenticated callers stop neither pages nor probes, regardless of how many callers there are and what body sizes they announce. */
class FloodTest {
    private static final String TOKEN = "a-token-of-operators";
    private static final int LARGE = 4 << 20;

    private final Site site = Site.onSqlite(options -> options.token(Role.OPERATOR, TOKEN));
    private final List<Socket> sockets = new ArrayList<>();

    @AfterEach
    void close() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
        site.close();
    }

    private Socket send(String text) throws IOException {
        Socket socket = new Socket("localhost", site.port());
        sockets.add(socket);
        socket.setSoTimeout((int) Site.SOON.toMillis());
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
        socket.getOutputStream().flush();
        return socket;
    }

    private static String firstLine(Socket socket) throws IOException {
        return String.valueOf(
                new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))
                        .readLine());
    }

    /** Requires complete requests to be answered well before the incomplete ones time out. */
    private void allIsAnswered() {
        long before = System.nanoTime();
        assertThat(site.get("/live").statusCode()).isEqualTo(200);
        assertThat(site.get("/ready").statusCode()).isEqualTo(200);
        assertThat(site.get("/login").statusCode()).isEqualTo(200);
        assertThat(site.get("/queues", "Authorization", "Bearer " + TOKEN).statusCode())
                .isEqualTo(200);
        assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(25));
    }

    /** Sends requests without their end, as if the rest were in transit, and more of them than the server's capacity. */
    @Test
    void incompleteRequestsBlockNothing() throws Exception {
        for (String beginning :
                List.of("GET /que", "POST /login HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nx")) {
            for (int i = 0; i < 300; i++) {
                send(beginning);
                if (i == 80) {
                    allIsAnswered();
                }
            }
            allIsAnswered();
        }
    }

    /** The server answers although no byte of the body was sent. */
    @Test
    void largeBodiesOfUnauthenticatedCallersAreNotRead() throws Exception {
        List<Socket> large = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            large.add(send("POST /login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded"
                    + "\r\nContent-Length: " + LARGE + "\r\n\r\n"));
        }
        for (Socket socket : large) {
            assertThat(firstLine(socket)).startsWith("HTTP/1.1 413 ");
        }
        assertThat(firstLine(send("POST /login HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
                        + Integer.toHexString(LARGE) + "\r\n")))
                .startsWith("HTTP/1.1 413 ");
        for (String body : List.of("Content-Length: " + LARGE, "Transfer-Encoding: chunked")) {
            assertThat(firstLine(send("POST /api/jobs HTTP/1.1\r\nHost: localhost\r\n" + body + "\r\n\r\n")))
                    .as(body)
                    .startsWith("HTTP/1.1 401 ");
            assertThat(firstLine(send("POST /api/jobs HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer "
                            + TOKEN.replace('a', 'b') + "\r\n" + body + "\r\n\r\n")))
                    .as(body)
                    .startsWith("HTTP/1.1 401 ");
        }
        allIsAnswered();
    }

    @Test
    void smallLoginsAreRead() {
        assertThat(site.submit("/login", "/login", Map.of("token", TOKEN)).statusCode())
                .isEqualTo(303);
        assertThat(site.submit("/login", "/login", Map.of("token", "x".repeat(4_000)))
                        .statusCode())
                .isEqualTo(403);
        assertThat(site.submit("/login", "/login", Map.of("token", "x".repeat(5_000)))
                        .statusCode())
                .isEqualTo(413);
    }

    /** A proxy could read one request where the server reads two. */
    @Test
    void ambiguousRequestsAreRefused() throws Exception {
        String to = " /live HTTP/1.1\r\nHost: localhost\r\n";
        for (String request : List.of(
                "POST" + to + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n",
                "POST" + to + "Content-Length: 5\r\nContent-Length: 6\r\n\r\n",
                "POST" + to + "Transfer-Encoding: identity, chunked\r\n\r\n",
                "GET" + to + "Content-Length : 5\r\n\r\n",
                "GET" + to + " folded: x\r\n\r\n",
                "GET" + to + "Content-Length: +5\r\n\r\n",
                "GET" + to + "Host: other\r\n\r\n",
                "GET /live\r\n\r\n",
                "GET  /live HTTP/1.1\r\n\r\n",
                "GET live HTTP/1.1\r\n\r\n",
                "PRI * HTTP/2.0\r\n\r\n")) {
            assertThat(firstLine(send(request))).as(request).startsWith("HTTP/1.1 400 ");
        }
        assertThat(firstLine(send("GET" + to + "X: " + "x".repeat(40_000) + "\r\n\r\n")))
                .startsWith("HTTP/1.1 431 ");
        assertThat(firstLine(send("GET http://localhost/live HTTP/1.1\r\nHost: localhost\r\n\r\n")))
                .startsWith("HTTP/1.1 200 ");
    }
}

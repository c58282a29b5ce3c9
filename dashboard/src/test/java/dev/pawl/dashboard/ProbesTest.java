package dev.pawl.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.servers.Delay;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Probes are answered soon, with the current state. */
class ProbesTest {
    private static final int MANY = 18;

    private static Duration taken(long since) {
        return Duration.ofNanos(System.nanoTime() - since);
    }

    @Test
    void readinessFailsSoonWhileTheDatabaseHangs() throws Exception {
        try (Site site = Site.onSqlite(options -> options)) {
            assertThat(site.get("/ready").statusCode()).isEqualTo(200);
            site.gate().close();
            Delay.quiet(1_100); // a result is valid for a second
            long before = System.nanoTime();
            assertThat(site.get("/ready").statusCode()).isEqualTo(503);
            assertThat(taken(before)).isLessThan(Duration.ofSeconds(8));
            // No probe queues behind the hanging check.
            before = System.nanoTime();
            for (int i = 0; i < MANY; i++) {
                assertThat(site.get("/ready").statusCode()).isEqualTo(503);
            }
            assertThat(taken(before))
                    // probes that waited for their own check would take two seconds each
                    .isLessThan(Duration.ofSeconds(MANY));
            site.gate().open();
            org.awaitility.Awaitility.await()
                    .atMost(Site.SOON)
                    .until(() -> site.get("/ready").statusCode() == 200);
        }
    }

    @Test
    void hangingPagesDoNotBlockProbes() throws Exception {
        try (Site site = Site.onSqlite(options -> options)) {
            site.gate().close();
            List<Socket> hanging = new ArrayList<>();
            for (int i = 0; i < MANY; i++) {
                hanging.add(asked(site, "/jobs/1"));
            }
            long before = System.nanoTime();
            assertThat(site.get("/live").statusCode()).isEqualTo(200);
            assertThat(taken(before)).isLessThan(Duration.ofSeconds(8));
            site.gate().open();
            for (Socket socket : hanging) {
                socket.close();
            }
        }
    }

    /** A client that requests much and reads nothing. */
    @Test
    void slowReadersDoNotBlockOthers() throws Exception {
        try (Site site = Site.onSqlite(options -> options.payloads(job -> "x".repeat(3 << 20)))) {
            long job = site.queue()
                    .enqueue(new dev.pawl.api.JobRequest("big", "{}", dev.pawl.api.EnqueueOptions.DEFAULTS))
                    .jobId();
            List<Socket> slow = new ArrayList<>();
            for (int i = 0; i < MANY; i++) {
                slow.add(asked(site, "/jobs/" + job + "/payload"));
            }
            for (Socket socket : slow) {
                assertThat(socket.getInputStream().read()).isEqualTo('H'); // its response has begun
            }
            long before = System.nanoTime();
            assertThat(site.get("/live").statusCode()).isEqualTo(200);
            assertThat(taken(before)).isLessThan(Duration.ofSeconds(8));
            for (Socket socket : slow) {
                socket.close();
            }
        }
    }

    private static Socket asked(Site site, String path) throws IOException {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(4_096);
        socket.setSoTimeout(60_000);
        socket.connect(new InetSocketAddress("localhost", site.port()));
        socket.getOutputStream()
                .write(("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
        socket.getOutputStream().flush();
        return socket;
    }
}

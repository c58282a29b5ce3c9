package dev.pawl.dashboard.internal.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpServer;
import dev.pawl.dashboard.alert.Alert;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class WebhookTest {
    private static final Alert ALERT = new Alert(
            "1-a", false, "discarded=5", "queue mail", "5 of \"6\" jobs\n<b>", Instant.parse("2026-11-23T08:00:00Z"));

    @Test
    void alertsArePostedAndSigned() throws Exception {
        AtomicReference<String> body = new AtomicReference<>("");
        AtomicReference<String> signature = new AtomicReference<>("");
        AtomicInteger status = new AtomicInteger(204);
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            body.set(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            signature.set(exchange.getRequestHeaders().getFirst("Pawl-Signature"));
            exchange.getResponseHeaders().set("Location", "/elsewhere");
            exchange.sendResponseHeaders(status.get(), -1);
            exchange.close();
        });
        server.start();
        try {
            URI address = URI.create("http://localhost:" + server.getAddress().getPort() + "/hook");
            String secret = "a-secret-of-both-sides";
            Clock clock = Clock.fixed(Instant.ofEpochSecond(1_800_000_000), ZoneOffset.UTC);
            Webhook webhook = new Webhook(address, secret, clock);
            webhook.deliver(ALERT);
            assertThat(body.get())
                    .isEqualTo(
                            "{\"id\":\"1-a\",\"event\":\"started\",\"rule\":\"discarded=5\",\"subject\":\"queue mail\","
                                    + "\"text\":\"5 of \\\"6\\\" jobs\\n\\u003cb\\u003e\",\"since\":\"2026-11-23T08:00:00Z\"}");
            assertThat(signature.get())
                    .isEqualTo("t=1800000000,v1="
                            + Webhook.signature(secret, 1_800_000_000, Objects.requireNonNull(body.get())));
            assertThat(Webhook.signature("key", 1, "b")).hasSize(64).isNotEqualTo(Webhook.signature("key", 2, "b"));
            for (int refused : new int[] {302, 404, 500}) {
                status.set(refused);
                assertThatThrownBy(() -> webhook.deliver(ALERT))
                        .isInstanceOf(IOException.class)
                        .hasMessageContaining(Integer.toString(refused));
            }
        } finally {
            server.stop(0);
        }
    }

    @Test
    void passwordsOfTheAddressAreSentOverHttp11() throws Exception {
        AtomicReference<Headers> headers = new AtomicReference<>(new Headers());
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            headers.set(exchange.getRequestHeaders());
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        server.start();
        try {
            String address = "localhost:" + server.getAddress().getPort() + "/hook";
            new Webhook(URI.create("http://ada:a%20b@" + address), null, Clock.systemUTC()).deliver(ALERT);
            Headers sent = Objects.requireNonNull(headers.get());
            assertThat(sent.getFirst("Authorization")).isEqualTo("Basic YWRhOmEgYg==");
            assertThat(sent).doesNotContainKey("Upgrade");
            new Webhook(URI.create("http://" + address), null, Clock.systemUTC()).deliver(ALERT);
            assertThat(headers.get()).doesNotContainKey("Authorization");
        } finally {
            server.stop(0);
        }
    }

    @Test
    void neverEndingAnswersTimeOut() throws Exception {
        CountDownLatch ended = new CountDownLatch(1);
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().write('a');
            exchange.getResponseBody().flush();
            try {
                ended.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        server.start();
        try {
            URI address = URI.create("http://localhost:" + server.getAddress().getPort() + "/hook");
            Webhook webhook = new Webhook(address, null, Clock.systemUTC(), Duration.ofSeconds(1));
            assertThatThrownBy(() -> webhook.deliver(ALERT))
                    .isInstanceOf(IOException.class)
                    .hasMessage("the webhook has not answered within 1 s");
        } finally {
            ended.countDown();
            server.stop(0);
        }
    }
}

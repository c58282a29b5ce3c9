package dev.pawl.dashboard.internal.watch;

import dev.pawl.dashboard.alert.Alert;
import dev.pawl.dashboard.alert.AlertListener;
import dev.pawl.dashboard.internal.json.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Clock;
import java.time.Duration;
import java.util.Base64;
import java.util.HexFormat;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/** Posts alerts to an address, signed if there is a secret. Follows no redirects and ignores the answer's body. */
public final class Webhook implements AlertListener {
    private static final Duration LONGEST = Duration.ofSeconds(10);
    private static final String ALGORITHM = "HmacSHA256";

    private final URI address;
    private final @Nullable String secret;
    private final Clock clock;
    private final Duration longest;
    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1) // some receivers fail on an HTTP/2 upgrade header
            .connectTimeout(LONGEST)
            .followRedirects(HttpClient.Redirect.NEVER)
            .build();

    /**
     * @param address to post to; {@code user:password@} before the host is sent with HTTP's Basic scheme
     * @param secret to sign with; null for none
     * @param clock for the signature
     */
    public Webhook(URI address, @Nullable String secret, Clock clock) {
        this(address, secret, clock, LONGEST);
    }

    /** @param longest maximum wait for the whole answer */
    Webhook(URI address, @Nullable String secret, Clock clock, Duration longest) {
        this.address = address;
        this.secret = secret;
        this.clock = clock;
        this.longest = longest;
    }

    @Override
    public void deliver(Alert alert) throws IOException, InterruptedException {
        String body = Json.write(Json.object(
                "id", alert.id(),
                "event", alert.isOver() ? "resolved" : "started",
                "rule", alert.rule(),
                "subject", alert.subject(),
                "text", alert.text(),
                "since", alert.since()));
        HttpRequest.Builder request = HttpRequest.newBuilder(address)
                .timeout(LONGEST)
                .header("Content-Type", "application/json")
                .header("User-Agent", "pawl")
                .POST(HttpRequest.BodyPublishers.ofString(body));
        if (address.getUserInfo() != null) {
            byte[] password = address.getUserInfo().getBytes(StandardCharsets.UTF_8);
            request.header("Authorization", "Basic " + Base64.getEncoder().encodeToString(password));
        }
        if (secret != null) {
            long seconds = clock.instant().getEpochSecond();
            request.header("Pawl-Signature", "t=" + seconds + ",v1=" + signature(secret, seconds, body));
        }
        int status = status(request.build());
        if (status / 100 != 2) {
            throw new IOException("the webhook answers " + status);
        }
    }

    /** The request's own timeout ends when the headers arrive. The timeout here also covers a body that never ends. */
    private int status(HttpRequest request) throws IOException, InterruptedException {
        CompletableFuture<HttpResponse<Void>> answer =
                client.sendAsync(request, HttpResponse.BodyHandlers.discarding());
        try {
            return answer.get(longest.toMillis(), TimeUnit.MILLISECONDS).statusCode();
        } catch (TimeoutException e) {
            throw new IOException("the webhook has not answered within " + longest.toSeconds() + " s", e);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException cause ? cause : new IOException("cannot call the webhook", e);
        } finally {
            boolean unused = answer.cancel(true);
        }
    }

    static String signature(String secret, long seconds, String body) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), ALGORITHM));
            return HexFormat.of().formatHex(mac.doFinal((seconds + "." + body).getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java has no " + ALGORITHM, e);
        }
    }
}

package dev.pawl.dashboard.alert;

import dev.pawl.JobQueue;
import dev.pawl.dashboard.internal.watch.AlertRounds;
import dev.pawl.dashboard.internal.watch.Webhook;
import java.net.URI;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Configures {@link Alerts}, which {@link #start} creates. Confined to one thread. */
public final class AlertsBuilder {
    private static final int SHORTEST_SECRET = 16;
    private static final int MAX_PORT = 65_535;

    private final JobQueue queue;
    private final List<AlertRule> rules = new ArrayList<>();
    private final List<QuietTime> quiet = new ArrayList<>();
    private @Nullable AlertListener listener;

    AlertsBuilder(JobQueue queue) {
        this.queue = Objects.requireNonNull(queue, "queue");
    }

    /**
     * @param rule to add
     * @return this
     */
    public AlertsBuilder rule(AlertRule rule) {
        rules.add(Objects.requireNonNull(rule));
        return this;
    }

    /**
     * @param rule to add, as {@link AlertRule#parse} reads it
     * @return this
     * @throws IllegalArgumentException if it is malformed
     */
    public AlertsBuilder rule(String rule) {
        return rule(AlertRule.parse(rule));
    }

    /**
     * @param time in which no alert is delivered; may be called several times. Default: none
     * @return this
     */
    public AlertsBuilder quiet(QuietTime time) {
        quiet.add(Objects.requireNonNull(time));
        return this;
    }

    /**
     * Posts each alert as JSON. If the answer is not 2xx, or takes longer than ten seconds, it is posted again, see {@link
     * AlertListener#deliver}. With a secret, the header {@code Pawl-Signature} is {@code t=SECONDS,v1=HEX}: the HMAC-SHA256 of the secret
     * over the seconds since 1970, a dot and the body.
     *
     * @param address http or https; {@code user:password@} before the host is sent as credentials
     * @param secret at least 16 characters; null for no signature
     * @return this
     * @throws IllegalArgumentException if the address or the secret is not valid
     */
    public AlertsBuilder webhook(URI address, @Nullable String secret) {
        boolean isHttp = "https".equalsIgnoreCase(address.getScheme()) || "http".equalsIgnoreCase(address.getScheme());
        if (!isHttp || address.getHost() == null || address.getPort() > MAX_PORT) {
            throw new IllegalArgumentException(
                    "the address of the webhook is not valid: write it like https://host/path");
        }
        if (secret != null && secret.length() < SHORTEST_SECRET) {
            throw new IllegalArgumentException(
                    "the secret of the webhook is too short: use at least " + SHORTEST_SECRET + " characters");
        }
        return listener(new Webhook(address, secret, Clock.systemUTC()));
    }

    /**
     * @param receiver called for each alert, instead of a webhook
     * @return this
     */
    public AlertsBuilder listener(AlertListener receiver) {
        this.listener = Objects.requireNonNull(receiver);
        return this;
    }

    /**
     * Starts watching.
     *
     * @return the running alerts, to be closed
     * @throws IllegalArgumentException if there is no rule or no receiver
     */
    public Alerts start() {
        if (rules.isEmpty() || listener == null) {
            throw new IllegalArgumentException("alerts need a rule and a receiver: a webhook or a listener");
        }
        return new Alerts(new AlertRounds(queue, rules, quiet, listener, Clock.systemUTC()));
    }
}

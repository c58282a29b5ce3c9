package dev.pawl.dashboard.alert;

import dev.pawl.InvalidJobException;
import dev.pawl.JobQueue;
import dev.pawl.dashboard.internal.watch.AlertRounds;
import dev.pawl.dashboard.internal.watch.Webhook;
import java.net.URI;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Options of {@link Alerts}. Confined to one thread; {@link #start} makes them. */
public final class AlertsBuilder {
    private static final int SHORTEST_SECRET = 16;
    private static final int MOST_PORT = 65_535;

    private final JobQueue queue;
    private final List<AlertRule> rules = new ArrayList<>();
    private final List<QuietTime> quiet = new ArrayList<>();
    private @Nullable AlertListener listener;

    AlertsBuilder(JobQueue queue) {
        this.queue = Objects.requireNonNull(queue, "queue");
    }

    /**
     * @param rule what to look for; several may be given
     * @return this
     */
    public AlertsBuilder rule(AlertRule rule) {
        rules.add(Objects.requireNonNull(rule));
        return this;
    }

    /**
     * @param rule what to look for, as {@link AlertRule#parse} reads it
     * @return this
     * @throws InvalidJobException if it is none
     */
    public AlertsBuilder rule(String rule) {
        return rule(AlertRule.parse(rule));
    }

    /**
     * @param time in which nobody is told anything; several may be given. Default: none
     * @return this
     */
    public AlertsBuilder quiet(QuietTime time) {
        quiet.add(Objects.requireNonNull(time));
        return this;
    }

    /**
     * Posts each alert as JSON, within ten seconds. Whatever does not answer 2xx is tried again. With a secret, the header
     * {@code Pawl-Signature} is {@code t=SECONDS,v1=HEX}: the HMAC-SHA256 of the secret over the seconds since 1970, a dot and the body.
     *
     * @param address of http or https; with {@code user:password@} before the host, they are sent as well
     * @param secret at least 16 characters; null for no signature
     * @return this
     * @throws InvalidJobException if the address or the secret is not valid
     */
    public AlertsBuilder webhook(URI address, @Nullable String secret) {
        boolean isHttp = "https".equalsIgnoreCase(address.getScheme()) || "http".equalsIgnoreCase(address.getScheme());
        if (!isHttp || address.getHost() == null || address.getPort() > MOST_PORT) {
            throw new InvalidJobException("the address of the webhook is not valid: write it like https://host/path");
        }
        if (secret != null && secret.length() < SHORTEST_SECRET) {
            throw new InvalidJobException(
                    "the secret of the webhook is too short: use at least " + SHORTEST_SECRET + " characters");
        }
        return listener(new Webhook(address, secret, Clock.systemUTC()));
    }

    /**
     * @param told of each alert, in place of a webhook
     * @return this
     */
    public AlertsBuilder listener(AlertListener told) {
        this.listener = Objects.requireNonNull(told);
        return this;
    }

    /**
     * Begins to watch.
     *
     * @return what to close in the end
     * @throws InvalidJobException if there is no rule, or nobody to tell
     */
    public Alerts start() {
        if (rules.isEmpty() || listener == null) {
            throw new InvalidJobException("alerts need a rule and somebody to tell: a webhook or a listener");
        }
        return new Alerts(new AlertRounds(queue, rules, quiet, listener, Clock.systemUTC()));
    }
}

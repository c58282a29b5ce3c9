package dev.pawl.dashboard;

import dev.pawl.InvalidJobException;
import dev.pawl.Job;
import dev.pawl.JobQueue;
import dev.pawl.dashboard.internal.look.Payloads;
import dev.pawl.dashboard.internal.page.Links;
import dev.pawl.dashboard.internal.web.Access;
import dev.pawl.dashboard.internal.web.Proxies;
import java.time.Clock;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Options of a {@link Dashboard}. Confined to one thread; {@link #build} makes it. */
public final class DashboardBuilder {
    private static final int SHORTEST_SECRET = 16;

    private final JobQueue queue;
    private final Map<Role, String> tokens = new EnumMap<>(Role.class);
    private final Set<String> hosts = new HashSet<>();
    private @Nullable String secret;
    private boolean readOnly;
    private boolean samples = true;
    private final List<String> links = new ArrayList<>();
    private Proxies proxies = Proxies.of(List.of());
    private @Nullable Function<Job, String> payloads;

    DashboardBuilder(JobQueue queue) {
        this.queue = Objects.requireNonNull(queue, "queue");
    }

    /**
     * Lets in who has this token: at the page {@code /login}, or by the header {@code Authorization: Bearer TOKEN}. Each role
     * may have one.
     *
     * @param role what the token allows
     * @param token at least 16 characters, better 32 random ones. Default: none, and then anybody on this machine is let in
     * @return this
     * @throws InvalidJobException if it is too short, or the other role has the same
     */
    public DashboardBuilder token(Role role, String token) {
        requireLong("token", token);
        tokens.put(role, token);
        if (Set.copyOf(tokens.values()).size() < tokens.size()) {
            throw new InvalidJobException("the two roles have the same token: give each its own");
        }
        return this;
    }

    private static void requireLong(String what, String secret) {
        if (secret.length() < SHORTEST_SECRET || secret.chars().anyMatch(c -> c <= ' ' || c > '~')) {
            throw new InvalidJobException("the " + what + " is not valid: use at least " + SHORTEST_SECRET
                    + " letters, digits and symbols, without spaces");
        }
    }

    /**
     * What the processes of one dashboard share when several of them serve the same address, so that a form of one may be sent
     * to another, and who has logged in at one is known to all; also after a restart. From it and the tokens the key is derived
     * that seals forms and sessions, slowly (PBKDF2), so that nobody can find out tokens from what is sealed.
     *
     * @param shared at least 16 characters, better 32 random ones. Default: a random key in each process
     * @return this
     * @throws InvalidJobException if it is too short
     */
    public DashboardBuilder secret(String shared) {
        requireLong("secret", shared);
        this.secret = shared;
        return this;
    }

    /**
     * Whether nobody may change anything, whatever their role.
     *
     * @param isReadOnly default false
     * @return this
     */
    public DashboardBuilder readOnly(boolean isReadOnly) {
        this.readOnly = isReadOnly;
        return this;
    }

    /**
     * The names by which browsers reach the dashboard, without port, such as {@code pawl.example.com}: needed behind a proxy
     * that changes the header Host. If there are any, requests by other names are refused, but for {@code localhost};
     * and a {@link DashboardServer} demands a token.
     *
     * @param names of hosts. Default: none; then without a token only {@code localhost} and addresses of this machine are
     *     allowed, and with one any name is
     * @return this
     */
    public DashboardBuilder hosts(String... names) {
        for (String name : names) {
            hosts.add(name.strip().toLowerCase(Locale.ROOT));
        }
        return this;
    }

    /**
     * Adds a link to the page of each job, to its logs or its trace: {@code Logs=https://logs.example.com/?q={id}}. In place of {@code
     * {id}}, {@code {kind}}, {@code {queue}}, {@code {traceparent}} (the id of the trace) and {@code {header:NAME}} the job's are put,
     * encoded. A link that needs a header is left out where a job has none.
     *
     * @param template name and address, of http or https; ten at most
     * @return this
     * @throws InvalidJobException if it is malformed
     */
    public DashboardBuilder link(String template) {
        links.add(template);
        Links unused = new Links(links); // checks it
        return this;
    }

    /**
     * Whether to sample the queues every ten seconds, unless another process does, for charts and forecasts: a row each time, a few
     * thousand at most. {@link Dashboard#close} ends it.
     *
     * @param isSampling default true; with false, charts show what other processes sample
     * @return this
     */
    public DashboardBuilder samples(boolean isSampling) {
        this.samples = isSampling;
        return this;
    }

    /**
     * Proxies before a {@link DashboardServer} whose header {@code X-Forwarded-Proto} is believed: what they have got by HTTPS sets
     * cookies that browsers send by HTTPS only. In a servlet container, the container knows.
     *
     * @param addresses of IP, such as {@code 127.0.0.1} or {@code 10.0.0.7}. Default: none
     * @return this
     * @throws InvalidJobException if one is no address
     */
    public DashboardBuilder proxies(String... addresses) {
        this.proxies = Proxies.of(List.of(addresses));
        return this;
    }

    /**
     * Hides parts of payloads. Whoever looks then sees what the function returns, also in the API, and can neither search in
     * payloads nor change them. Errors, log lines, headers, keys and tags are shown as they are.
     *
     * @param view what to show for a job; called by any thread. Default: the payload
     * @return this
     */
    public DashboardBuilder payloads(Function<Job, String> view) {
        this.payloads = Objects.requireNonNull(view);
        return this;
    }

    /** {@return the dashboard} */
    public Dashboard build() {
        Access access = new Access(tokens, secret, readOnly, Clock.systemUTC());
        return new Dashboard(queue, access, hosts, proxies, new Payloads(payloads), new Links(links), samples);
    }
}

package dev.pawl.dashboard;

import dev.pawl.JobQueue;
import dev.pawl.api.Job;
import dev.pawl.dashboard.internal.page.Links;
import dev.pawl.dashboard.internal.snapshot.Payloads;
import dev.pawl.dashboard.internal.web.Access;
import dev.pawl.dashboard.internal.web.Databases;
import dev.pawl.dashboard.internal.web.Proxies;
import java.time.Clock;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Configures a {@link Dashboard}, which {@link #build} creates. Confined to one thread. */
public final class DashboardBuilder {
    private static final int SHORTEST_SECRET = 16;
    private static final String NAME = "[A-Za-z0-9][A-Za-z0-9._-]{0,39}";

    private final JobQueue queue;
    private final Map<String, JobQueue> others = new LinkedHashMap<>();
    private @Nullable JobQueue replica;
    private String name = "main";
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
     * The name under which pages show the queue of {@link Dashboard#on} beside those of {@link #database}.
     *
     * @param shown 1 to 40 letters, digits, and {@code . _ -}. Default: {@code main}
     * @return this
     * @throws IllegalArgumentException if it is malformed or taken
     */
    public DashboardBuilder name(String shown) {
        requireName(shown, others.containsKey(shown));
        this.name = shown;
        return this;
    }

    /**
     * Adds a queue in another database, with pages and an API of its own below {@code /databases/NAME}. The header of each page offers all
     * databases. The queue has its own capacity and samples. Tokens, sessions, roles and all other settings are those of the whole
     * dashboard.
     *
     * @param shown its name: 1 to 40 letters, digits, and {@code . _ -}
     * @param other to show; it stays open
     * @return this
     * @throws IllegalArgumentException if the name is malformed or taken
     */
    public DashboardBuilder database(String shown, JobQueue other) {
        requireName(shown, shown.equals(name) || others.containsKey(shown));
        others.put(shown, Objects.requireNonNull(other, "other"));
        return this;
    }

    /**
     * Reads the pages and the API of the queue of {@link Dashboard#on} from a replica. These reads cost the primary almost nothing: no more
     * than once a second, its list of workers is read to measure the lag of the replica. Changes, samples and health checks use the
     * primary, so a page does not show a change until the replica has it. Pages say so when the replica is more than half a minute behind,
     * and fail while it cannot be reached.
     *
     * @param newReplica of the same tables, see {@link dev.pawl.JobQueueBuilder#readOnly}; it stays open. Default: none
     * @return this
     * @throws IllegalArgumentException if it is not read-only
     */
    public DashboardBuilder readsFrom(JobQueue newReplica) {
        if (!newReplica.isReadOnly()) {
            throw new IllegalArgumentException(
                    "a dashboard reads from a queue that only reads: open the replica with readOnly(true)");
        }
        this.replica = newReplica;
        return this;
    }

    private static void requireName(String shown, boolean isTaken) {
        if (!shown.matches(NAME)) {
            throw new IllegalArgumentException(
                    "the database name '" + shown + "' is not valid: use 1 to 40 letters, digits and . _ -");
        }
        if (isTaken) {
            throw new IllegalArgumentException("two databases have the name '" + shown + "'");
        }
    }

    /**
     * Admits callers with this token: on the page {@code /login}, or with the header {@code Authorization: Bearer TOKEN}. Each role may
     * have one.
     *
     * @param role that the token grants
     * @param token at least 16 letters, digits and symbols of ASCII, without spaces, preferably 32 random ones. Default: none, and then
     *     every caller on this machine is admitted
     * @return this
     * @throws IllegalArgumentException if the token is too short, has other characters, or is also the token of the other role
     */
    public DashboardBuilder token(Role role, String token) {
        requireLong("token", token);
        tokens.put(role, token);
        if (Set.copyOf(tokens.values()).size() < tokens.size()) {
            throw new IllegalArgumentException("the two roles have the same token: give each its own");
        }
        return this;
    }

    private static void requireLong(String what, String secret) {
        if (secret.length() < SHORTEST_SECRET || secret.chars().anyMatch(c -> c <= ' ' || c > '~')) {
            throw new IllegalArgumentException("the " + what + " is not valid: use at least " + SHORTEST_SECRET
                    + " letters, digits and symbols, without spaces");
        }
    }

    /**
     * The secret shared by the processes of one dashboard behind one address, so that each accepts the forms and sessions of the others,
     * also after a restart. The key that signs forms and sessions is derived slowly (PBKDF2) from the secret and the tokens, so that
     * signatures do not help to guess tokens.
     *
     * @param shared at least 16 letters, digits and symbols of ASCII, without spaces, preferably 32 random ones. Default: a random key in
     *     each process
     * @return this
     * @throws IllegalArgumentException if it is too short
     */
    public DashboardBuilder secret(String shared) {
        requireLong("secret", shared);
        this.secret = shared;
        return this;
    }

    /**
     * Whether all changes are forbidden, regardless of roles.
     *
     * @param isReadOnly default false
     * @return this
     */
    public DashboardBuilder readOnly(boolean isReadOnly) {
        this.readOnly = isReadOnly;
        return this;
    }

    /**
     * The host names by which browsers reach the dashboard, without port, such as {@code pawl.example.com}. They must be set behind a proxy
     * that changes the header Host. If any are set, requests with names other than these, {@code localhost} and loopback addresses are
     * refused, and a {@link DashboardServer} requires a token.
     *
     * @param names of hosts. Default: none. A dashboard with a token then allows any name, and one without a token allows only {@code
     *     localhost} and loopback addresses
     * @return this
     */
    public DashboardBuilder hosts(String... names) {
        for (String name : names) {
            hosts.add(name.strip().toLowerCase(Locale.ROOT));
        }
        return this;
    }

    /**
     * Adds a link to the page of each job, for example to its logs or its trace: {@code
     * Logs=https://logs.example.com/?q={id}}. The placeholders {@code {id}}, {@code {kind}}, {@code {queue}}, {@code
     * {traceparent}} (the trace id) and {@code {header:NAME}} are replaced by the job's encoded values. A link that
     * needs a header is omitted for jobs without it.
     *
     * @param template name and address, http or https; at most ten
     * @return this
     * @throws IllegalArgumentException if it is malformed
     */
    public DashboardBuilder link(String template) {
        links.add(template);
        Links unused = new Links(links); // validates them
        return this;
    }

    /**
     * Whether to sample the queues every ten seconds for charts and forecasts, unless another process does. Each sample
     * is a row; at most a few thousand are kept. {@link Dashboard#close} stops it.
     *
     * @param isSampling default true; with false, charts show the samples of other processes
     * @return this
     */
    public DashboardBuilder samples(boolean isSampling) {
        this.samples = isSampling;
        return this;
    }

    /**
     * Proxies of a {@link DashboardServer} whose header {@code X-Forwarded-Proto} is trusted: if it says HTTPS, cookies
     * are set for HTTPS only. In a servlet container, the container decides.
     *
     * @param addresses IP addresses, such as {@code 127.0.0.1} or {@code 10.0.0.7}. Default: none
     * @return this
     * @throws IllegalArgumentException if one is not an address
     */
    public DashboardBuilder proxies(String... addresses) {
        this.proxies = Proxies.of(List.of(addresses));
        return this;
    }

    /**
     * Hides parts of payloads. All viewers, and the API, then see the result of the function, and can neither search payloads nor change
     * them. Results of jobs and values of steps are hidden, too. Errors, log lines, headers, keys and tags are shown unchanged.
     *
     * @param view returns the text to show for a job; called by any thread. Default: the payload
     * @return this
     */
    public DashboardBuilder payloads(Function<Job, String> view) {
        this.payloads = Objects.requireNonNull(view);
        return this;
    }

    /** {@return the dashboard} */
    public Dashboard build() {
        Access access = new Access(tokens, secret, readOnly, Clock.systemUTC());
        List<String> names = new ArrayList<>(List.of(name));
        names.addAll(others.keySet());
        List<Dashboard> built = new ArrayList<>();
        others.forEach((shown, other) -> built.add(build(
                new ShownQueue(other, null),
                access,
                new Databases(List.copyOf(names), names.indexOf(shown)),
                List.of())));
        return build(
                new ShownQueue(queue, replica),
                access,
                others.isEmpty() ? Databases.ONE : new Databases(List.copyOf(names), 0),
                built);
    }

    private Dashboard build(ShownQueue shown, Access access, Databases databases, List<Dashboard> beside) {
        return new Dashboard(
                shown, databases, beside, access, hosts, proxies, new Payloads(payloads), new Links(links), samples);
    }
}

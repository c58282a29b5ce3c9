package dev.pawl.manager;

import dev.pawl.HandlerOptions;
import dev.pawl.InvalidJobException;
import dev.pawl.JobQueue;
import dev.pawl.Strategy;
import dev.pawl.Worker;
import dev.pawl.WorkerBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** Workers, kinds and options of a {@link Manager}. Confined to one thread. */
public final class ManagerBuilder {
    private static final long LOOK_SECONDS = 2;

    private final JobQueue queue;
    private final List<URI> workers = new ArrayList<>();
    private final List<WorkerChannel> own = new ArrayList<>();
    private final Map<String, KindOptions> kinds = new LinkedHashMap<>();
    private @Nullable Secret secret;
    private @Nullable InetSocketAddress listen;
    private @Nullable String advertised;
    private @Nullable SSLContext tls;
    private String[] queues = {"default"};
    private Strategy strategy = Strategy.AUTO;
    private int concurrency = 100;
    private Duration heartbeat = Duration.ofSeconds(10);
    private Duration answerTimeout = Duration.ofSeconds(30);
    private Duration lease = Duration.ofSeconds(20);

    ManagerBuilder(JobQueue queue) {
        this.queue = queue;
    }

    /**
     * Has jobs of a kind run.
     *
     * @param kind the kind
     * @param options longest run and probe
     * @return this
     */
    public ManagerBuilder kind(String kind, KindOptions options) {
        kinds.put(kind, options);
        return this;
    }

    /**
     * @param url of a worker that speaks the protocol, such as a {@link WorkerServer}; http or https
     * @return this
     * @throws InvalidJobException if it is not such a URL
     */
    public ManagerBuilder worker(URI url) {
        String scheme = url.getScheme();
        if (url.getHost() == null || !("http".equals(scheme) || "https".equals(scheme)) || url.getUserInfo() != null) {
            throw new InvalidJobException("the worker's URL " + url.getHost()
                    + " is not valid: write it like http://host:8081, without user and password");
        }
        workers.add(URI.create(url.toString().replaceAll("/+$", "")));
        return this;
    }

    /**
     * @param channel to workers of another sort, such as a {@link LocalChannel}
     * @return this
     */
    public ManagerBuilder channel(WorkerChannel channel) {
        own.add(channel);
        return this;
    }

    /**
     * @param shared with the workers
     * @return this
     */
    public ManagerBuilder secret(Secret shared) {
        secret = shared;
        return this;
    }

    /**
     * Lets workers call back, so that long jobs need not keep a connection.
     *
     * @param address to listen on; port 0 takes a free one
     * @param url under which the workers reach it; null: http://localhost and the port
     * @param context for TLS; null for none
     * @return this
     */
    public ManagerBuilder listen(InetSocketAddress address, @Nullable String url, @Nullable SSLContext context) {
        listen = address;
        advertised = url;
        tls = context;
        return this;
    }

    /**
     * @param names of queues, in order of preference. Default: {@code default}
     * @return this
     */
    public ManagerBuilder queues(String... names) {
        queues = names.clone();
        return this;
    }

    /**
     * @param how to claim. Default {@link Strategy#AUTO}
     * @return this
     */
    public ManagerBuilder strategy(Strategy how) {
        strategy = how;
        return this;
    }

    /**
     * @param most jobs that are assigned at once, 1 to 10,000, whatever room the workers have. Default 100
     * @return this
     */
    public ManagerBuilder concurrency(int most) {
        concurrency = most;
        return this;
    }

    /**
     * @param interval in which workers say that they live while they run a job that they answered with 202, 1 s to 1 hour;
     *     three missed ones are a death. Default 10 s
     * @return this
     */
    public ManagerBuilder heartbeat(Duration interval) {
        heartbeat = require("heartbeat", interval);
        return this;
    }

    /**
     * @param longest time that a worker may take to answer, 1 s to 1 hour. Default 30 s
     * @return this
     */
    public ManagerBuilder answerTimeout(Duration longest) {
        answerTimeout = require("answerTimeout", longest);
        return this;
    }

    /**
     * @param duration of the manager's own leases, see {@link WorkerBuilder#lease}: when a manager dies, its jobs run again
     *     after this time. Default 20 s
     * @return this
     */
    public ManagerBuilder lease(Duration duration) {
        lease = duration;
        return this;
    }

    private static Duration require(String what, Duration value) {
        if (value.compareTo(Duration.ofSeconds(1)) < 0 || value.compareTo(Duration.ofHours(1)) > 0) {
            throw new InvalidJobException(what + " " + value + " is not valid: use 1 s to 1 h");
        }
        return value;
    }

    /**
     * Starts to claim and to assign.
     *
     * @return the running manager
     * @throws InvalidJobException if there is no kind or no worker, or no secret for workers elsewhere
     * @throws UncheckedIOException if it cannot listen
     */
    public Manager start() {
        if (kinds.isEmpty() || (workers.isEmpty() && own.isEmpty())) {
            throw new InvalidJobException("a manager needs at least one kind and one worker");
        }
        LiveAssignments assignments = new LiveAssignments();
        HttpEndpoint endpoint = endpoint(assignments);
        List<HttpChannel> remote = new ArrayList<>();
        for (URI url : workers) {
            remote.add(
                    new HttpChannel(url, needSecret(), assignments, callback(endpoint), answerTimeout, this::options));
        }
        List<WorkerChannel> channels = new ArrayList<>(own);
        channels.addAll(remote);
        Dispatcher dispatcher = new Dispatcher(channels, Map.copyOf(kinds)::get, heartbeat);
        ScheduledExecutorService looks = Executors.newScheduledThreadPool(Math.max(1, remote.size()), work -> {
            Thread thread = new Thread(work, "pawl-manager");
            thread.setDaemon(true);
            return thread;
        });
        for (HttpChannel channel : remote) {
            ScheduledFuture<?> unused = looks.scheduleWithFixedDelay(channel::look, 0, LOOK_SECONDS, TimeUnit.SECONDS);
        }
        WorkerBuilder builder = Worker.on(queue)
                .queues(queues)
                .strategy(strategy)
                .concurrency(concurrency)
                .buffer(0)
                .lease(lease);
        kinds.keySet()
                .forEach(kind -> builder.handleEncoded(
                        kind, (payload, run) -> dispatcher.dispatch(run), HandlerOptions.DEFAULTS));
        return new Manager(builder.start(), channels, looks, endpoint);
    }

    private KindOptions options(String kind) {
        return kinds.getOrDefault(kind, KindOptions.DEFAULTS);
    }

    private Secret needSecret() {
        if (secret == null) {
            throw new InvalidJobException("workers elsewhere need a shared secret: call secret(…)");
        }
        return secret;
    }

    private @Nullable HttpEndpoint endpoint(LiveAssignments assignments) {
        if (listen == null) {
            return null;
        }
        try {
            return new HttpEndpoint(listen, tls, needSecret(), assignments::answer);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot listen on " + listen + ": " + e.getMessage(), e);
        }
    }

    private @Nullable String callback(@Nullable HttpEndpoint endpoint) {
        if (endpoint == null) {
            return null;
        }
        return advertised != null
                ? advertised.replaceAll("/+$", "")
                : (tls == null ? "http" : "https") + "://localhost:" + endpoint.port();
    }
}

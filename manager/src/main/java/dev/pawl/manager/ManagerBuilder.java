package dev.pawl.manager;

import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.WorkerBuilder;
import dev.pawl.admin.RemoteWorkerStatus;
import dev.pawl.api.HandlerOptions;
import dev.pawl.api.Prefetch;
import dev.pawl.api.RetryPolicy;
import dev.pawl.api.Strategy;
import dev.pawl.internal.log.Outage;
import dev.pawl.spi.RemoteRuns;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Configures workers, kinds and options of a {@link Manager}. Confined to one thread. */
public final class ManagerBuilder {
    private static final Logger LOG = LoggerFactory.getLogger(ManagerBuilder.class);
    private static final long POLL_SECONDS = 2;
    private static final Duration NOTE = Duration.ofSeconds(5);
    private static final int LONGEST_URL = 200;

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
    private Duration heartbeat = Duration.ofSeconds(5);
    private Duration answerTimeout = Duration.ofSeconds(30);
    private Duration lease = Duration.ofSeconds(20);
    private Duration pollInterval = Duration.ofSeconds(1);
    private Duration grace = Duration.ofSeconds(30);
    private Consumer<RemoteWorkerStatus> onWorker = status -> {};

    ManagerBuilder(JobQueue queue) {
        this.queue = queue;
    }

    /**
     * Runs jobs of a kind.
     *
     * @param kind the kind
     * @param options maximum run time and probe
     * @return this
     */
    public ManagerBuilder kind(String kind, KindOptions options) {
        kinds.put(kind, options);
        return this;
    }

    /**
     * @param url of a worker that speaks the protocol, such as a {@link WorkerServer}; http or https
     * @return this
     * @throws IllegalArgumentException if it is not such a URL, has user or password, is longer than 200 characters, or was added before
     */
    public ManagerBuilder worker(URI url) {
        if (url.toString().length() > LONGEST_URL) {
            throw new IllegalArgumentException("the worker's URL is longer than " + LONGEST_URL + " characters");
        }
        HttpUrl.check("the worker's URL", url);
        URI clean = URI.create(url.toString().replaceAll("/+$", ""));
        if (workers.contains(clean)) {
            throw new IllegalArgumentException(
                    "the worker " + HttpUrl.shown(clean) + " is given twice: name each worker once");
        }
        workers.add(clean);
        return this;
    }

    /**
     * @param channel to another type of worker, such as a {@link LocalChannel}
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
     * Lets workers call back. They do so to ask for permission to begin a run, to renew the run, and to report its outcome. Any manager
     * accepts calls about any job.
     *
     * @param address to listen on; port 0 takes a free one
     * @param url at which the workers reach the manager; null for localhost and the port, with https if TLS is configured
     * @param context for TLS; null for none
     * @return this
     * @throws IllegalArgumentException if workers cannot call this URL
     */
    public ManagerBuilder listen(InetSocketAddress address, @Nullable String url, @Nullable SSLContext context) {
        if (url != null) {
            HttpUrl.check("the URL at which workers call back,", url);
        }
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
     * @param most maximum number of jobs that the manager holds, 1 to 10,000: those that it is offering to a worker, and those that run on
     *     its own threads. Remote runs do not count. Default 100
     * @return this
     */
    public ManagerBuilder concurrency(int most) {
        concurrency = most;
        return this;
    }

    /**
     * @param interval the longest time between two renewals of a run by its worker, 1 s to 1 hour. A worker that fails to renew for three
     *     intervals stops its run; after four, the job is retried. Default 5 s
     * @return this
     * @throws IllegalArgumentException if it is outside the range
     */
    public ManagerBuilder heartbeat(Duration interval) {
        heartbeat = require("heartbeat", interval);
        return this;
    }

    /**
     * @param longest maximum time for a worker to answer when it is given a job, 1 s to 1 hour. Default 30 s
     * @return this
     * @throws IllegalArgumentException if it is outside the range
     */
    public ManagerBuilder answerTimeout(Duration longest) {
        answerTimeout = require("answerTimeout", longest);
        return this;
    }

    /**
     * @param duration of the manager's own leases, see {@link WorkerBuilder#lease}, on jobs that no worker has begun:
     *     when a manager dies, another one assigns them after this time. Default 20 s
     * @return this
     */
    public ManagerBuilder lease(Duration duration) {
        lease = duration;
        return this;
    }

    /**
     * @param duration maximum time between two polls for jobs, see {@link WorkerBuilder#pollInterval}. Default 1 s
     * @return this
     */
    public ManagerBuilder pollInterval(Duration duration) {
        pollInterval = duration;
        return this;
    }

    /**
     * @param duration how long {@link Manager#close} waits for the manager's own threads, see
     *     {@link WorkerBuilder#grace}; remote runs do not need it. Default 30 s
     * @return this
     */
    public ManagerBuilder grace(Duration duration) {
        grace = duration;
        return this;
    }

    /**
     * @param listener called whenever a remote worker becomes usable or unusable, or the reason changes; runs on the manager's own threads
     * @return this
     */
    public ManagerBuilder onWorker(Consumer<RemoteWorkerStatus> listener) {
        onWorker = Objects.requireNonNull(listener);
        return this;
    }

    private static Duration require(String what, Duration value) {
        if (value.compareTo(Duration.ofSeconds(1)) < 0 || value.compareTo(Duration.ofHours(1)) > 0) {
            throw new IllegalArgumentException(what + " " + value + " is not valid: use 1 s to 1 h");
        }
        return value;
    }

    /**
     * Starts claiming and assigning jobs.
     *
     * @return the running manager
     * @throws IllegalArgumentException if there is no kind or no worker; if a name is malformed or an option outside its range; if remote
     *     workers have no secret or no callback address; if the queue only reads; or if the strategy is the transactional one
     * @throws UncheckedIOException if it cannot listen
     */
    public Manager start() {
        if (kinds.isEmpty() || (workers.isEmpty() && own.isEmpty())) {
            throw new IllegalArgumentException("a manager needs at least one kind and one worker");
        }
        Tally tally = new Tally();
        Outage outage = new Outage(LOG);
        List<HttpChannel> remote = new ArrayList<>();
        HttpEndpoint endpoint = workers.isEmpty() ? null : connect(remote, tally, outage);
        List<WorkerChannel> channels = new ArrayList<>(own);
        channels.addAll(remote);
        Dispatcher dispatcher = new Dispatcher(channels, Map.copyOf(kinds)::get);
        long probes = kinds.values().stream()
                .filter(options -> options.probe() != null)
                .count();
        ScheduledExecutorService pollers = pollers(remote.size() + (int) probes + 1);
        ManagerParts parts = new ManagerParts(
                Set.copyOf(kinds.keySet()),
                Set.copyOf(List.of(queues)),
                dispatcher,
                own,
                remote,
                pollers,
                endpoint,
                tally);
        try {
            Worker worker = worker(dispatcher);
            remote.forEach(channel -> every(pollers, Duration.ofSeconds(POLL_SECONDS), channel::poll));
            if (!remote.isEmpty()) {
                every(pollers, NOTE, () -> note(queue, worker, remote));
            }
            kinds.forEach((kind, options) -> {
                if (options.probe() != null) {
                    every(pollers, options.probeInterval(), new Probes(queue, kind, options.probe(), tally, outage));
                }
            });
            return new Manager(worker, queue, parts);
        } catch (RuntimeException e) {
            pollers.shutdownNow();
            parts.close();
            throw e;
        }
    }

    private static void note(JobQueue queue, Worker worker, List<HttpChannel> remote) {
        try {
            queue.unwrap(RemoteRuns.class)
                    .note(worker.id(), remote.stream().map(HttpChannel::status).toList());
        } catch (RuntimeException e) { // a scheduled task that throws would never run again
            if (!Thread.currentThread().isInterrupted()) { // an interrupt means that the manager is being closed
                LOG.warn("{}", e.getMessage());
            }
        }
    }

    private HttpEndpoint connect(List<HttpChannel> remote, Tally tally, Outage outage) {
        Secret shared = secret;
        InetSocketAddress address = listen;
        if (shared == null) {
            throw new IllegalArgumentException("remote workers need a shared secret: call secret(…)");
        }
        if (address == null) {
            throw new IllegalArgumentException("remote workers ask before they begin, and report: call listen(…)");
        }
        Reports reports = new Reports(
                shared,
                queue.unwrap(RemoteRuns.class),
                policies(Map.copyOf(kinds)),
                new LeaseTimes(heartbeat),
                tally,
                name -> remote.stream()
                        .filter(channel -> channel.name().equals(name))
                        .forEach(HttpChannel::ended),
                outage);
        HttpEndpoint endpoint;
        try {
            endpoint = new HttpEndpoint(address, tls, shared, reports::answer);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot listen on " + address + ": " + e.getMessage(), e);
        }
        HttpSettings settings = new HttpSettings(shared, callback(endpoint), reports::realm, heartbeat, answerTimeout);
        for (URI url : workers) {
            Health health = new Health(url.toString(), kinds.keySet(), onWorker);
            remote.add(new HttpChannel(url, settings, queue.unwrap(RemoteRuns.class), health));
        }
        return endpoint;
    }

    private Worker worker(Dispatcher dispatcher) {
        WorkerBuilder builder = Worker.on(queue)
                .queues(queues)
                .strategy(strategy)
                .concurrency(concurrency)
                .prefetch(Prefetch.DEFAULTS.buffer(0))
                .lease(lease)
                .pollInterval(pollInterval)
                .grace(grace);
        return builder.extend(registry -> kinds.forEach((kind, options) -> {
                    RetryPolicy policy = options.retryPolicy();
                    registry.remote(
                            kind,
                            () -> dispatcher.isServed(kind),
                            (payload, run) -> dispatcher.dispatch(run),
                            policy == null ? HandlerOptions.DEFAULTS : HandlerOptions.DEFAULTS.retryPolicy(policy));
                }))
                .start();
    }

    private static Function<String, @Nullable RetryPolicy> policies(Map<String, KindOptions> kinds) {
        return kind -> {
            KindOptions options =
                    kinds.get(kind); // another manager may have assigned a run of a kind that is unknown here
            return options == null ? null : options.retryPolicy();
        };
    }

    /** One thread per task, so that a hanging worker or probe delays no other. */
    private static ScheduledExecutorService pollers(int tasks) {
        return Executors.newScheduledThreadPool(tasks, work -> {
            Thread thread = new Thread(work, "pawl-manager");
            thread.setDaemon(true);
            return thread;
        });
    }

    private static void every(ScheduledExecutorService pollers, Duration interval, Runnable work) {
        ScheduledFuture<?> unused = pollers.scheduleWithFixedDelay(work, 0, interval.toNanos(), TimeUnit.NANOSECONDS);
    }

    private String callback(HttpEndpoint endpoint) {
        return advertised != null
                ? advertised.replaceAll("/+$", "")
                : (tls == null ? "http" : "https") + "://localhost:" + endpoint.port();
    }
}

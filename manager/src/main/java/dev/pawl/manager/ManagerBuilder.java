package dev.pawl.manager;

import dev.pawl.HandlerOptions;
import dev.pawl.InvalidJobException;
import dev.pawl.JobQueue;
import dev.pawl.RetryPolicy;
import dev.pawl.Strategy;
import dev.pawl.Worker;
import dev.pawl.WorkerBuilder;
import dev.pawl.admin.RemoteWorkerStatus;
import dev.pawl.internal.log.Outage;
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

/** Workers, kinds and options of a {@link Manager}. Confined to one thread. */
public final class ManagerBuilder {
    private static final Logger LOG = LoggerFactory.getLogger(ManagerBuilder.class);
    private static final long LOOK_SECONDS = 2;
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
        if (url.toString().length() > LONGEST_URL) {
            throw new InvalidJobException("the worker's URL is longer than " + LONGEST_URL + " characters");
        }
        HttpUrl.check("the worker's URL", url);
        URI clean = URI.create(url.toString().replaceAll("/+$", ""));
        if (workers.contains(clean)) {
            throw new InvalidJobException(
                    "the worker " + HttpUrl.shown(clean) + " is given twice: name each worker once");
        }
        workers.add(clean);
        return this;
    }

    /**
     * @param channel to another sort of worker, such as a {@link LocalChannel}
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
     * Lets workers call back: they ask before they begin, renew, and report. Any manager takes the calls about any job.
     *
     * @param address to listen on; port 0 takes a free one
     * @param url at which the workers reach it; null: localhost and the port, by https if there is TLS
     * @param context for TLS; null for none
     * @return this
     * @throws InvalidJobException if that is not a URL that workers can call
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
     * @param most jobs in the manager's hands at once, 1 to 10,000: being offered to a worker, or run by its own threads.
     *     Runs elsewhere do not count. Default 100
     * @return this
     */
    public ManagerBuilder concurrency(int most) {
        concurrency = most;
        return this;
    }

    /**
     * @param interval in which workers renew what they run, 1 s to 1 hour. A worker that has failed to do so for three
     *     intervals stops its run; after four, the job is tried again. Default 5 s
     * @return this
     * @throws InvalidJobException if it is outside the range
     */
    public ManagerBuilder heartbeat(Duration interval) {
        heartbeat = require("heartbeat", interval);
        return this;
    }

    /**
     * @param longest time that a worker may take to answer when it is given a job, 1 s to 1 hour. Default 30 s
     * @return this
     * @throws InvalidJobException if it is outside the range
     */
    public ManagerBuilder answerTimeout(Duration longest) {
        answerTimeout = require("answerTimeout", longest);
        return this;
    }

    /**
     * @param duration of the manager's own leases, see {@link WorkerBuilder#lease}, on jobs that no worker has begun: when a
     *     manager dies, they are given away by another one after this time. Default 20 s
     * @return this
     */
    public ManagerBuilder lease(Duration duration) {
        lease = duration;
        return this;
    }

    /**
     * @param duration the longest time between two polls for jobs, see {@link WorkerBuilder#pollInterval}. Default 1 s
     * @return this
     */
    public ManagerBuilder pollInterval(Duration duration) {
        pollInterval = duration;
        return this;
    }

    /**
     * @param duration how long {@link Manager#close} lets the manager's own threads go on, see
     *     {@link WorkerBuilder#grace}; runs elsewhere go on without it. Default 30 s
     * @return this
     */
    public ManagerBuilder grace(Duration duration) {
        grace = duration;
        return this;
    }

    /**
     * @param told whenever a worker elsewhere becomes usable or unusable, with the reason; called by the manager's own
     *     threads
     * @return this
     */
    public ManagerBuilder onWorker(Consumer<RemoteWorkerStatus> told) {
        onWorker = Objects.requireNonNull(told);
        return this;
    }

    private static Duration require(String what, Duration value) {
        if (value.compareTo(Duration.ofSeconds(1)) < 0 || value.compareTo(Duration.ofHours(1)) > 0) {
            throw new InvalidJobException(what + " " + value + " is not valid: use 1 s to 1 h");
        }
        return value;
    }

    /**
     * Starts claiming and assigning jobs.
     *
     * @return the running manager
     * @throws InvalidJobException if there is no kind or no worker; if workers elsewhere have no secret or nowhere to
     *     call back; or if the strategy is the transactional one
     * @throws UncheckedIOException if it cannot listen
     */
    public Manager start() {
        if (kinds.isEmpty() || (workers.isEmpty() && own.isEmpty())) {
            throw new InvalidJobException("a manager needs at least one kind and one worker");
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
        ScheduledExecutorService looks = looks(remote.size() + (int) probes + 1);
        ManagerParts parts = new ManagerParts(
                Set.copyOf(kinds.keySet()), Set.of(queues), dispatcher, own, remote, looks, endpoint, tally);
        try {
            Worker worker = worker(dispatcher);
            remote.forEach(channel -> every(looks, Duration.ofSeconds(LOOK_SECONDS), channel::look));
            if (!remote.isEmpty()) {
                every(looks, NOTE, () -> note(queue, worker, remote));
            }
            kinds.forEach((kind, options) -> {
                if (options.probe() != null) {
                    every(looks, options.probeInterval(), new Probes(queue, kind, options.probe(), tally, outage));
                }
            });
            return new Manager(worker, queue, parts);
        } catch (RuntimeException e) {
            looks.shutdownNow();
            parts.close();
            throw e;
        }
    }

    private static void note(JobQueue queue, Worker worker, List<HttpChannel> remote) {
        try {
            queue.runsElsewhere()
                    .note(worker.id(), remote.stream().map(HttpChannel::status).toList());
        } catch (RuntimeException e) { // or it would never run again
            if (!Thread.currentThread().isInterrupted()) { // then the manager is being closed
                LOG.warn("{}", e.getMessage());
            }
        }
    }

    private HttpEndpoint connect(List<HttpChannel> remote, Tally tally, Outage outage) {
        Secret shared = secret;
        InetSocketAddress address = listen;
        if (shared == null) {
            throw new InvalidJobException("remote workers need a shared secret: call secret(…)");
        }
        if (address == null) {
            throw new InvalidJobException("remote workers ask before they begin, and report: call listen(…)");
        }
        Reports reports = new Reports(
                shared,
                queue.runsElsewhere(),
                policies(Map.copyOf(kinds)),
                new Terms(heartbeat),
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
            remote.add(new HttpChannel(url, settings, queue.runsElsewhere(), health));
        }
        return endpoint;
    }

    private Worker worker(Dispatcher dispatcher) {
        WorkerBuilder builder = Worker.on(queue)
                .queues(queues)
                .strategy(strategy)
                .concurrency(concurrency)
                .buffer(0)
                .lease(lease)
                .pollInterval(pollInterval)
                .grace(grace);
        kinds.forEach((kind, options) -> {
            RetryPolicy policy = options.retryPolicy();
            builder.handleElsewhere(
                    kind,
                    () -> dispatcher.isServed(kind),
                    (payload, run) -> dispatcher.dispatch(run),
                    policy == null ? HandlerOptions.DEFAULTS : HandlerOptions.DEFAULTS.retryPolicy(policy));
        });
        return builder.start();
    }

    private static Function<String, @Nullable RetryPolicy> policies(Map<String, KindOptions> kinds) {
        return kind -> {
            KindOptions options = kinds.get(kind); // the run may be of a kind that another manager gives away
            return options == null ? null : options.retryPolicy();
        };
    }

    /** One for each task: a worker or a probe that hangs holds up no other. */
    private static ScheduledExecutorService looks(int tasks) {
        return Executors.newScheduledThreadPool(tasks, work -> {
            Thread thread = new Thread(work, "pawl-manager");
            thread.setDaemon(true);
            return thread;
        });
    }

    private static void every(ScheduledExecutorService looks, Duration interval, Runnable work) {
        ScheduledFuture<?> unused = looks.scheduleWithFixedDelay(work, 0, interval.toNanos(), TimeUnit.NANOSECONDS);
    }

    private String callback(HttpEndpoint endpoint) {
        return advertised != null
                ? advertised.replaceAll("/+$", "")
                : (tls == null ? "http" : "https") + "://localhost:" + endpoint.port();
    }
}

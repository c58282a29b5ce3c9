package dev.pawl.cli;

import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.WorkerBuilder;
import dev.pawl.api.HandlerOptions;
import dev.pawl.api.JobHandler;
import dev.pawl.api.Strategy;
import dev.pawl.api.WorkerStats;
import dev.pawl.manager.WorkerServer;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "work",
        mixinStandardHelpOptions = true,
        description = {
            "Run jobs with commands or HTTP requests until stopped (Ctrl-C).",
            "",
            "exec:COMMAND  a shell command for each job. The payload is on its standard",
            "              input, the rest in PAWL_JOB_ID, PAWL_KIND, PAWL_QUEUE,",
            "              PAWL_ATTEMPT, PAWL_MAX_ATTEMPTS, PAWL_LEASE_TOKEN, its key and",
            "              batch, if it has any, in PAWL_KEY and PAWL_BATCH, and the",
            "              headers as JSON in PAWL_HEADERS.",
            "              Exit 0: completed; 69: what it needs is not available, so no",
            "              attempt is counted and the whole kind waits a minute; other:",
            "              failed, with the end of standard error: tried again while",
            "              attempts are left. 75 (EX_TEMPFAIL) is such a failure, too.",
            "URL           http://… or https://…: POST the payload to it.",
            "              2xx: completed; 429 and 503 with Retry-After: not available,",
            "              so the whole kind waits; other: failed. The headers are JSON",
            "              in Pawl-Headers; traceparent and tracestate go as they are.",
            "              Pawl-Key is its key as a JSON text, Pawl-Batch its batch.",
            "",
            "Where there is setsid, each command runs in a process group of its own: Ctrl-C lets it end within --grace,",
            "and if this program is killed, the command is killed, too.",
            "",
            "Exit codes: 0 stopped or empty; 1 failure; 2 usage error; 3 --within timed out."
        })
final class WorkCommand extends CliCommand {
    private boolean reported;

    @Option(
            names = "--handler",
            required = true,
            paramLabel = "KIND=exec:COMMAND|URL",
            description = "The handler of a kind; may be repeated for other kinds.")
    private List<String> handlers = new ArrayList<>();

    @Option(
            names = "--queues",
            split = ",",
            defaultValue = "default",
            description = "In order of preference; or with * in a name, such as 'mail-*': all that match, with equal"
                    + " priority, including later ones. Default: ${DEFAULT-VALUE}")
    private String[] queues = {"default"};

    @Option(
            names = "--concurrency",
            paramLabel = "N",
            defaultValue = "10",
            description = "Jobs at once, 1 to 10000. Default: ${DEFAULT-VALUE}")
    private int concurrency = 10;

    @Mixin
    private WeightOptions weights = new WeightOptions();

    @Option(
            names = "--lease",
            paramLabel = "DURATION",
            defaultValue = "20s",
            description = "How long a lease lasts, 1s to 1d. Default: ${DEFAULT-VALUE}")
    private String lease = "20s";

    @Option(
            names = "--timeout",
            paramLabel = "DURATION",
            description = "Maximum run time of a job, 1ms to 3650d. Default: none")
    private @Nullable String timeout;

    @Option(
            names = "--grace",
            paramLabel = "DURATION",
            defaultValue = "30s",
            description =
                    "How long running jobs may go on when the worker is stopped, 0s to 1d. Default: ${DEFAULT-VALUE}")
    private String grace = "30s";

    @Option(
            names = "--strategy",
            defaultValue = "auto",
            description = "How jobs are claimed, see 'pawl set strategy --help'. Default: as set for the queue, else"
                    + " lanes")
    private String strategy = "auto";

    @Option(
            names = "--batch",
            paramLabel = "N",
            defaultValue = "1000",
            description = "Most jobs of one claim, 1 to 1000. Default: ${DEFAULT-VALUE}")
    private int batch = 1000;

    @Option(
            names = "--suspend-when-idle",
            paramLabel = "DURATION",
            arity = "0..1",
            fallbackValue = "",
            description =
                    "Send nothing to the database while there is nothing to do, for at most this time: 10s to"
                            + " 30d. Default: it polls. Without a DURATION: 1h, and only on PostgreSQL, where others can wake the worker.")
    private @Nullable String sleep;

    @Option(
            names = "--no-listen",
            description =
                    "Keep no connection open for notifications of new jobs (PostgreSQL): with --suspend-when-idle=DURATION, for"
                            + " databases that pause only without connections.")
    private boolean noListen;

    @Mixin
    private ExitOptions end = new ExitOptions();

    @Option(
            names = "--listen",
            paramLabel = "[HOST:]PORT",
            description =
                    "Be a worker without a database: take jobs from managers ('pawl manage') at this address; without"
                            + " HOST only from this machine, with 0.0.0.0 from everywhere. The shared secret is read from PAWL_SECRET;"
                            + " of the other options only --handler, --header, --concurrency and --tls-keystore"
                            + " count; an outage delays only its job.")
    private @Nullable String listen;

    @Mixin
    private MetricsOptions metrics = new MetricsOptions();

    @Mixin
    private HttpOptions http = new HttpOptions();

    @Option(
            names = "--slot",
            paramLabel = "KIND=SERIES",
            description = {
                "Reserve the next number of a series for each job of a kind; it is used if the job is completed. exec: has it",
                "in PAWL_SLOT, http: in the header Pawl-Slot. May be given again."
            })
    private Map<String, String> slots = new LinkedHashMap<>();

    @Mixin
    private RemoteOptions remote = new RemoteOptions();

    private WorkerBuilder fromQueues(WorkerBuilder worker) {
        return List.of(queues).stream().anyMatch(name -> name.contains("*"))
                ? worker.queuesLike(queues)
                : worker.queues(queues);
    }

    @Mixin
    private CreateOption create = new CreateOption();

    /** With {@code --listen} the worker needs no database, because its managers have the databases. */
    @Override
    boolean needsDatabase() {
        return listen == null;
    }

    @Override
    public Integer call() throws InterruptedException {
        create.applyTo(database());
        end.check();
        Map<String, JobHandler.WithOutcome<String>> byKind = byKind();
        if (listen != null) {
            listen(Addresses.listen("--listen", listen), byKind);
            return 0;
        }
        requireItCanBeWoken();
        HandlerOptions options = timeout == null
                ? HandlerOptions.DEFAULTS
                : HandlerOptions.DEFAULTS.timeout(Texts.duration("--timeout", timeout));
        try (DatabaseOptions.Session session = database().openToWork(6, !noListen);
                MetricsServer shown = metrics.open()) {
            WorkerBuilder builder = fromQueues(Worker.on(session.queue()))
                    .concurrency(concurrency)
                    .virtualThreads(false)
                    .strategy(Strategy.parse(strategy))
                    .prefetch(weights.prefetch().batch(batch))
                    .lease(Texts.duration("--lease", lease))
                    .grace(Texts.duration("--grace", grace));
            suspendWhenIdle(builder);
            weights.applyTo(builder, byKind.keySet());
            builder.extend(registry -> byKind.forEach((kind, handler) -> registry.encoded(
                    kind, withSlot(session.queue(), kind, handler), options.weight(weights.weight(kind)))));
            MetricsOptions.measure(shown, builder);
            return run(builder, session, byKind.keySet(), shown);
        }
    }

    private void suspendWhenIdle(WorkerBuilder builder) {
        if (sleep != null) {
            WorkerBuilder unused = sleep.isEmpty()
                    ? builder.suspendWhenIdle()
                    : builder.suspendWhenIdle(Texts.duration("--suspend-when-idle", sleep, "10s", "30d"));
        }
    }

    /** Reports the error in terms of the options and before anything is created. The library would report it later. */
    private void requireItCanBeWoken() {
        boolean isPostgres = database().url().isPostgres();
        if (sleep != null && sleep.isEmpty() && (noListen || !isPostgres)) {
            throw new UsageException("--suspend-when-idle needs a DURATION "
                    + (isPostgres ? "with --no-listen" : "on this database")
                    + ", because other programs cannot wake the worker: say how long their jobs may wait, such as"
                    + " --suspend-when-idle=5m");
        }
    }

    private void listen(InetSocketAddress address, Map<String, JobHandler.WithOutcome<String>> byKind)
            throws InterruptedException {
        WorkerServer.Builder builder = WorkerServer.with(remote.secret()).capacity(concurrency);
        byKind.forEach(builder::handle);
        SSLContext tls = remote.tls();
        if (tls != null) {
            builder.tls(tls);
        }
        try (WorkerServer server = builder.start(address)) {
            Runtime.getRuntime().addShutdownHook(new Thread(server::close, "pawl-stop")); // releases its jobs
            report(
                    JsonForm.object("host", address.getHostString(), "port", server.port()),
                    "listening on " + address.getHostString() + ", port " + server.port());
            new CountDownLatch(1).await(); // until the process is stopped
        }
    }

    private JobHandler.WithOutcome<String> withSlot(
            JobQueue queue, String kind, JobHandler.WithOutcome<String> handler) {
        String series = slots.get(kind);
        return series == null ? handler : queue.slots().series(series).aroundWithOutcome(handler);
    }

    private Map<String, JobHandler.WithOutcome<String>> byKind() {
        HttpOptions options = http.ready();
        Map<String, JobHandler.WithOutcome<String>> byKind = new LinkedHashMap<>();
        for (String each : handlers) {
            int equals = each.indexOf('=');
            if (equals < 1) {
                throw notValid(each);
            }
            String kind = each.substring(0, equals);
            if (byKind.put(kind, handler(each, each.substring(equals + 1), options)) != null) {
                throw new UsageException("--handler " + Texts.cut(kind) + "=… is given twice: a kind has one handler");
            }
        }
        return byKind;
    }

    private static UsageException notValid(String handler) {
        return new UsageException("--handler " + Texts.cut(handler)
                + " is not valid: write KIND=exec:COMMAND, KIND=http://… or KIND=https://…");
    }

    private static JobHandler.WithOutcome<String> handler(String given, String target, HttpOptions options) {
        if (target.startsWith("exec:") && target.length() > 5) {
            return new ExecHandler(target.substring(5));
        }
        if (target.startsWith("https:")) {
            return new HttpHandler(target, options);
        }
        if (target.startsWith("http:")) { // http: may precede a URL, as exec: precedes a command
            String rest = target.substring(5);
            return new HttpHandler(rest.startsWith("http://") || rest.startsWith("https://") ? rest : target, options);
        }
        throw notValid(given);
    }

    private int run(
            WorkerBuilder builder, DatabaseOptions.Session session, Set<String> kinds, @Nullable MetricsServer shown)
            throws InterruptedException {
        Worker running = builder.start();
        MetricsOptions.measure(shown, running, session.queue());
        say("working on " + session.shownUrl() + " (" + session.queue().describe() + "); queues "
                + String.join(", ", queues) + "; kinds " + String.join(", ", kinds) + "; " + concurrency
                + " at once" + (shown == null ? "" : "; metrics at " + shown.url()) + "; Ctrl-C stops it");
        StopHook hook = StopHook.add(() -> stop(running));
        int exit;
        try (Worker worker = running;
                ProgressBar progress = new ProgressBar(err(), "completed", 0, output().isJson())) {
            exit = end.await(
                    worker::awaitIdle,
                    worker::isAlive,
                    () -> progress.show(worker.stats().completed()),
                    session.queue(),
                    queues,
                    kinds,
                    err());
        } finally {
            hook.remove();
        }
        report(running.stats());
        return running.failure().isPresent() ? 1 : exit;
    }

    /** Called on a signal: the program ends when this returns. */
    private void stop(Worker running) {
        say("stopping; running jobs may go on for " + grace);
        running.close();
        report(running.stats());
    }

    /** Prints to the log's stream, to keep it out of JSON output. */
    private void say(String line) {
        err().println("pawl: " + line);
        err().flush();
    }

    /** Prints only when called first, because on a signal the shutdown hook and the main thread both call it. */
    private synchronized void report(WorkerStats stats) {
        if (reported) {
            return;
        }
        reported = true;
        if (output().isJson()) {
            output().json(out(), stats);
        } else {
            out().printf(
                            Locale.ROOT,
                            "completed %d, failed attempts %d, discarded %d, cancelled %d%n",
                            stats.completed(),
                            stats.failed(),
                            stats.discarded(),
                            stats.cancelled());
        }
        out().flush();
    }
}

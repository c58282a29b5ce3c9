package dev.pawl.cli;

import dev.pawl.HandlerOptions;
import dev.pawl.Strategy;
import dev.pawl.Worker;
import dev.pawl.WorkerBuilder;
import dev.pawl.WorkerStats;
import dev.pawl.manager.WorkerServer;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "work",
        mixinStandardHelpOptions = true,
        description = {
            "Run jobs with commands or HTTP calls until it is stopped (Ctrl-C).",
            "",
            "exec:COMMAND  a shell command for each job; the payload comes on its standard input, the rest in",
            "              PAWL_JOB_ID, PAWL_KIND, PAWL_QUEUE, PAWL_ATTEMPT, PAWL_MAX_ATTEMPTS, PAWL_LEASE_TOKEN.",
            "              Exit 0: completed; 75: try again; other: failed, with the end of standard error kept.",
            "http:URL      POST the payload (write http:https://… for TLS). 2xx: completed; 429 and 503: again",
            "              after Retry-After; other: failed."
        })
final class WorkCommand extends CliCommand {
    @Option(
            names = "--handler",
            required = true,
            paramLabel = "KIND=exec:COMMAND|http:URL",
            description = "What to do with jobs of a kind; may be given again.")
    private Map<String, String> handlers = new LinkedHashMap<>();

    @Option(
            names = "--queues",
            split = ",",
            defaultValue = "default",
            description = "In order of preference. Default: ${DEFAULT-VALUE}")
    private String[] queues = {"default"};

    @Option(names = "--concurrency", defaultValue = "10", description = "Jobs at once. Default: ${DEFAULT-VALUE}")
    private int concurrency = 10;

    @Option(names = "--lease", defaultValue = "20s", description = "Length of leases. Default: ${DEFAULT-VALUE}")
    private String lease = "20s";

    @Option(names = "--timeout", paramLabel = "DURATION", description = "Longest run of a job. Default: none")
    private @Nullable String timeout;

    @Option(
            names = "--grace",
            defaultValue = "30s",
            description = "How long running jobs may go on when it is stopped. Default: ${DEFAULT-VALUE}")
    private String grace = "30s";

    @Option(
            names = "--strategy",
            defaultValue = "auto",
            description = "How jobs are claimed, see 'pawl strategy --help'. Default: as set for the queue, or as suits"
                    + " the database")
    private String strategy = "auto";

    @Option(
            names = "--batch",
            defaultValue = "1000",
            description = "Most jobs of one claim, 1 to 1000. Default: ${DEFAULT-VALUE}")
    private int batch = 1000;

    @Option(names = "--until-empty", description = "End when there is nothing left to run now.")
    private boolean untilEmpty;

    @Option(
            names = "--listen",
            paramLabel = "PORT",
            description = {
                "Be a worker without a database: take jobs from managers ('pawl manage') on this port. The shared secret is",
                "read from PAWL_SECRET; of the other options only --handler and --concurrency count."
            })
    private @Nullable Integer listen;

    @Mixin
    private RemoteOptions remote = new RemoteOptions();

    @Override
    public Integer call() throws InterruptedException {
        if (listen != null) {
            listen(listen);
            return 0;
        }
        HandlerOptions options = timeout == null
                ? HandlerOptions.DEFAULTS
                : HandlerOptions.DEFAULTS.timeout(Texts.duration("--timeout", timeout));
        try (DatabaseOptions.Session session = database().open(6)) {
            WorkerBuilder builder = Worker.on(session.queue())
                    .queues(queues)
                    .concurrency(concurrency)
                    .strategy(Strategy.parse(strategy))
                    .batch(batch)
                    .lease(Texts.duration("--lease", lease))
                    .grace(Texts.duration("--grace", grace));
            handlers.forEach((kind, target) -> builder.handleEncoded(kind, handler(kind, target), options));
            run(builder);
        }
        return 0;
    }

    private void listen(int port) throws InterruptedException {
        if (port < 0 || port > 65_535) {
            throw new UsageException("--listen " + port + " is not valid: use a port, 0 to 65535");
        }
        WorkerServer.Builder builder = WorkerServer.with(remote.secret()).capacity(concurrency);
        handlers.forEach((kind, target) -> builder.handle(kind, handler(kind, target)));
        SSLContext tls = remote.tls();
        if (tls != null) {
            builder.tls(tls);
        }
        try (WorkerServer server = builder.start(new InetSocketAddress(port))) {
            out().println("listening on port " + server.port());
            new CountDownLatch(1).await(); // until the process is stopped
        }
    }

    private static dev.pawl.JobHandler.WithOutcome<String> handler(String kind, String target) {
        if (target.startsWith("exec:") && target.length() > 5) {
            return new ExecHandler(target.substring(5));
        }
        if (target.startsWith("http:")) {
            String rest = target.substring(5);
            return new HttpHandler(rest.startsWith("http://") || rest.startsWith("https://") ? rest : "http:" + rest);
        }
        throw new UsageException("--handler " + kind + "=" + Texts.cut(target)
                + " is not valid: write KIND=exec:COMMAND or KIND=http:URL");
    }

    private void run(WorkerBuilder builder) throws InterruptedException {
        Worker running = builder.start();
        Thread onInterrupt = new Thread(running::close, "pawl-stop");
        Runtime.getRuntime().addShutdownHook(onInterrupt);
        try (Worker worker = running;
                ProgressBar progress = new ProgressBar(err(), "completed", 0, output().isJson())) {
            boolean idle = false;
            while (!(idle && untilEmpty)) {
                idle = untilEmpty ? worker.awaitIdle(Duration.ofMillis(500)) : pause();
                progress.show(worker.stats().completed());
            }
        }
        removeHook(onInterrupt);
        report(running.stats());
    }

    private static boolean pause() throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(500);
        return false;
    }

    private static void removeHook(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException exiting) {
            hook.interrupt();
        }
    }

    private void report(WorkerStats stats) {
        if (output().isJson()) {
            output().json(out(), stats);
        } else {
            out().printf(
                            "completed %d, failed attempts %d, discarded %d, cancelled %d%n",
                            stats.completed(), stats.failed(), stats.discarded(), stats.cancelled());
        }
    }
}

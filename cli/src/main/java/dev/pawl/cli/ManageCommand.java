package dev.pawl.cli;

import dev.pawl.admin.RemoteWorkerStatus;
import dev.pawl.api.Strategy;
import dev.pawl.api.WorkerStats;
import dev.pawl.manager.CompletionProbe;
import dev.pawl.manager.KindOptions;
import dev.pawl.manager.Manager;
import dev.pawl.manager.ManagerBuilder;
import dev.pawl.manager.Secret;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "manage",
        mixinStandardHelpOptions = true,
        description = {
            "Claim jobs and give them to remote workers, until stopped (Ctrl-C). Several managers may run at once.",
            "The shared secret is read from PAWL_SECRET. See docs/guides/remote-workers.md."
        })
final class ManageCommand extends CliCommand {
    @Option(
            names = "--kinds",
            required = true,
            split = ",",
            description = "The kinds of jobs that the workers can run.")
    private String[] kinds = {};

    @Option(
            names = "--worker",
            required = true,
            paramLabel = "URL",
            description = "A worker, such as http://host:8081 ('pawl work --listen 0.0.0.0:8081'); may be repeated.")
    private String[] workers = {};

    @Option(
            names = "--listen",
            paramLabel = "[HOST:]PORT",
            defaultValue = "0",
            description = "Where workers call back. Without HOST: this machine only, or every address if --callback is"
                    + " given. Default: any free port")
    private String listen = "0";

    @Option(
            names = "--callback",
            paramLabel = "URL",
            description =
                    "The URL at which workers reach this manager. Default: http://localhost:PORT, https with --tls-keystore")
    private @Nullable String callback;

    @Option(names = "--queues", split = ",", defaultValue = "default", description = "Default: ${DEFAULT-VALUE}")
    private String[] queues = {"default"};

    @Option(names = "--strategy", defaultValue = "auto", description = "See 'pawl set strategy --help'. Default: auto")
    private String strategy = "auto";

    @Option(
            names = "--concurrency",
            paramLabel = "N",
            defaultValue = "100",
            description =
                    "Jobs offered to workers at once, 1 to 10000; those that run there do not count. Default: ${DEFAULT-VALUE}")
    private int concurrency = 100;

    @Option(
            names = "--lease",
            paramLabel = "DURATION",
            defaultValue = "20s",
            description = "Lease duration of jobs that no worker has started, 1s to 1d. Default: ${DEFAULT-VALUE}")
    private String lease = "20s";

    @Option(
            names = "--max-run-time",
            paramLabel = "DURATION",
            defaultValue = "10m",
            description = "Maximum run time of a job, 1s to 1d. Default: ${DEFAULT-VALUE}")
    private String maxRunTime = "10m";

    @Option(
            names = "--buffer",
            paramLabel = "DURATION",
            defaultValue = "5s",
            description =
                    "How long after --max-run-time a run that has not ended is given up, 0s to 1h. Default: ${DEFAULT-VALUE}")
    private String buffer = "5s";

    @Option(
            names = "--heartbeat",
            paramLabel = "DURATION",
            defaultValue = "5s",
            description = {
                "How often workers renew what they run, 1s to 1h. After three missed ones a worker stops its run, after four",
                "the job is tried again. Default: ${DEFAULT-VALUE}"
            })
    private String heartbeat = "5s";

    @Option(
            names = "--poll-interval",
            paramLabel = "DURATION",
            defaultValue = "1s",
            description = "Longest time between two polls for jobs, 1ms to 1h. Default: ${DEFAULT-VALUE}")
    private String pollInterval = "1s";

    @Option(
            names = "--probe",
            paramLabel = "KIND=file:PATH|row:SELECT",
            description = {
                "How to see that a job is done: a file exists ({id} in its path is the job's id), or a SELECT with one ?",
                "for the id returns a row."
            })
    private Map<String, String> probes = new LinkedHashMap<>();

    @Mixin
    private MetricsOptions metrics = new MetricsOptions();

    @Mixin
    private ExitOptions end = new ExitOptions();

    @Mixin
    private RemoteOptions remote = new RemoteOptions();

    @Mixin
    private CreateOption create = new CreateOption();

    private boolean reported;

    @Override
    public Integer call() throws InterruptedException {
        create.applyTo(database());
        end.check();
        List<URI> urls = Stream.of(workers).map(ManageCommand::uri).toList(); // refused before a file is created
        Secret secret = remote.secret();
        KindOptions options = KindOptions.DEFAULTS
                .maxRunTime(Texts.duration("--max-run-time", maxRunTime))
                .buffer(Texts.duration("--buffer", buffer));
        try (DatabaseOptions.Session session = database().open(8);
                MetricsServer shown = metrics.open()) {
            Manager running = builder(session, urls, secret, options).start();
            MetricsOptions.sample(shown, session.queue());
            err().println("managing; workers call back on port " + running.port()
                    + (shown == null ? "" : "; metrics of the queues at " + shown.url()));
            StopHook hook = StopHook.add(() -> stop(running));
            int exit;
            try (Manager manager = running) {
                exit = end.await(
                        manager::awaitIdle,
                        manager::isAlive,
                        () -> {},
                        session.queue(),
                        queues,
                        new HashSet<>(List.of(kinds)),
                        err());
            } finally {
                hook.remove();
            }
            report(running.stats());
            return running.failure().isPresent() ? 1 : exit;
        }
    }

    /** Called on a signal. */
    private void stop(Manager running) {
        running.close();
        report(running.stats());
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
                            "reported here: completed %d, failed attempts %d, discarded %d, cancelled %d%n",
                            stats.completed(),
                            stats.failed(),
                            stats.discarded(),
                            stats.cancelled());
        }
    }

    /** Prints the state of a worker, because a manager whose workers get no jobs would otherwise wait silently. */
    private void report(RemoteWorkerStatus worker) {
        String problem = worker.problem();
        err().println(
                        problem == null
                                ? "worker " + worker.url() + " is well: " + worker.capacity() + " jobs at once"
                                : "worker " + worker.url() + " gets no jobs: " + problem);
        err().flush();
    }

    private ManagerBuilder builder(
            DatabaseOptions.Session session, List<URI> urls, Secret secret, KindOptions options) {
        ManagerBuilder builder = Manager.on(session.queue())
                .secret(secret)
                .listen(Addresses.listen("--listen", listen, callback != null), callback, remote.tls())
                .queues(queues)
                .strategy(Strategy.parse(strategy))
                .concurrency(concurrency)
                .lease(Texts.duration("--lease", lease))
                .heartbeat(Texts.duration("--heartbeat", heartbeat))
                .pollInterval(Texts.duration("--poll-interval", pollInterval))
                .onWorker(this::report);
        for (String kind : kinds) {
            String probe = probes.get(kind);
            builder.kind(
                    kind, probe == null ? options : options.probe(probe(session.pool(), probe), Duration.ofSeconds(1)));
        }
        urls.forEach(builder::worker);
        return builder;
    }

    private static URI uri(String text) {
        try {
            URI url = new URI(text);
            boolean web = "http".equals(url.getScheme()) || "https".equals(url.getScheme());
            if (!web || url.getRawAuthority() == null) {
                throw new UsageException(
                        "--worker " + Texts.cut(text) + " is not valid: write it like http://host:8081");
            }
            return url;
        } catch (URISyntaxException e) {
            throw new UsageException("--worker " + Texts.cut(text) + " is not a URL: " + e.getReason());
        }
    }

    private static CompletionProbe probe(DataSource pool, String text) {
        if (text.startsWith("file:") && text.length() > 5) {
            return CompletionProbe.file(job -> Path.of(text.substring(5).replace("{id}", Long.toString(job.id()))));
        }
        if (text.startsWith("row:") && text.length() > 4) {
            return CompletionProbe.row(pool, text.substring(4));
        }
        throw new UsageException(
                "--probe " + Texts.cut(text) + " is not valid: write KIND=file:PATH or KIND=row:SELECT");
    }
}

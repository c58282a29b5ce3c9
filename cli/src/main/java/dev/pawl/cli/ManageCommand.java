package dev.pawl.cli;

import dev.pawl.Strategy;
import dev.pawl.WorkerStats;
import dev.pawl.admin.RemoteWorkerStatus;
import dev.pawl.manager.CompletionProbe;
import dev.pawl.manager.KindOptions;
import dev.pawl.manager.Manager;
import dev.pawl.manager.ManagerBuilder;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "manage",
        mixinStandardHelpOptions = true,
        description = {
            "Claim jobs and give them to workers elsewhere, until it is stopped (Ctrl-C). Several managers may run at once.",
            "The shared secret is read from PAWL_SECRET. See docs/managers.md."
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
            description = "A worker, such as http://host:8081 ('pawl work --listen 8081'); may be repeated.")
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
            description = "The URL at which workers reach this manager. Default: http://localhost:PORT")
    private @Nullable String callback;

    @Option(names = "--queues", split = ",", defaultValue = "default", description = "Default: ${DEFAULT-VALUE}")
    private String[] queues = {"default"};

    @Option(names = "--strategy", defaultValue = "auto", description = "See 'pawl strategy --help'. Default: auto")
    private String strategy = "auto";

    @Option(
            names = "--concurrency",
            defaultValue = "100",
            description = "Jobs assigned at once. Default: ${DEFAULT-VALUE}")
    private int concurrency = 100;

    @Option(
            names = "--lease",
            defaultValue = "20s",
            description = "Length of this manager's leases on jobs that no worker has begun. Default: ${DEFAULT-VALUE}")
    private String lease = "20s";

    @Option(
            names = "--max-run-time",
            defaultValue = "10m",
            description = "Longest run of a job. Default: ${DEFAULT-VALUE}")
    private String maxRunTime = "10m";

    @Option(
            names = "--buffer",
            defaultValue = "5s",
            description =
                    "How long after --max-run-time a run that has not ended is given up. Default: ${DEFAULT-VALUE}")
    private String buffer = "5s";

    @Option(
            names = "--heartbeat",
            defaultValue = "5s",
            description = {
                "How often workers renew what they run. After three missed ones a worker stops its run, after four",
                "the job is tried again. Default: ${DEFAULT-VALUE}"
            })
    private String heartbeat = "5s";

    @Option(
            names = "--poll-interval",
            defaultValue = "1s",
            description = "Longest time between two polls for jobs. Default: ${DEFAULT-VALUE}")
    private String pollInterval = "1s";

    @Option(
            names = "--probe",
            paramLabel = "KIND=file:PATH|row:SELECT",
            description = {
                "Tells that a job is done: a file is there ({id} in its path is the job's id), or a SELECT with one ?",
                "for the id returns a row."
            })
    private Map<String, String> probes = new LinkedHashMap<>();

    @Option(
            names = "--until-empty",
            description = "Exit when there is nothing left to run now; jobs that no worker can run are waited for.")
    private boolean untilEmpty;

    @Mixin
    private RemoteOptions remote = new RemoteOptions();

    @Override
    public Integer call() throws InterruptedException {
        try (DatabaseOptions.Session session = database().open(8);
                Manager manager = builder(session).start()) {
            err().println("managing; workers call back on port " + manager.port());
            Thread onInterrupt = new Thread(manager::close, "pawl-stop");
            Runtime.getRuntime().addShutdownHook(onInterrupt);
            boolean idle = false;
            while (!(idle && untilEmpty)) {
                if (untilEmpty) {
                    idle = manager.awaitIdle(Duration.ofMillis(500));
                } else {
                    TimeUnit.MILLISECONDS.sleep(500);
                }
            }
            Runtime.getRuntime().removeShutdownHook(onInterrupt);
            report(manager.stats());
        }
        return 0;
    }

    private void report(WorkerStats stats) {
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

    /** A manager whose workers are missing has nothing else to report, and would wait silently. */
    private void tell(RemoteWorkerStatus worker) {
        String problem = worker.problem();
        err().println(
                        problem == null
                                ? "worker " + worker.url() + " is well: " + worker.capacity() + " jobs at once"
                                : "worker " + worker.url() + " gets no jobs: " + problem);
        err().flush();
    }

    private ManagerBuilder builder(DatabaseOptions.Session session) {
        ManagerBuilder builder = Manager.on(session.queue())
                .secret(remote.secret())
                .listen(Addresses.listen("--listen", listen, callback != null), callback, remote.tls())
                .queues(queues)
                .strategy(Strategy.parse(strategy))
                .concurrency(concurrency)
                .lease(Texts.duration("--lease", lease))
                .heartbeat(Texts.duration("--heartbeat", heartbeat))
                .pollInterval(Texts.duration("--poll-interval", pollInterval))
                .onWorker(this::tell);
        KindOptions options = KindOptions.DEFAULTS
                .maxRunTime(Texts.duration("--max-run-time", maxRunTime))
                .buffer(Texts.duration("--buffer", buffer));
        for (String kind : kinds) {
            String probe = probes.get(kind);
            builder.kind(
                    kind, probe == null ? options : options.probe(probe(session.pool(), probe), Duration.ofSeconds(1)));
        }
        for (String worker : workers) {
            builder.worker(uri(worker));
        }
        return builder;
    }

    private static URI uri(String text) {
        try {
            return new URI(text);
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

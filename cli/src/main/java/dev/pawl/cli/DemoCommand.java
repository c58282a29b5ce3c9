package dev.pawl.cli;

import dev.pawl.Worker;
import dev.pawl.admin.Admin;
import dev.pawl.api.BulkResult;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.JobRun;
import dev.pawl.api.JobType;
import dev.pawl.api.RetryPolicy;
import dev.pawl.api.WorkerEvent;
import dev.pawl.api.WorkerStats;
import dev.pawl.dashboard.Dashboard;
import dev.pawl.dashboard.DashboardServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "demo",
        mixinStandardHelpOptions = true,
        description = {
            "See Pawl at work: one job for each file of a directory. The job computes the file's SHA-256, size",
            "and lines, and stores them in the transaction that completes it. A few jobs fail on purpose and are retried.",
            "At the end everything is checked against a sequential pass."
        })
final class DemoCommand extends CliCommand {
    /** One of this many jobs fails on purpose on its first attempt. */
    private static final int FAILS = 500;

    private static final String QUEUE = "demo";

    @Parameters(arity = "0..1", paramLabel = "DIR", description = "Default: the JDK's own class files.")
    private @Nullable Path directory;

    @Option(
            names = "--workers",
            paramLabel = "N",
            defaultValue = "10",
            description = "Jobs at once, 1 to 500. Default: ${DEFAULT-VALUE}")
    private int workers = 10;

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "10000",
            description = "How many files at most, 1 to 1000000. Default: ${DEFAULT-VALUE}")
    private int limit = 10_000;

    @Option(
            names = "--dashboard",
            arity = "0..1",
            paramLabel = "[HOST:]PORT",
            fallbackValue = "8088",
            description = "Serve the dashboard; keeps running afterwards until Ctrl-C. Default port: 8088")
    private @Nullable String dashboard;

    /**
     * The payload of a demonstration job.
     *
     * @param run distinguishes this run's rows from earlier ones
     * @param file what to digest
     * @param fails whether the first attempt fails on purpose
     */
    record DigestFile(String run, URI file, boolean fails) {}

    private static final JobType<DigestFile> DIGEST =
            JobType.of("demo.digest", DigestFile.class).withDefaults(EnqueueOptions.DEFAULTS.queue(QUEUE));

    @Mixin
    private CreateOption create = new CreateOption();

    @Override
    boolean needsDatabase() {
        return false; // it creates a database, unless --db names one
    }

    @Override
    public Integer call() throws Exception {
        create.applyTo(database());
        Texts.requireRange("--workers", workers, 1, 500);
        Texts.requireRange("--limit", limit, 1, 1_000_000);
        Logging.silence("dev.pawl.worker"); // these failures are on purpose, and counted in the summary
        List<URI> files = DemoFiles.find(directory, limit);
        String run = UUID.randomUUID().toString();
        try (DatabaseOptions.Session session = database().open(workers + 4);
                Shown shown = dashboard == null ? null : show(session, dashboard)) {
            DemoTable table = new DemoTable(session.pool());
            table.create();
            say("database   " + session.shownUrl() + " (" + session.queue().describe() + ")");
            long enqueueStarted = System.nanoTime();
            BulkResult enqueued = session.queue().enqueueAll(DIGEST, payloads(run, files));
            double enqueueSeconds = seconds(enqueueStarted);
            say(String.format(Locale.ROOT, "enqueued   %,d jobs in %.2f s", enqueued.inserted(), enqueueSeconds));

            StartOrder order = new StartOrder();
            long workStarted = System.nanoTime();
            WorkerStats stats = work(session, order, files.size());
            double workSeconds = seconds(workStarted);

            long wrong = check(table.read(run), files);
            report(
                    files.size(),
                    enqueueSeconds,
                    workSeconds,
                    stats,
                    order.diff(),
                    table.read(run).rows(),
                    wrong);
            if (shown != null) {
                say("The dashboard runs until Ctrl-C.");
                new CountDownLatch(1).await();
            }
            return wrong == 0 ? 0 : 1;
        }
    }

    private record Shown(Dashboard dashboard, DashboardServer server) implements AutoCloseable {
        @Override
        public void close() {
            server.close();
            dashboard.close();
        }
    }

    private Shown show(DatabaseOptions.Session session, String listen) {
        InetSocketAddress address = Addresses.listen("--dashboard", listen);
        Dashboard shown = Dashboard.on(session.queue()).build();
        DashboardServer server = DashboardCommand.start(shown, address, "");
        err().println("the dashboard is at http://localhost:" + server.port() + "/");
        err().flush();
        return new Shown(shown, server);
    }

    private static List<DigestFile> payloads(String run, List<URI> files) {
        return java.util.stream.IntStream.range(0, files.size())
                .mapToObj(i -> new DigestFile(run, files.get(i), i % FAILS == FAILS / 2))
                .toList();
    }

    private WorkerStats work(DatabaseOptions.Session session, StartOrder order, int jobs) throws InterruptedException {
        try (Worker worker = Worker.on(session.queue())
                        .queues(QUEUE)
                        .concurrency(workers)
                        .retryPolicy(RetryPolicy.fixed(Duration.ofMillis(100)))
                        .handle(DIGEST, DemoCommand::digest)
                        .listener(event -> {
                            if (event instanceof WorkerEvent.Started) {
                                order.add(event.job().id());
                            }
                        })
                        .start();
                ProgressBar progress = new ProgressBar(err(), "jobs", jobs, output().isJson())) {
            while (isOpen(session) || !worker.awaitIdle(Duration.ofMillis(100))) {
                WorkerStats stats = worker.stats();
                progress.set(stats.completed() + stats.discarded());
                progress.show(stats.completed() + stats.discarded());
                worker.awaitIdle(Duration.ofMillis(100));
            }
            progress.set(jobs);
            progress.show(jobs);
            return worker.stats();
        }
    }

    private static boolean isOpen(DatabaseOptions.Session session) {
        return session.queue().admin().queues().list(Admin.UNLIMITED).stream()
                .anyMatch(queue -> queue.name().equals(QUEUE));
    }

    private static void digest(DigestFile payload, JobRun run) throws Exception {
        if (payload.fails() && run.attempt() == 1) {
            throw new HandlerFailure("fails on purpose, to show a retry");
        }
        FileDigest digest = FileDigest.of(payload.file());
        run.transaction(connection -> DemoTable.insert(
                connection, payload.run(), payload.file(), digest, run.job().id()));
    }

    /** Recomputes all digests sequentially; returns the number of mismatches. */
    private static long check(DemoTable.Contents contents, List<URI> files) throws IOException {
        long wrong = Math.abs(contents.rows() - files.size());
        for (URI file : files) {
            if (!FileDigest.of(file).equals(contents.digests().get(file))) {
                wrong++;
            }
        }
        return wrong;
    }

    private void report(
            int jobs,
            double enqueueSeconds,
            double workSeconds,
            WorkerStats stats,
            StartOrder.Diff order,
            long rows,
            long wrong) {
        if (output().isJson()) {
            Map<String, Object> result = new LinkedHashMap<>();
            result.put("jobs", jobs);
            result.put("enqueueSeconds", enqueueSeconds);
            result.put("workSeconds", workSeconds);
            result.put("jobsPerSecond", jobs / workSeconds);
            result.put("starts", order.starts());
            result.put("failedAttempts", stats.failed());
            result.put("rows", rows);
            result.put("wrong", wrong);
            result.put("meanDiff", order.mean());
            result.put("maxDiff", order.max());
            output().json(out(), result);
            return;
        }
        say(String.format(
                Locale.ROOT,
                "ran        %,d jobs in %.2f s with %d at once: %,.0f jobs/s",
                jobs,
                workSeconds,
                workers,
                jobs / workSeconds));
        say(String.format(
                Locale.ROOT,
                "attempts   %,d starts; %,d failed (1 in %d on purpose), %d lost a lease",
                order.starts(),
                stats.failed(),
                FAILS,
                stats.leasesLost()));
        say(String.format(
                Locale.ROOT,
                "effects    %,d rows for %,d files: %s",
                rows,
                jobs,
                rows == jobs ? "each job took effect exactly once" : "NOT exactly once"));
        say(String.format(
                Locale.ROOT,
                "order      first starts were %.1f positions from enqueue order on average, %d at most",
                order.mean(),
                order.max()));
        say("check      " + (wrong == 0 ? "every row matches a sequential pass" : wrong + " rows are WRONG"));
        String pawl = System.getProperty("pawl.called", "pawl");
        String db = database().asOption();
        say("\nLook into it:  " + pawl + " queues" + db + "   " + pawl + " jobs" + db + "   " + pawl + " doctor" + db);
    }

    private void say(String line) {
        if (!output().isJson()) {
            out().println(line);
            out().flush();
        }
    }

    private static double seconds(long sinceNanos) {
        return (System.nanoTime() - sinceNanos) / 1e9;
    }
}

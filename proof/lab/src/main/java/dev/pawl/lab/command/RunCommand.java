package dev.pawl.lab.command;

import dev.pawl.cli.UsageException;
import dev.pawl.lab.database.Secrets;
import dev.pawl.lab.database.Target;
import dev.pawl.lab.report.Reports;
import dev.pawl.lab.run.Lab;
import dev.pawl.lab.run.LabFile;
import dev.pawl.lab.run.Matrix;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "run",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Run a matrix: all systems on all databases, with each combination of the other options, in interleaved rounds.",
            "",
            "Writes a result file (JSON) after every trial and, at the end, a page (HTML) beside it. Ctrl-C keeps what",
            "is done. Databases are by default the ones that come with the lab: PostgreSQL, MariaDB and SQLite. On a database",
            "of yours it works in a schema, database or file of its own, which it creates and drops.",
            ""
        })
final class RunCommand implements Callable<Integer> {
    private static final double LEAST_SCALE = 0.001;
    private static final double MAX_SCALE = 10;

    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec;

    @ArgGroup
    private @Nullable Preset preset;

    /** At most one preset; each has its own matrix. */
    static final class Preset {
        @Option(names = "--quick", description = "A little of everything, three rounds, in about five minutes.")
        private boolean quick;

        @Option(
                names = "--study",
                description =
                        "The study again: its designs, 10 workers, 10,000 jobs, with and without protocol table; ten"
                                + " rounds, 40 to 60 minutes for each database.")
        private boolean study;

        @Option(
                names = "--study-settings",
                description =
                        "How the study's setting affects its results: other indexes, statistics, polls, deletes and"
                                + " windows, and servers without deadlock detection; three rounds.")
        private boolean studySettings;

        @Option(
                names = "--peers",
                description =
                        "Pawl, db-scheduler, JobRunr, Quartz on PostgreSQL and MariaDB: 20 workers, 10,000 and 50,000 jobs, handlers"
                                + " of 0 and 1 ms, latencies; three rounds.")
        private boolean peers;

        @Option(
                names = "--under-snapshot",
                description = "A full queue for a minute, with and without a long open transaction: lanes, rows,"
                        + " db-scheduler, JobRunr; three rounds, 20 minutes each for all databases.")
        private boolean underSnapshot;

        @Option(
                names = "--behind-backlog",
                description =
                        "300,000 jobs, alone and with ten million (--backlog) behind them, and the client's memory; two rounds,"
                                + " less than five minutes for each database.")
        private boolean behindBacklog;

        @Option(
                names = "--small-batches",
                description = "Lanes and rows with claims of 1 and 10 jobs, as for slow ones; five rounds.")
        private boolean smallBatches;

        @Option(
                names = "--performance",
                description = "What the page on performance shows, in six tables: throughput, many workers, exactly"
                        + " once, latency, features, delayed jobs; three rounds, 40 minutes for the three databases"
                        + " (see --scale).")
        private boolean performance;

        @Option(
                names = "--nodes",
                arity = "1..*",
                paramLabel = "URL",
                description = {
                    "The nodes of one cluster of MariaDB or MySQL that all take writes: throughput, lost claims, latency and",
                    "pauses with jobs and workers on the first, on the first two, and so on; three rounds (see --scale)."
                })
        private @Nullable List<String> nodes;
    }

    @Option(
            names = "--scale",
            paramLabel = "FACTOR",
            defaultValue = "1",
            description =
                    "With --performance and --nodes: a factor for all numbers of jobs, 0.001 to 10. Default: ${DEFAULT-VALUE}")
    private double scale = 1;

    @Option(
            names = "--db",
            arity = "1..*",
            paramLabel = "NAME|URL",
            description = {
                "postgresql, mariadb, sqlite (embedded), or JDBC URLs. A delay before one takes its server so far away, in each",
                "direction: 1ms@postgresql. Default: postgresql mariadb sqlite"
            })
    private @Nullable List<String> databases;

    @Mixin
    private MatrixOptions options = new MatrixOptions();

    @Option(names = "--rounds", paramLabel = "N", description = "Repetitions of each. Default: 10, or the preset's")
    private @Nullable Integer rounds;

    @Option(
            names = "--warm-up",
            paramLabel = "JOBS",
            description =
                    "Jobs that each system runs before anything counts; slow ones a twentieth. Default: 2000; 1000 with"
                            + " --quick; 100000 with --performance, times --scale")
    private @Nullable Integer warmUp;

    @Option(
            names = "--delayed",
            paramLabel = "JOBS",
            defaultValue = "1000000",
            description = "How many delayed jobs '--with delayed' adds. Default: ${DEFAULT-VALUE}")
    private int delayed = 1_000_000;

    @Option(
            names = "--backlog",
            paramLabel = "JOBS",
            defaultValue = "10000000",
            description = "How many jobs wait behind the others '--with backlog'. Default: ${DEFAULT-VALUE}")
    private int backlog = 10_000_000;

    @Option(
            names = "--load-seconds",
            paramLabel = "N",
            defaultValue = "60",
            description = "How long '--measure load' lasts. Default: ${DEFAULT-VALUE}")
    private int loadSeconds = 60;

    @Option(
            names = "--settle",
            paramLabel = "SECONDS",
            defaultValue = "0",
            description = {
                "Before each drain, let the server finish background work for the enqueued jobs, for at most this long:",
                "vacuum and checkpoint, or wait until few pages are dirty. Default: ${DEFAULT-VALUE}"
            })
    private int settle;

    @Option(
            names = "--lease-seconds",
            paramLabel = "N",
            description = "How long leases last, for recovery. Default: 20, as for any worker; 2 with --quick")
    private @Nullable Integer leaseSeconds;

    @Option(names = "--out", paramLabel = "FILE", description = "File of results. Default: lab-results/TIME.json")
    private @Nullable Path out;

    @Option(names = "--resume", paramLabel = "FILE", description = "Continue a run that was stopped.")
    private @Nullable Path resume;

    @Override
    public Integer call() throws IOException {
        PrintWriter err = spec.commandLine().getErr();
        Path file = file();
        Lab lab = lab(file);
        makeFolder(file);
        AtomicBoolean finished = new AtomicBoolean();
        Thread goodbye = new Thread(() -> {
            if (!finished.get()) {
                err.println();
                err.println(lab.state().trials().size() + " of " + lab.trials() + " trials are kept in " + file
                        + "; continue with: pawl lab run --resume  " + file);
                err.flush();
            }
        });
        Runtime.getRuntime().addShutdownHook(goodbye);
        LabFile state;
        try (TrialProgress progress = new TrialProgress(err)) {
            state = lab.run(progress);
        } catch (InterruptedException e) {
            return 1; // Ctrl-C: the other thread reports what is kept
        } catch (IOException e) {
            throw new UsageException(String.valueOf(e.getMessage()));
        } finally {
            finished.set(!Thread.currentThread().isInterrupted());
        }
        Path page = page(file);
        Files.writeString(page, Reports.html(List.of(state)));
        PrintWriter terminal = spec.commandLine().getOut();
        terminal.println(
                preset != null && preset.performance
                        ? Reports.performance(List.of(state))
                        : Reports.text(List.of(state)));
        terminal.println("Results: " + file);
        terminal.println("With pictures: " + page.toAbsolutePath().toUri());
        return state.trials().stream().anyMatch(trial -> trial.failure() != null) ? 1 : 0;
    }

    static Path page(Path file) {
        String name = file.getFileName().toString();
        return file.resolveSibling(name.replaceAll("\\.json(\\.gz)?$", "") + ".html");
    }

    private Path file() {
        if (resume != null) {
            return resume;
        }
        Path file = out != null
                ? out
                : Path.of("lab-results")
                        .resolve(LocalDateTime.now(java.time.ZoneId.systemDefault())
                                        .format(DateTimeFormatter.ofPattern("yyyy-MM-dd-HHmmss", Locale.ROOT))
                                + ".json");
        if (Files.exists(file)) {
            throw new UsageException(file + " is there already: give another --out, or --resume " + file);
        }
        return file;
    }

    private static void makeFolder(Path file) throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        if (folder != null) {
            Files.createDirectories(folder);
        }
    }

    private Lab lab(Path file) {
        if (resume != null) {
            requireNothingElse();
            return Failures.reported(() -> Lab.resume(file, databases == null ? nodes() : databases));
        }
        return Failures.reported(() -> {
            boolean quick = preset != null && preset.quick;
            boolean performance = preset != null && preset.performance;
            if (!(scale >= LEAST_SCALE && scale <= MAX_SCALE)) {
                throw new UsageException("--scale " + scale + " is not valid: use 0.001 to 10");
            }
            int warming = warmUp != null
                    ? warmUp
                    : quick ? 1000 : performance ? (int) (PerformancePreset.WARM_UP * Math.min(1, scale)) : 2000;
            int later = performance ? (int) (delayed * scale) : delayed;
            MatrixOptions.require("--warm-up", List.of(warming), 0, 1_000_000);
            MatrixOptions.require("--delayed", List.of(delayed), 0, 100_000_000);
            MatrixOptions.require("--backlog", List.of(backlog), 1, 1_000_000_000);
            MatrixOptions.require("--load-seconds", List.of(loadSeconds), 1, 3600);
            MatrixOptions.require("--settle", List.of(settle), 0, 3600);
            int repeated = rounds != null ? rounds : usualRounds();
            MatrixOptions.require("--rounds", List.of(repeated), 1, 1000);
            int lease = leaseSeconds != null ? leaseSeconds : quick ? 2 : 20;
            MatrixOptions.require("--lease-seconds", List.of(lease), 1, 3600);
            return Lab.of(
                    file,
                    command(),
                    matrices(),
                    repeated,
                    warming,
                    later,
                    Duration.ofSeconds(lease).toMillis(),
                    backlog,
                    loadSeconds,
                    settle);
        });
    }

    private List<String> nodes() {
        return preset == null || preset.nodes == null ? List.of() : NodesPreset.parts(preset.nodes);
    }

    private int usualRounds() {
        if (preset == null || preset.study) {
            return Presets.STUDY_ROUNDS;
        }
        if (preset.performance) {
            return PerformancePreset.ROUNDS;
        }
        if (preset.nodes != null) {
            return NodesPreset.ROUNDS;
        }
        return preset.behindBacklog ? Presets.BACKLOG_ROUNDS : preset.smallBatches ? Presets.BATCH_ROUNDS : 3;
    }

    /** With --resume, the file determines the matrix. */
    private void requireNothingElse() {
        List<String> others = spec.commandLine().getParseResult().matchedOptions().stream()
                .map(CommandLine.Model.OptionSpec::longestName)
                .filter(name -> !List.of("--resume", "--db", "--nodes").contains(name))
                .toList();
        if (!others.isEmpty()) {
            throw new UsageException(
                    "--resume continues with what the file says: leave out " + String.join(", ", others));
        }
    }

    private List<Matrix> matrices() {
        List<String> chosen = databases == null ? Target.EMBEDDED : databases;
        if (preset == null) {
            return List.of(options.matrix(chosen));
        }
        if (preset.peers) {
            return Presets.peers(databases == null ? List.of("postgresql", "mariadb") : databases);
        }
        if (preset.underSnapshot) {
            return Presets.underSnapshot(chosen);
        }
        if (preset.behindBacklog) {
            return Presets.behindBacklog(chosen);
        }
        if (preset.smallBatches) {
            return Presets.smallBatches(chosen);
        }
        if (preset.performance) {
            return PerformancePreset.of(chosen, scale);
        }
        if (preset.nodes != null) {
            if (databases != null) {
                throw new UsageException("--nodes names the databases: leave out --db");
            }
            return NodesPreset.of(preset.nodes, scale);
        }
        if (preset.studySettings) {
            return Presets.studySettings(chosen);
        }
        return preset.quick ? Presets.quick(chosen) : Presets.study(chosen);
    }

    /** Returns the command as typed, without secrets. */
    private String command() {
        List<String> words = spec.commandLine().getParseResult().originalArgs();
        return "pawl " + Secrets.hidden(String.join(" ", words));
    }
}

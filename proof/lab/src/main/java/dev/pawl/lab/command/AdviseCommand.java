package dev.pawl.lab.command;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.JobQueue;
import dev.pawl.admin.Finding;
import dev.pawl.cli.UsageException;
import dev.pawl.lab.database.Scratch;
import dev.pawl.lab.database.Target;
import dev.pawl.lab.report.Advice;
import dev.pawl.lab.run.Lab;
import dev.pawl.lab.run.LabFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "advise",
        mixinStandardHelpOptions = true,
        description = {
            "Run a short matrix on a database and say in words which strategy, batch and index to use there, and why.",
            "It works in a schema, database or file of its own, which it creates and drops."
        })
final class AdviseCommand implements Callable<Integer> {
    private static final int ROUNDS = 3;
    private static final int WARM_UP = 2000;

    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec;

    @Option(
            names = "--db",
            paramLabel = "NAME|URL",
            description = "JDBC URL, or postgresql, mariadb, sqlite (embedded). Default: the environment's PAWL_DB")
    private @Nullable String database;

    @Option(
            names = "--jobs",
            paramLabel = "N",
            defaultValue = "20000",
            description = "Jobs of each backlog. Default: ${DEFAULT-VALUE}")
    private int jobs = 20_000;

    @Override
    public Integer call() throws IOException, InterruptedException, SQLException {
        String chosen = database != null ? database : System.getenv("PAWL_DB");
        if (chosen == null || chosen.isBlank()) {
            throw new UsageException("no database: give --db with a JDBC URL, or set PAWL_DB");
        }
        MatrixOptions.require("--jobs", List.of(jobs), 100, 10_000_000);
        Path file = Files.createTempFile("pawl-advice-", ".json");
        try {
            LabFile run = run(file, chosen);
            PrintWriter out = spec.commandLine().getOut();
            Advice.of(run).forEach(words -> {
                out.println();
                out.println(words);
            });
            findings(chosen).stream()
                    .filter(finding -> finding.level() != Finding.Level.OK)
                    .forEach(finding -> out.println(
                            System.lineSeparator() + "Settings, " + finding.topic() + ": " + finding.message()));
            return run.trials().stream().anyMatch(trial -> trial.failure() != null) ? 1 : 0;
        } finally {
            Files.deleteIfExists(file);
        }
    }

    private LabFile run(Path file, String chosen) throws IOException, InterruptedException {
        Lab lab = Failures.reported(() -> Lab.of(
                file,
                "pawl lab advise",
                Presets.advice(chosen, jobs),
                ROUNDS,
                Math.min(WARM_UP, jobs),
                0,
                20_000,
                0,
                0,
                0));
        try (TrialProgress progress = new TrialProgress(spec.commandLine().getErr())) {
            return lab.run(progress);
        }
    }

    /** Returns the findings of {@code pawl doctor} for an empty queue there. */
    private static List<Finding> findings(String chosen) throws SQLException {
        try (Scratch scratch = Target.of(chosen).scratch();
                HikariDataSource pool = scratch.pool(4);
                JobQueue queue = JobQueue.open(pool)) {
            return queue.admin().maintenance().diagnose();
        }
    }
}

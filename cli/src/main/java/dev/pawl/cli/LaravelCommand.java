package dev.pawl.cli;

import static dev.pawl.cli.Output.Column.left;
import static dev.pawl.cli.Output.Column.right;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "laravel",
        mixinStandardHelpOptions = true,
        description = {
            "Report on the jobs table of a Laravel application: the state of its jobs, its index and known risks.",
            "Read-only."
        })
final class LaravelCommand extends CliCommand {
    @Option(names = "--table", defaultValue = "jobs", description = "The table's name. Default: ${DEFAULT-VALUE}")
    private String table = "jobs";

    @Option(
            names = "--retry-after",
            paramLabel = "SECONDS",
            defaultValue = "90",
            description =
                    "As in config/queue.php: a job that is reserved for longer is run again; 0 or more. Default: ${DEFAULT-VALUE}")
    private int retryAfter = 90;

    @Override
    public Integer call() {
        if (retryAfter < 0) {
            throw new UsageException("--retry-after " + retryAfter + " is not valid: use 0 or more seconds");
        }
        if (!table.matches("[A-Za-z_][A-Za-z0-9_]{0,62}")) {
            throw new UsageException("--table " + Texts.cut(table) + " is not valid: use letters, digits and _");
        }
        try (HikariDataSource pool = database().pool(1);
                Connection connection = pool.getConnection()) {
            LaravelReport report = LaravelReport.read(connection, table, retryAfter);
            if (output().isJson()) {
                output().json(
                                out(),
                                Map.of("queues", report.queues(), "risks", report.risks(), "index", report.index()));
            } else {
                print(report);
            }
            return 0;
        } catch (SQLException e) {
            throw new UsageException(
                    "cannot read the table " + table + " in " + database().shownUrl() + ": " + e.getMessage()
                            + " (is it a Laravel jobs table, version 5.3 or later?)");
        }
    }

    private void print(LaravelReport report) {
        output().rows(
                        out(),
                        report.queues(),
                        List.of(
                                left("QUEUE", LaravelReport.Queue::name),
                                right("AVAILABLE", LaravelReport.Queue::available),
                                right("DELAYED", LaravelReport.Queue::delayed),
                                right("RESERVED", LaravelReport.Queue::reserved),
                                right("EXPIRED", LaravelReport.Queue::expired)),
                        "no jobs in " + table);
        out().println();
        out().println("index: " + report.index());
        report.risks().forEach(risk -> out().println("risk:  " + risk));
    }
}

package dev.pawl.cli;

import static dev.pawl.cli.Output.Column.left;

import dev.pawl.admin.Finding;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;

@Command(
        name = "doctor",
        mixinStandardHelpOptions = true,
        description = "Examine the database: version, strategy and why, risky settings, wrong indexes. Exit code 1 on a"
                + " warning.")
final class DoctorCommand extends CliCommand {
    @Override
    public Integer call() {
        try (DatabaseOptions.Session session = database().openExisting()) {
            List<Finding> findings = session.queue().admin().diagnose();
            output().rows(
                            out(),
                            findings,
                            List.of(
                                    left("", finding -> finding.level().name().toLowerCase(Locale.ROOT)),
                                    left("TOPIC", Finding::topic),
                                    left("FOUND", Finding::message)),
                            finding -> finding,
                            "nothing");
            return findings.stream().anyMatch(finding -> finding.level() == Finding.Level.WARNING) ? 1 : 0;
        }
    }
}

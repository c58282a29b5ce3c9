package dev.pawl.cli;

import static dev.pawl.cli.Output.Column.name;
import static dev.pawl.cli.Output.Column.words;

import dev.pawl.admin.Admin;
import dev.pawl.admin.Finding;
import dev.pawl.admin.QueueStats;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "doctor",
        mixinStandardHelpOptions = true,
        description =
                "Examine the database: version, strategy and its reason, risky settings, wrong indexes. Exit code 1 on a"
                        + " warning.")
final class DoctorCommand extends CliCommand {
    @Option(
            names = "--max-waiting",
            paramLabel = "N",
            description = "Warn about each queue with more available jobs than this, 0 or more. Default: no limit")
    private @Nullable Long maxWaiting;

    @Option(
            names = "--max-age",
            paramLabel = "DURATION",
            description =
                    "Warn about each queue whose oldest available job has waited for longer, 0s or more. Default: no limit")
    private @Nullable String maxAge;

    /** Checks depth and age of queues, if the options set thresholds. */
    private List<Finding> tooMuch(List<QueueStats> queues) {
        List<Finding> findings = new ArrayList<>();
        Duration oldest = maxAge == null ? null : Texts.duration("--max-age", maxAge);
        for (QueueStats queue : queues) {
            if (maxWaiting != null && queue.available() > maxWaiting) {
                findings.add(new Finding(
                        Finding.Level.WARNING,
                        "queue " + queue.name(),
                        queue.available() + " jobs are available, more than " + maxWaiting
                                + ": check that workers are running (pawl workers), and that there are enough"));
            }
            Duration age = queue.oldestAge();
            if (oldest != null && age != null && age.compareTo(oldest) > 0) {
                findings.add(new Finding(
                        Finding.Level.WARNING,
                        "queue " + queue.name(),
                        "the oldest available job has waited for " + Texts.age(age) + ", longer than "
                                + Texts.age(oldest) + (queue.paused() ? ": the queue is paused" : "")));
            }
        }
        return findings;
    }

    @Override
    public Integer call() {
        if (maxWaiting != null && maxWaiting < 0) {
            throw new UsageException("--max-waiting " + maxWaiting + " is not valid: use 0 or more");
        }
        try (DatabaseOptions.Session session = database().openExisting()) {
            List<Finding> findings =
                    new ArrayList<>(session.queue().admin().maintenance().diagnose());
            if (maxWaiting != null || maxAge != null) {
                findings.addAll(tooMuch(session.queue().admin().queues().list(Admin.UNLIMITED)));
            }
            output().rows(
                            out(),
                            findings,
                            List.of(
                                    name("", finding -> finding.level().name().toLowerCase(Locale.ROOT)),
                                    name("TOPIC", Finding::topic),
                                    words("FOUND", Finding::message)),
                            "nothing");
            return findings.stream().anyMatch(finding -> finding.level() == Finding.Level.WARNING) ? 1 : 0;
        }
    }
}

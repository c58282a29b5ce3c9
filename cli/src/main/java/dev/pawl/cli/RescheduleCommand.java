package dev.pawl.cli;

import dev.pawl.admin.JobAdmin;
import dev.pawl.admin.JobChange;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "reschedule",
        mixinStandardHelpOptions = true,
        description = "Let jobs that wait become available at another time.")
final class RescheduleCommand extends CliCommand {
    @Option(
            names = "--at",
            paramLabel = "MOMENT",
            required = true,
            description = "When, such as 2030-01-31T08:00:00Z; the past for at once.")
    private String at = "";

    @Mixin
    private SingleChanges single = new SingleChanges();

    @Mixin
    private MatchingOptions matching = new MatchingOptions();

    @Override
    public Integer call() {
        boolean all = matching.isMeant(single.ids());
        JobChange change = new JobChange.Reschedule(Texts.instant("--at", at));
        try (DatabaseOptions.Session session = database().openExisting()) {
            JobAdmin admin = session.queue().admin();
            return all
                    ? matching.change(this, admin, change, "are available at " + at)
                    : single.change(this, admin, change, "is available at " + at);
        }
    }
}

package dev.pawl.cli;

import dev.pawl.admin.JobChange;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "reschedule",
        mixinStandardHelpOptions = true,
        description = "Let waiting jobs become available at another time.")
final class RescheduleCommand extends ChangeCommand {
    @Option(
            names = "--at",
            paramLabel = "MOMENT",
            description =
                    "When, such as 2030-01-31T08:00:00Z; a time in the past means at once. This or --in is needed.")
    private @Nullable String at;

    @Option(
            names = "--in",
            paramLabel = "DURATION",
            description = "This long from now, by the clock of this machine, 0s to 3650d. Default: as --at says")
    private @Nullable String in;

    @Override
    Wanted wanted() {
        Instant moment = Texts.atOrIn(at, in);
        if (moment == null) {
            throw new UsageException("say when: --at 2030-01-31T08:00:00Z or --in 2h");
        }
        String when = at == null ? Texts.time(moment) : at;
        return new Wanted(new JobChange.Reschedule(moment), "is available at " + when, "are available at " + when);
    }
}

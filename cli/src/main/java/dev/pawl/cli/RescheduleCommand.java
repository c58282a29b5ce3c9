package dev.pawl.cli;

import dev.pawl.admin.JobChange;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "reschedule",
        mixinStandardHelpOptions = true,
        description = "Let waiting jobs become available at another time.",
        subcommands = {RescheduleCommand.One.class, RescheduleCommand.Many.class})
final class RescheduleCommand {
    private static final class Target {
        @Option(
                names = "--at",
                paramLabel = "MOMENT",
                description =
                        "When, such as 2030-01-31T08:00:00Z; a time in the past means at once. This or --in is needed.")
        private @Nullable String at;

        @Option(
                names = "--in",
                paramLabel = "DURATION",
                description = "This long from now, by the clock of this machine, 0s to 3650d. Default: what --at says")
        private @Nullable String in;

        Wanted wanted() {
            Instant moment = Texts.atOrIn(at, in);
            if (moment == null) {
                throw new UsageException("say when: --at 2030-01-31T08:00:00Z or --in 2h");
            }
            String when = at == null ? Texts.time(moment) : at;
            return new Wanted(new JobChange.Reschedule(moment), "is available at " + when, "are available at " + when);
        }
    }

    @Command(
            name = "job",
            mixinStandardHelpOptions = true,
            description = "Let waiting jobs become available at another time, by their ids.")
    static final class One extends ChangeJob {
        @Mixin
        private Target target = new Target();

        @Override
        Wanted wanted() {
            return target.wanted();
        }
    }

    @Command(
            name = "jobs",
            mixinStandardHelpOptions = true,
            description = "Let all waiting jobs that match become available at another time.")
    static final class Many extends ChangeJobs {
        @Mixin
        private Target target = new Target();

        @Override
        Wanted wanted() {
            return target.wanted();
        }
    }
}

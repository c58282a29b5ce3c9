package dev.pawl.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "trim",
        mixinStandardHelpOptions = true,
        description = "Delete the traces of slots that were used long ago.",
        subcommands = TrimCommand.OfSeries.class)
final class TrimCommand {
    @Command(
            name = "series",
            mixinStandardHelpOptions = true,
            description = "Delete the traces of slots that were used long ago.")
    static final class OfSeries extends CliCommand {
        @Parameters(paramLabel = "SERIES", description = "Its name.")
        private String series = "";

        @Option(
                names = "--keep",
                paramLabel = "N",
                defaultValue = "10000",
                description = "How many of the newest to keep, 1000 or more. Default: ${DEFAULT-VALUE}")
        private long keep = 10_000;

        @Option(
                names = "--gaps",
                description = "Also those that were released or expired: only for a series that is not gapless.")
        private boolean gaps;

        @Override
        public Integer call() {
            try (DatabaseOptions.Session session = database().openExisting()) {
                long trimmed =
                        session.queue().slots().series(series).gapless(!gaps).trim(keep);
                report(
                        JsonForm.object("series", series, "deleted", trimmed),
                        trimmed + " slots of series " + series + " are deleted");
                return 0;
            }
        }
    }
}

package dev.pawl.cli;

import dev.pawl.admin.SlotSeriesInfo;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
        name = "free",
        mixinStandardHelpOptions = true,
        description = "Free a reserved slot whose owner is dead, before it expires.",
        subcommands = FreeCommand.OfSlot.class)
final class FreeCommand {
    @Command(
            name = "slot",
            mixinStandardHelpOptions = true,
            description = "Free a reserved slot whose owner is dead, before it expires.")
    static final class OfSlot extends CliCommand {
        @Parameters(index = "0", paramLabel = "SERIES", description = "The series' name.")
        private String series = "";

        @Parameters(index = "1", paramLabel = "VALUE", description = "The slot.")
        private String value = "";

        @Override
        public Integer call() {
            try (DatabaseOptions.Session session = database().openExisting()) {
                SlotSeriesInfo unused = OneSeries.find(session, series);
                boolean freed = session.queue().slots().free(series, value);
                report(
                        JsonForm.object("series", series, "value", value, "freed", freed),
                        freed
                                ? "slot " + value + " of series " + series + " is freed"
                                : "slot " + value + " of series " + series + " is not reserved");
                return freed ? 0 : 1;
            }
        }
    }
}

package dev.pawl.cli;

import static dev.pawl.cli.Output.Column.left;
import static dev.pawl.cli.Output.Column.name;
import static dev.pawl.cli.Output.Column.right;

import dev.pawl.admin.SlotSeriesInfo;
import java.util.List;
import picocli.CommandLine.Command;

@Command(name = "slots", mixinStandardHelpOptions = true, description = "List the series of slots and their state.")
final class SlotsCommand extends CliCommand {
    @Override
    public Integer call() {
        try (DatabaseOptions.Session session = database().openExisting()) {
            output().rows(
                            out(),
                            session.queue().slots().list(),
                            List.of(
                                    name("SERIES", SlotSeriesInfo::name),
                                    left("LAST", SlotSeriesInfo::lastSlot),
                                    right("ISSUED", SlotSeriesInfo::issued),
                                    right("USED", SlotSeriesInfo::used),
                                    right("RESERVED", SlotSeriesInfo::reserved),
                                    right("RAN OUT", SlotSeriesInfo::expired),
                                    right("RELEASED", SlotSeriesInfo::cleared)),
                            "no series");
            return 0;
        }
    }
}

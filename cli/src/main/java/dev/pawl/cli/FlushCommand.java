package dev.pawl.cli;

import dev.pawl.admin.SlotSeriesInfo;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.OptionalInt;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
        name = "flush",
        mixinStandardHelpOptions = true,
        description = "Forget a series of slots and all of its slots.",
        subcommands = FlushCommand.OfSeries.class)
final class FlushCommand {
    @Command(
            name = "series",
            mixinStandardHelpOptions = true,
            description = {
                "Forget a series and all of its slots: the next job asks where it starts. Values that were used can be",
                "issued again."
            })
    static final class OfSeries extends CliCommand {
        @Parameters(
                paramLabel = "SERIES",
                description = "The series' name, twice, because this cannot be undone.",
                arity = "2")
        private List<String> series = List.of();

        @Mixin
        private BulkOptions bulk = new BulkOptions();

        @Override
        public Integer call() {
            if (!Objects.equals(series.get(0), series.get(1))) {
                throw new UsageException("the two names differ: nothing is flushed");
            }
            try (DatabaseOptions.Session session = database().openExisting()) {
                SlotSeriesInfo info = OneSeries.find(session, series.get(0));
                OptionalInt refusal = bulk.refusal(
                        this, JsonForm.object("series", info.name(), "flushed", false), () -> extent(info));
                if (refusal.isPresent()) {
                    return refusal.getAsInt();
                }
                boolean was = session.queue().slots().flush(series.get(0));
                report(
                        JsonForm.object("series", series.get(0), "flushed", was),
                        was ? "series " + series.get(0) + " is forgotten" : "there is no series " + series.get(0));
                return was ? 0 : 1;
            }
        }

        private static BulkOptions.Extent extent(SlotSeriesInfo info) {
            return new BulkOptions.Extent(
                    1,
                    String.format(
                            Locale.ROOT,
                            "series %s is forgotten, of which %,d slots were issued, the last one %s",
                            info.name(),
                            info.issued(),
                            info.lastSlot()));
        }
    }
}

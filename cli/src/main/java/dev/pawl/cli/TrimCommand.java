package dev.pawl.cli;

import dev.pawl.admin.SlotSeriesInfo;
import java.util.Locale;
import java.util.OptionalInt;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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
        @Parameters(paramLabel = "SERIES", description = "The series' name.")
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

        @Mixin
        private BulkOptions bulk = new BulkOptions();

        @Override
        public Integer call() {
            try (DatabaseOptions.Session session = database().openExisting()) {
                SlotSeriesInfo info = OneSeries.find(session, series);
                OptionalInt refusal =
                        bulk.refusal(this, JsonForm.object("series", series, "deleted", 0), () -> extent(info));
                if (refusal.isPresent()) {
                    return refusal.getAsInt();
                }
                long trimmed =
                        session.queue().slots().series(series).gapless(!gaps).trim(keep);
                report(
                        JsonForm.object("series", series, "deleted", trimmed),
                        trimmed + " slots of series " + series + " are deleted");
                return 0;
            }
        }

        private BulkOptions.Extent extent(SlotSeriesInfo info) {
            long slots = info.used() + (gaps ? info.expired() + info.cleared() : 0);
            long most = Math.min(slots, Math.max(0, info.issued() - keep)); // the range kept may have gaps
            return new BulkOptions.Extent(
                    most,
                    String.format(
                            Locale.ROOT, "up to %,d of %,d slots of series %s will be deleted", most, slots, series));
        }
    }
}

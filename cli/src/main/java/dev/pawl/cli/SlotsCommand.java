package dev.pawl.cli;

import static dev.pawl.cli.Output.Column.left;
import static dev.pawl.cli.Output.Column.right;

import dev.pawl.admin.SlotGap;
import dev.pawl.admin.SlotSeriesInfo;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "slots",
        mixinStandardHelpOptions = true,
        description = "Inspect and maintain series of slots. Without a subcommand: the state of all series.",
        subcommands = {
            SlotsCommand.Gaps.class,
            SlotsCommand.Trim.class,
            SlotsCommand.Free.class,
            SlotsCommand.Flush.class
        })
final class SlotsCommand extends CliCommand {
    @Override
    public Integer call() {
        try (DatabaseOptions.Session session = database().openExisting()) {
            output().rows(
                            out(),
                            session.queue().slots().list(),
                            List.of(
                                    left("SERIES", SlotSeriesInfo::name),
                                    left("LAST", SlotSeriesInfo::lastSlot),
                                    right("ISSUED", SlotSeriesInfo::issued),
                                    right("USED", SlotSeriesInfo::used),
                                    right("RESERVED", SlotSeriesInfo::reserved),
                                    right("RAN OUT", SlotSeriesInfo::expired),
                                    right("GIVEN BACK", SlotSeriesInfo::cleared)),
                            series -> series,
                            "no series");
            return 0;
        }
    }

    @Command(
            name = "gaps",
            mixinStandardHelpOptions = true,
            description = "List values that were left out: issued, not used, and followed by used ones.")
    static final class Gaps extends CliCommand {
        @Parameters(paramLabel = "SERIES", description = "Its name.")
        private String series = "";

        @Option(names = "--limit", defaultValue = "100", description = "How many at most. Default: ${DEFAULT-VALUE}")
        private int limit = 100;

        @Override
        public Integer call() {
            try (DatabaseOptions.Session session = database().openExisting()) {
                if (session.queue().slots().list().stream()
                        .noneMatch(known -> known.name().equals(series))) {
                    err().println("pawl: there is no series " + series);
                    return 1;
                }
                output().rows(
                                out(),
                                session.queue().slots().gaps(series, Math.max(1, limit)),
                                List.of(
                                        right("PLACE", SlotGap::ordinal),
                                        left("VALUE", SlotGap::value),
                                        left("STATE", gap -> gap.state().name().toLowerCase(Locale.ROOT)),
                                        right("JOB", SlotGap::jobId),
                                        left("RESERVED UNTIL", gap -> Texts.time(gap.expiresAt()))),
                                gap -> gap,
                                "no gaps in series " + series);
                return 0;
            }
        }
    }

    @Command(
            name = "trim",
            mixinStandardHelpOptions = true,
            description = "Delete the traces of slots that were used long ago.")
    static final class Trim extends CliCommand {
        @Parameters(paramLabel = "SERIES", description = "Its name.")
        private String series = "";

        @Option(
                names = "--keep",
                defaultValue = "10000",
                description = "How many of the newest to keep, at least 1000. Default: ${DEFAULT-VALUE}")
        private long keep = 10_000;

        @Option(
                names = "--gaps",
                description = "Also those that were given back or ran out: only for a series that is not gapless.")
        private boolean gaps;

        @Override
        public Integer call() {
            try (DatabaseOptions.Session session = database().openExisting()) {
                long trimmed =
                        session.queue().slots().series(series).gapless(!gaps).trim(keep);
                out().println(trimmed + " slots of series " + series + " are deleted");
                return 0;
            }
        }
    }

    @Command(
            name = "free",
            mixinStandardHelpOptions = true,
            description = "Give back a reserved slot whose owner is gone, before its time is over.")
    static final class Free extends CliCommand {
        @Parameters(index = "0", paramLabel = "SERIES", description = "Its name.")
        private String series = "";

        @Parameters(index = "1", paramLabel = "VALUE", description = "The slot.")
        private String value = "";

        @Override
        public Integer call() {
            try (DatabaseOptions.Session session = database().openExisting()) {
                boolean freed = session.queue().slots().free(series, value);
                out().println(
                                freed
                                        ? "slot " + value + " of series " + series + " is given back"
                                        : "slot " + value + " of series " + series + " is not reserved");
                return freed ? 0 : 1;
            }
        }
    }

    @Command(
            name = "flush",
            mixinStandardHelpOptions = true,
            description = {
                "Forget a series and all of its slots: the next job asks where it starts. Values that were used can be",
                "issued again."
            })
    static final class Flush extends CliCommand {
        @Parameters(paramLabel = "SERIES", description = "Its name, twice, because there is no way back.", arity = "2")
        private List<String> series = List.of();

        @Override
        public Integer call() {
            if (!Objects.equals(series.get(0), series.get(1))) {
                throw new UsageException("the two names differ: nothing is flushed");
            }
            try (DatabaseOptions.Session session = database().openExisting()) {
                boolean was = session.queue().slots().flush(series.get(0));
                out().println(
                                was
                                        ? "series " + series.get(0) + " is forgotten"
                                        : "there is no series " + series.get(0));
                return was ? 0 : 1;
            }
        }
    }
}

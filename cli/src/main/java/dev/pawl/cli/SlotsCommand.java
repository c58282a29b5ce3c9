package dev.pawl.cli;

import static dev.pawl.cli.Output.Column.left;
import static dev.pawl.cli.Output.Column.name;
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

    @Command(
            name = "gaps",
            mixinStandardHelpOptions = true,
            description = "List values that were left out: issued, not used, and followed by used ones.")
    static final class Gaps extends CliCommand {
        @Parameters(paramLabel = "SERIES", description = "Its name.")
        private String series = "";

        @Option(
                names = "--limit",
                paramLabel = "N",
                defaultValue = "100",
                description = "How many at most, 1 to 10000. Default: ${DEFAULT-VALUE}")
        private int limit = 100;

        @Override
        public Integer call() {
            Texts.requireRange("--limit", limit, 1, 10_000);
            try (DatabaseOptions.Session session = database().openExisting()) {
                if (session.queue().slots().list().stream()
                        .noneMatch(known -> known.name().equals(series))) {
                    throw new NotFoundException("there is no series " + series);
                }
                output().rows(
                                out(),
                                session.queue().slots().gaps(series, limit),
                                List.of(
                                        right("PLACE", SlotGap::ordinal),
                                        left("VALUE", SlotGap::value),
                                        left("STATE", gap -> gap.state().name().toLowerCase(Locale.ROOT)),
                                        right("JOB", SlotGap::jobId),
                                        left("RESERVED UNTIL", gap -> Texts.time(gap.expiresAt()))),
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

    @Command(
            name = "free",
            mixinStandardHelpOptions = true,
            description = "Release a reserved slot whose owner is dead, before it expires.")
    static final class Free extends CliCommand {
        @Parameters(index = "0", paramLabel = "SERIES", description = "Its name.")
        private String series = "";

        @Parameters(index = "1", paramLabel = "VALUE", description = "The slot.")
        private String value = "";

        @Override
        public Integer call() {
            try (DatabaseOptions.Session session = database().openExisting()) {
                boolean freed = session.queue().slots().free(series, value);
                report(
                        JsonForm.object("series", series, "value", value, "freed", freed),
                        freed
                                ? "slot " + value + " of series " + series + " is released"
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
        @Parameters(paramLabel = "SERIES", description = "Its name, twice, because this cannot be undone.", arity = "2")
        private List<String> series = List.of();

        @Override
        public Integer call() {
            if (!Objects.equals(series.get(0), series.get(1))) {
                throw new UsageException("the two names differ: nothing is flushed");
            }
            try (DatabaseOptions.Session session = database().openExisting()) {
                boolean was = session.queue().slots().flush(series.get(0));
                report(
                        JsonForm.object("series", series.get(0), "flushed", was),
                        was ? "series " + series.get(0) + " is forgotten" : "there is no series " + series.get(0));
                return was ? 0 : 1;
            }
        }
    }
}

package dev.pawl.cli;

import static dev.pawl.cli.Output.Column.left;
import static dev.pawl.cli.Output.Column.right;

import dev.pawl.admin.SlotGap;
import dev.pawl.admin.SlotSeriesInfo;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "gaps",
        mixinStandardHelpOptions = true,
        description = "List the gaps of a slot series: values that were issued but not used, although later ones were.")
final class GapsCommand extends CliCommand {
    @Parameters(paramLabel = "SERIES", description = "The series' name.")
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
            SlotSeriesInfo unused = OneSeries.find(session, series);
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

package dev.pawl.cli;

import java.util.List;
import java.util.Objects;
import picocli.CommandLine.Command;
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

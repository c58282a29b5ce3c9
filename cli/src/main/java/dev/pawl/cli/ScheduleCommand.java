package dev.pawl.cli;

import static dev.pawl.cli.Output.Column.left;
import static dev.pawl.cli.Output.Column.right;

import dev.pawl.api.Tick;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "schedule",
        mixinStandardHelpOptions = true,
        description = "Show a schedule: its last ticks and their results.")
final class ScheduleCommand extends OneSchedule {
    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "20",
            description = "How many, 1 to 1000. Default: ${DEFAULT-VALUE}")
    private int limit = 20;

    @Override
    public Integer call() {
        Texts.requireRange("--limit", limit, 1, 1000);
        try (DatabaseOptions.Session session = database().openExisting()) {
            if (session.queue().schedules().find(name()).isEmpty()) {
                throw unknown(session);
            }
            output().rows(
                            out(),
                            session.queue().schedules().ticks(name(), limit),
                            List.of(
                                    left("TICK", (Tick tick) -> Texts.time(tick.tick())),
                                    left("CHECKED", tick -> Texts.time(tick.checkedAt())),
                                    left(
                                            "OUTCOME",
                                            tick -> tick.outcome()
                                                    .name()
                                                    .toLowerCase(Locale.ROOT)
                                                    .replace('_', ' ')),
                                    right("JOB", Tick::jobId)),
                            "no ticks of schedule " + name() + " yet");
            return 0;
        }
    }
}

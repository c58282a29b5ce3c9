package dev.pawl.cli;

import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.JobRequest;
import dev.pawl.schedule.Missed;
import dev.pawl.schedule.Overlap;
import dev.pawl.schedule.Recurrence;
import dev.pawl.schedule.ScheduleInfo;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "add",
        mixinStandardHelpOptions = true,
        description = "Add a schedule that no program declares.",
        subcommands = AddCommand.OfSchedule.class)
final class AddCommand {
    @Command(
            name = "schedule",
            mixinStandardHelpOptions = true,
            description = {
                "Add a schedule that no program declares; it stays until it is removed. Its jobs are enqueued by any worker",
                "on the database ('pawl work' is one)."
            })
    static final class OfSchedule extends OneSchedule {
        @Parameters(index = "1", paramLabel = "KIND", description = "Of its jobs.")
        private String kind = "";

        @Parameters(index = "2", paramLabel = "PAYLOAD", arity = "0..1", description = "JSON. Default: {}")
        private @Nullable String payload;

        @Mixin
        private RecurrenceOptions when = new RecurrenceOptions();

        @Option(
                names = "--queue",
                paramLabel = "QUEUE",
                defaultValue = "default",
                description = "The queue of its jobs. Default: ${DEFAULT-VALUE}")
        private String queue = "default";

        @Option(names = "--priority", paramLabel = "N", description = "Smallest first, -32768 to 32767. Default: 0")
        private int priority;

        @Option(
                names = "--max-attempts",
                paramLabel = "N",
                defaultValue = "20",
                description = "Discarded after N failed attempts, 1 to 32767. Default: ${DEFAULT-VALUE}")
        private int maxAttempts = 20;

        @Option(
                names = "--missed",
                paramLabel = "N",
                defaultValue = "1",
                description = "How many of the latest ticks that were missed, because no worker ran, are run later,"
                        + " 0 to 1000. Default: ${DEFAULT-VALUE}")
        private int missed = 1;

        @Option(
                names = "--overlap",
                paramLabel = "skip|queue|allow",
                defaultValue = "skip",
                description =
                        "How to treat a tick while the last job has not ended: skip it, let one wait, or run it beside"
                                + " it. Default: ${DEFAULT-VALUE}")
        private String overlap = "skip";

        @Override
        public Integer call() {
            Recurrence recurrence = when.recurrence();
            Overlap beside = overlapOf(overlap);
            if (missed > 1 && beside != Overlap.ALLOW) {
                throw new UsageException(
                        "--missed " + missed + " makes up for several ticks at once, whose jobs run side by side:"
                                + " give --overlap allow with it, or --missed 1");
            }
            String json = Texts.requireJson("PAYLOAD", payload == null ? "{}" : payload);
            EnqueueOptions options =
                    EnqueueOptions.DEFAULTS.queue(queue).priority(priority).maxAttempts(maxAttempts);
            JobRequest job = new JobRequest(kind, json, options);
            try (DatabaseOptions.Session session = database().open(2)) {
                if (!session.queue().schedules().add(name(), job, recurrence, new Missed(missed), beside)) {
                    throw new UsageException(
                            "there is a schedule " + name() + " already: 'pawl change schedule' changes when"
                                    + " it is due, 'pawl remove schedule' removes it");
                }
                ScheduleInfo added = session.queue().schedules().find(name()).orElseThrow(() -> unknown(session));
                report(
                        added,
                        "schedule " + name() + " is added, " + recurrence.words() + ": next "
                                + SchedulesCommand.next(added));
                return 0;
            }
        }

        private static Overlap overlapOf(String text) {
            return switch (text.toLowerCase(Locale.ROOT)) {
                case "skip" -> Overlap.SKIP;
                case "queue" -> Overlap.QUEUE;
                case "allow" -> Overlap.ALLOW;
                default ->
                    throw new UsageException(
                            "--overlap " + Texts.cut(text) + " is not valid: use skip, queue or allow");
            };
        }
    }
}

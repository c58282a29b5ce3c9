package dev.pawl.cli;

import static dev.pawl.cli.Output.Column.left;
import static dev.pawl.cli.Output.Column.name;
import static dev.pawl.cli.Output.Column.right;

import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.EnqueueResult;
import dev.pawl.api.JobRequest;
import dev.pawl.api.Tick;
import dev.pawl.schedule.Missed;
import dev.pawl.schedule.Overlap;
import dev.pawl.schedule.Recurrence;
import dev.pawl.schedule.ScheduleInfo;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "schedules",
        mixinStandardHelpOptions = true,
        description = "Recurring jobs. Without a subcommand: the state of all schedules.",
        subcommands = {
            SchedulesCommand.Add.class,
            SchedulesCommand.Run.class,
            SchedulesCommand.Pause.class,
            SchedulesCommand.Resume.class,
            SchedulesCommand.Change.class,
            SchedulesCommand.Remove.class,
            SchedulesCommand.Ticks.class
        })
final class SchedulesCommand extends CliCommand {
    @Override
    public Integer call() {
        try (DatabaseOptions.Session session = database().openExisting()) {
            output().rows(
                            out(),
                            session.queue().schedules().list(),
                            List.of(
                                    name("SCHEDULE", ScheduleInfo::name),
                                    left("KIND", ScheduleInfo::kind),
                                    left("QUEUE", ScheduleInfo::queue),
                                    left("WHEN", SchedulesCommand::words),
                                    left("NEXT", SchedulesCommand::next),
                                    left("LAST", schedule -> time(schedule.lastTick())),
                                    right("JOB", ScheduleInfo::lastJobId),
                                    Output.Column.words("NOTE", SchedulesCommand::note)),
                            "no schedules");
            if (!output().isJson()) {
                session.queue()
                        .schedules()
                        .undeclared()
                        .forEach(name -> out().println("schedule " + name
                                + " is declared by a live worker, and is not there: see pawl doctor"));
            }
            return 0;
        }
    }

    private static @Nullable String time(java.time.@Nullable Instant moment) {
        return moment == null ? null : Texts.time(moment);
    }

    /** A newer program may have written a recurrence that this one cannot parse. */
    private static String words(ScheduleInfo schedule) {
        return schedule.recurrence() == null
                ? schedule.text()
                : schedule.recurrence().words();
    }

    private static @Nullable String next(ScheduleInfo schedule) {
        if (schedule.pausedAt() != null) {
            return "paused";
        }
        return schedule.nextAt() == null ? "after its run" : Texts.time(schedule.nextAt());
    }

    private static String note(ScheduleInfo schedule) {
        String origin = switch (schedule.origin()) {
            case DECLARED -> "";
            case DECLARED_OTHERWISE -> "no live program declares it in this form";
            case LEFT_BEHIND -> "no live program declares it";
            case BY_HAND -> "added by hand";
        };
        String changed = schedule.isChanged() ? (origin.isEmpty() ? "" : ", ") + "changed by hand" : "";
        return (schedule.isOverdue() ? "OVERDUE" + (origin.isEmpty() && changed.isEmpty() ? "" : ", ") : "")
                + origin
                + changed;
    }

    /** Base of the commands for one schedule. */
    abstract static class OfOne extends CliCommand {
        @Parameters(paramLabel = "SCHEDULE", index = "0", description = "Its name.")
        private String name = "";

        final String name() {
            return name;
        }

        final NotFoundException unknown() {
            return new NotFoundException("there is no schedule " + name);
        }

        /**
         * @param now text for a schedule that was changed
         * @param before text for a schedule that was already in this state
         * @return the exit code: 0 if it is in the requested state
         */
        final int reportChange(DatabaseOptions.Session session, boolean changed, String now, String before) {
            if (!changed && session.queue().schedules().find(name).isEmpty()) {
                throw unknown();
            }
            report(Map.of("schedule", name, "changed", changed), "schedule " + name + (changed ? now : before));
            return 0;
        }
    }

    @Command(
            name = "add",
            mixinStandardHelpOptions = true,
            description = {
                "Add a schedule that no program declares; it stays until it is removed. Its jobs are enqueued by any worker",
                "on the database ('pawl work' is one)."
            })
    static final class Add extends OfOne {
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
                description = "Of its jobs. Default: ${DEFAULT-VALUE}")
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
                description =
                        "How many of the ticks that passed while no worker was there, the latest ones, are made up"
                                + " for, 0 to 1000. Default: ${DEFAULT-VALUE}")
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
                            "there is a schedule " + name() + " already: 'pawl schedules change' changes when"
                                    + " it is due, 'pawl schedules remove' removes it");
                }
                ScheduleInfo added = session.queue().schedules().find(name()).orElseThrow(this::unknown);
                report(added, "schedule " + name() + " is added, " + recurrence.words() + ": next " + next(added));
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

    @Command(
            name = "run",
            mixinStandardHelpOptions = true,
            description = "Enqueue a job of a schedule now, out of turn.")
    static final class Run extends OfOne {
        @Override
        public Integer call() {
            try (DatabaseOptions.Session session = database().openExisting()) {
                EnqueueResult result =
                        session.queue().schedules().runNow(name()).orElseThrow(this::unknown);
                boolean inserted = result instanceof EnqueueResult.Inserted;
                report(
                        JsonForm.object(
                                "schedule",
                                name(),
                                "jobId",
                                result.jobId(),
                                "result",
                                inserted ? "inserted" : "duplicate"),
                        inserted
                                ? "job " + result.jobId() + " is enqueued"
                                : "job " + result.jobId() + " of the schedule has not ended: nothing is enqueued");
                return inserted ? 0 : 1;
            }
        }
    }

    @Command(
            name = "pause",
            mixinStandardHelpOptions = true,
            description = "Stop a schedule until it is resumed; ticks in between are not made up for.")
    static final class Pause extends OfOne {
        @Override
        public Integer call() {
            try (DatabaseOptions.Session session = database().openExisting()) {
                return reportChange(
                        session, session.queue().schedules().pause(name()), " is paused", " was paused already");
            }
        }
    }

    @Command(name = "resume", mixinStandardHelpOptions = true, description = "Resume a paused schedule.")
    static final class Resume extends OfOne {
        @Override
        public Integer call() {
            try (DatabaseOptions.Session session = database().openExisting()) {
                return reportChange(
                        session, session.queue().schedules().resume(name()), " runs again", " was not paused");
            }
        }
    }

    @Command(
            name = "change",
            mixinStandardHelpOptions = true,
            description = {
                "Change when a schedule is due. A program that declares it with the same recurrence as before does not undo",
                "this; one that declares a different recurrence does."
            })
    static final class Change extends OfOne {
        @Mixin
        private RecurrenceOptions when = new RecurrenceOptions();

        @Override
        public Integer call() {
            Recurrence recurrence = when.recurrence();
            try (DatabaseOptions.Session session = database().openExisting()) {
                if (!session.queue().schedules().change(name(), recurrence)) {
                    throw unknown();
                }
                ScheduleInfo changed = session.queue().schedules().find(name()).orElseThrow(this::unknown);
                report(changed, "schedule " + name() + " is due " + recurrence.words() + ": next " + next(changed));
                return 0;
            }
        }
    }

    @Command(
            name = "remove",
            mixinStandardHelpOptions = true,
            description = "Remove a schedule; its jobs stay. A program that declares it brings it back when it starts.")
    static final class Remove extends OfOne {
        @Override
        public Integer call() {
            try (DatabaseOptions.Session session = database().openExisting()) {
                if (!session.queue().schedules().remove(name())) {
                    throw unknown();
                }
                report(Map.of("schedule", name(), "removed", true), "schedule " + name() + " is removed");
                return 0;
            }
        }
    }

    @Command(
            name = "ticks",
            mixinStandardHelpOptions = true,
            description = "List a schedule's last ticks and their results.")
    static final class Ticks extends OfOne {
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
                    throw unknown();
                }
                output().rows(
                                out(),
                                session.queue().schedules().ticks(name(), limit),
                                List.of(
                                        left("TICK", (Tick tick) -> Texts.time(tick.tick())),
                                        left("SEEN TO", tick -> Texts.time(tick.lookedAt())),
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
}

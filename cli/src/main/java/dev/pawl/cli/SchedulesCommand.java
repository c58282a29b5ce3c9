package dev.pawl.cli;

import static dev.pawl.cli.Output.Column.left;
import static dev.pawl.cli.Output.Column.name;
import static dev.pawl.cli.Output.Column.right;

import dev.pawl.schedule.ScheduleInfo;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;

@Command(
        name = "schedules",
        mixinStandardHelpOptions = true,
        description = "List the recurring jobs: when they are due, and the time and job of their last tick.")
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
                                + " is declared by a live worker, but does not exist: see pawl doctor"));
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

    static @Nullable String next(ScheduleInfo schedule) {
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
}

package dev.pawl.cli;

import dev.pawl.schedule.Recurrence;
import dev.pawl.schedule.ScheduleInfo;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
        name = "change",
        mixinStandardHelpOptions = true,
        description = "Change when a schedule is due.",
        subcommands = ChangeCommand.OfSchedule.class)
final class ChangeCommand {
    @Command(
            name = "schedule",
            mixinStandardHelpOptions = true,
            description = {
                "Change when a schedule is due. A program that declares it with the same recurrence as before does not undo",
                "this; one that declares a different recurrence does."
            })
    static final class OfSchedule extends OneSchedule {
        @Mixin
        private RecurrenceOptions when = new RecurrenceOptions();

        @Override
        public Integer call() {
            Recurrence recurrence = when.recurrence();
            try (DatabaseOptions.Session session = database().openExisting()) {
                if (!session.queue().schedules().change(name(), recurrence)) {
                    throw unknown(session);
                }
                ScheduleInfo changed = session.queue().schedules().find(name()).orElseThrow(() -> unknown(session));
                report(
                        changed,
                        "schedule " + name() + " is due " + recurrence.words() + ": next "
                                + SchedulesCommand.next(changed));
                return 0;
            }
        }
    }
}

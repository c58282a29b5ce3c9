package dev.pawl.cli;

import dev.pawl.schedule.ScheduleInfo;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Parameters;

/** Base of the commands for one schedule. */
abstract class OneSchedule extends CliCommand {
    @Parameters(paramLabel = "SCHEDULE", index = "0", description = "The schedule's name.")
    private String name = "";

    final String name() {
        return name;
    }

    final NotFoundException unknown(DatabaseOptions.Session session) {
        List<String> names = session.queue().schedules().list().stream()
                .map(ScheduleInfo::name)
                .toList();
        return new NotFoundException("there is no schedule " + name + NearestNames.question(name, names));
    }

    /**
     * @param now text for a schedule that was changed
     * @param before text for a schedule that was in the requested state already
     * @return the exit code: 0 if it is in the requested state
     */
    final int reportChange(DatabaseOptions.Session session, boolean changed, String now, String before) {
        if (!changed && session.queue().schedules().find(name).isEmpty()) {
            throw unknown(session);
        }
        report(Map.of("schedule", name, "changed", changed), "schedule " + name + (changed ? now : before));
        return 0;
    }
}

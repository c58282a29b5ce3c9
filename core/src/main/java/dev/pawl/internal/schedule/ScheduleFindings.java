package dev.pawl.internal.schedule;

import dev.pawl.admin.Finding;
import dev.pawl.admin.Finding.Level;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.schedule.ScheduleInfo;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reports schedules that are late, missing, or not as live programs declare them. */
final class ScheduleFindings {
    private ScheduleFindings() {}

    static List<Finding> of(Database database) throws SQLException {
        ScheduleList schedules = new ScheduleList(database, new ScheduleForms(payload -> payload));
        List<Finding> findings = new ArrayList<>();
        for (ScheduleInfo schedule : schedules.list()) {
            Finding finding = finding(schedule);
            if (finding != null) {
                findings.add(finding);
            }
        }
        for (String name : schedules.undeclared()) {
            findings.add(finding(
                    Level.WARNING,
                    name,
                    "a live worker declares it, but it is not in the database, so it enqueues no jobs: the worker's log"
                            + " says why it cannot be declared. If it was removed, it is restored when that program"
                            + " starts again"));
        }
        return findings;
    }

    private static @Nullable Finding finding(ScheduleInfo schedule) {
        if (schedule.isOverdue()) {
            return finding(
                    Level.WARNING,
                    schedule.name(),
                    "its tick of " + schedule.nextAt()
                            + " is more than a minute late, because no live worker handles it; start a worker on"
                            + " this database, one that declares the schedule if it excludes days");
        } else if (schedule.origin() == ScheduleInfo.Origin.LEFT_BEHIND) {
            return finding(
                    Level.ADVICE,
                    schedule.name(),
                    "no live program declares it, but it goes on; remove it if it is no longer wanted");
        } else if (schedule.origin() == ScheduleInfo.Origin.DECLARED_OTHERWISE) {
            return finding(
                    Level.WARNING,
                    schedule.name(),
                    "live programs declare it, but none in the form that is in force; if this lasts for more than a minute,"
                            + " their logs say why they cannot declare it");
        }
        return null;
    }

    private static Finding finding(Level level, String schedule, String message) {
        return new Finding(level, "schedule " + schedule, message);
    }
}

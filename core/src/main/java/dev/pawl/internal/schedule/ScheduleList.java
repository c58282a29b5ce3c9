package dev.pawl.internal.schedule;

import dev.pawl.internal.jdbc.Database;
import dev.pawl.schedule.Recurrence;
import dev.pawl.schedule.ScheduleInfo;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Lists the schedules for users. */
final class ScheduleList {
    private final Database database;
    private final ScheduleRows rows;
    private final ScheduleForms forms;

    ScheduleList(Database database, ScheduleForms forms) {
        this.database = database;
        this.rows = new ScheduleRows(database.dialect());
        this.forms = forms;
    }

    /** {@return all schedules, by name} */
    List<ScheduleInfo> list() throws SQLException {
        return database.autocommit(connection -> {
            LiveDeclarations alive = rows.declaredByTheLiving(connection);
            Instant now = rows.now(connection);
            return rows.all(connection).stream()
                    .map(row -> info(row, alive, now))
                    .toList();
        });
    }

    /** {@return names of schedules that do not exist although live workers declare them and have had time to write them} */
    List<String> undeclared() throws SQLException {
        return database.autocommit(connection -> {
            Set<String> names = new HashSet<>(rows.longDeclared(connection).names());
            if (!names.isEmpty()) {
                rows.all(connection).forEach(row -> names.remove(row.name()));
            }
            return names.stream().sorted().toList();
        });
    }

    private ScheduleInfo info(ScheduleRow row, LiveDeclarations alive, Instant now) {
        ScheduleInfo.Origin origin = alive.has(row.name())
                ? alive.has(row.name(), forms.of(row))
                        ? ScheduleInfo.Origin.DECLARED
                        : ScheduleInfo.Origin.DECLARED_OTHERWISE
                : row.declared() == null ? ScheduleInfo.Origin.BY_HAND : ScheduleInfo.Origin.LEFT_BEHIND;
        return new ScheduleInfo(
                row.name(),
                row.job().kind(),
                row.job().options().queue(),
                row.job().payload(),
                readable(row),
                row.when(),
                row.missed(),
                row.overlap(),
                row.nextAt(),
                row.lastTick(),
                row.lastJobId(),
                row.pausedAt(),
                origin,
                row.isChanged(),
                row.nextCheckAt() != null
                        && Duration.between(row.nextCheckAt(), now).compareTo(Firing.LATE) > 0);
    }

    private static @Nullable Recurrence readable(ScheduleRow row) {
        try {
            return row.recurrence();
        } catch (IllegalArgumentException newer) {
            return null;
        }
    }
}

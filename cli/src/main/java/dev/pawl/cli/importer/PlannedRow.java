package dev.pawl.cli.importer;

import dev.pawl.JobRequest;
import org.jspecify.annotations.Nullable;

/**
 * What is to become of a row.
 *
 * @param found the row
 * @param request the job, or that of each tick; null if it is refused
 * @param result what is to become of it
 * @param note why
 */
record Planned(
        Found found,
        @Nullable JobRequest request,
        Line.Result result,
        @Nullable String note) {
    static Planned refused(Found found, @Nullable String why) {
        return new Planned(found, null, Line.Result.REFUSED, why);
    }

    Planned as(Line.Result newResult, @Nullable String newNote) {
        return new Planned(found, request, newResult, newNote);
    }

    Line line() {
        Timetable timetable = found.timetable();
        return new Line(
                found.isSchedule() ? Line.What.SCHEDULE : Line.What.JOB,
                timetable == null ? found.id() : timetable.schedule(),
                found.peerName(),
                request == null ? null : request.kind(),
                timetable == null
                        ? found.isSchedule() || result == Line.Result.REFUSED ? "" : Line.when(found.due())
                        : timetable.recurrence().words(),
                1,
                result,
                note);
    }
}

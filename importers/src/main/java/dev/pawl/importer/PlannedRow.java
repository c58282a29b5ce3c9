package dev.pawl.importer;

import dev.pawl.api.JobRequest;
import dev.pawl.cli.ImportLine;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The plan for a row.
 *
 * @param found the row
 * @param request the job, or the job of each tick of a schedule; null if the row is refused
 * @param result to be reported
 * @param note the reason
 */
record PlannedRow(
        PeerRow found,
        @Nullable JobRequest request,
        ImportLine.Result result,
        @Nullable String note) {
    private static final String NOW = "now";

    static PlannedRow refused(PeerRow found, @Nullable String why) {
        return new PlannedRow(found, null, ImportLine.Result.REFUSED, why);
    }

    PlannedRow as(ImportLine.Result newResult, @Nullable String newNote) {
        return new PlannedRow(found, request, newResult, newNote);
    }

    ImportLine line() {
        Timetable timetable = found.timetable();
        return new ImportLine(
                found.isSchedule() ? ImportLine.What.SCHEDULE : ImportLine.What.JOB,
                timetable == null ? found.id() : timetable.schedule(),
                found.peerName(),
                request == null ? null : request.kind(),
                timetable == null
                        ? found.isSchedule() || result == ImportLine.Result.REFUSED ? "" : when(found.due())
                        : timetable.recurrence().words(),
                1,
                result,
                note);
    }

    private static String when(@Nullable Instant due) {
        return due == null ? NOW : due.toString();
    }

    /** {@return the earlier of two moments as text} */
    static String earlier(String one, String other) {
        if (one.equals(NOW) || other.equals(NOW)) {
            return NOW;
        }
        // The comparison leaves out the Z, which would sort 12:00:00Z after 12:00:00.5Z.
        return one.replace("Z", "").compareTo(other.replace("Z", "")) < 0 ? one : other;
    }
}

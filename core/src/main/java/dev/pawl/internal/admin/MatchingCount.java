package dev.pawl.internal.admin;

import dev.pawl.admin.Admin;
import dev.pawl.admin.Choice;
import dev.pawl.admin.JobChange;
import dev.pawl.admin.JobCount;
import dev.pawl.admin.JobFilter;
import dev.pawl.api.JobState;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.RowStates;
import dev.pawl.internal.jdbc.Sql;
import dev.pawl.internal.place.JobPlaces;
import dev.pawl.internal.place.PlaceReads;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Counts the jobs that a change would affect, up to a maximum or until a timeout. Confined to one call. */
final class MatchingCount {
    private final Database database;
    private final Dialect dialect;
    private final JobQueries jobQueries;
    private final List<PlaceReads> places;
    private final MatchingJobs which;
    private final JobFilter filter;
    /** The number at which counting stops; {@link Long#MAX_VALUE} for none. */
    private long max = Long.MAX_VALUE;
    /** Only jobs with greater ids are counted. */
    private long floor;

    /** When counting stops, by {@link System#nanoTime}; null for never. */
    private @Nullable Long deadline;

    private boolean isTimedOut;

    /**
     * @param database the pool and the dialect
     * @param jobQueries turns the filter into SQL
     * @param which the jobs
     */
    MatchingCount(Database database, JobQueries jobQueries, MatchingJobs which) {
        this.database = database;
        this.dialect = database.dialect();
        this.jobQueries = jobQueries;
        this.places = JobPlaces.reads(dialect);
        this.which = which;
        this.filter = which.filter();
    }

    /** Counts up to a limit, and only the newest jobs of each table, for callers that wait for the answer. */
    JobCount countNewest(JobChange change, int upTo) throws SQLException {
        boolean isAll = jobQueries.ofRows(filter).sql().isEmpty()
                && filter.states().isAll()
                && !(change instanceof JobChange.Retry); // which skips completed jobs
        JobFilter counted = !filter.states().isAll()
                ? filter
                : change instanceof JobChange.Delete
                        ? filter.state(JobState.COMPLETED)
                        : change instanceof JobChange.Retry || change instanceof JobChange.Erase
                                ? filter
                                : filter.states(Choice.of(List.of(RowStates.waiting())));
        floor = isAll || filter.id() != null
                ? 0
                : database.autocommit(connection -> jobQueries.floor(connection, counted));
        // Without any limit, jobs are counted page by page, because they might not fit into a list.
        max = upTo == Admin.UNLIMITED && floor == 0 ? Long.MAX_VALUE : upTo + 1L;
        long count = count(change);
        return new JobCount(Math.min(upTo, count), count > upTo || floor > 0);
    }

    /** Counts exactly, unless that takes longer than the timeout, which is checked between statements. */
    JobCount count(JobChange change, Duration timeout) throws SQLException {
        deadline = System.nanoTime() + timeout.toNanos();
        long count = count(change);
        return new JobCount(count, isTimedOut);
    }

    private boolean checkTimeout() {
        isTimedOut |= deadline != null && System.nanoTime() - deadline >= 0;
        return isTimedOut;
    }

    /** {@return how many jobs a change would affect now} */
    private long count(JobChange change) throws SQLException {
        long count = 0;
        if (change instanceof JobChange.Delete || change instanceof JobChange.Erase) {
            count += count(MatchingJobs.finished()) + countWithoutRows(JobState.COMPLETED);
        }
        if (change instanceof JobChange.Retry) {
            count += count(which.ended()) + (which.retriesCompleted() ? countWithoutRows(JobState.COMPLETED) : 0);
        }
        if (change instanceof JobChange.Retry) {
            count += count(which.delayed());
        } else if (!(change instanceof JobChange.Delete)) {
            count += count(change instanceof JobChange.Reschedule ? MatchingJobs.reschedulable() : MatchingJobs.WAITING)
                    + countWithoutRows(JobState.AVAILABLE);
        }
        if (change instanceof JobChange.Erase) {
            count += count(MatchingJobs.MARKED);
        }
        if (change instanceof JobChange.Cancel || change instanceof JobChange.Erase) {
            count += count(MatchingJobs.RUNNING) + countWithoutRows(JobState.RUNNING);
        }
        return count;
    }

    private long count(MatchingJobs.Place place) throws SQLException {
        if (!which.isWanted(place)) {
            return 0;
        }
        if (max < Long.MAX_VALUE) {
            return database.autocommit(
                    connection -> countSome(connection, place, floor, Long.MAX_VALUE, " LIMIT " + max));
        }
        return countByRanges(place);
    }

    /** Counts ranges of ids, so that the timeout can be checked between them. Skips gaps of ids, which may be large. */
    private long countByRanges(MatchingJobs.Place place) throws SQLException {
        long count = 0;
        RangeWidth width = new RangeWidth();
        for (long top = which.newest(); top > 0 && !checkTimeout(); ) {
            long began = System.nanoTime();
            long upTo = top;
            long above = Math.max(0, top - width.ids());
            long some = database.autocommit(connection -> countSome(connection, place, above, upTo, ""));
            width.took(Duration.ofNanos(System.nanoTime() - began));
            count += some;
            top = some > 0 || above == 0 ? above : newest(place, above);
        }
        return count;
    }

    /** {@return the greatest id in a table that is not greater than a given id; 0 if there is none} */
    private long newest(MatchingJobs.Place place, long upTo) throws SQLException {
        Sql sql = dialect.statement("SELECT id FROM " + place.table() + " WHERE id <= ? ORDER BY id DESC LIMIT 1");
        return database.autocommit(connection ->
                sql.on(connection, upTo).first(row -> row.getLong(1)).orElse(0L));
    }

    private long countSome(Connection connection, MatchingJobs.Place place, long above, long upTo, String limit)
            throws SQLException {
        List<Object> values = new ArrayList<>();
        String where = which.where(place, values);
        values.add(above);
        values.add(upTo);
        boolean areFew = place.equals(MatchingJobs.RUNNING) || place.equals(MatchingJobs.MARKED); // with an index
        Sql sql = dialect.planned("SELECT COUNT(*) FROM (SELECT 1 AS one FROM "
                + (areFew ? place.table() : dialect.alongIds(place.table())) + where
                + " AND id > ? AND id <= ?" + limit + ") matching");
        return sql.on(connection, values.toArray()).one(row -> row.getLong(1));
    }

    private long countWithoutRows(JobState state) throws SQLException {
        long[] count = new long[1];
        if (max == Long.MAX_VALUE) {
            which.eachPageOfParts(state, () -> !checkTimeout(), (part, page) -> count[0] += page.size());
        } else if (!JobQueries.needsRow(filter) && which.isWanted(state)) {
            for (PlaceReads place : places) {
                count[0] += database.autocommit(connection -> place.list(
                                connection,
                                filter.queues()::fits,
                                each -> each == state,
                                jobQueries.common(filter),
                                floor,
                                (int) Math.min(max, Integer.MAX_VALUE),
                                false))
                        .size();
            }
        }
        return count[0];
    }
}

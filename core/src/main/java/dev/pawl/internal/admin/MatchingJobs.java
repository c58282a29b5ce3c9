package dev.pawl.internal.admin;

import dev.pawl.admin.JobFilter;
import dev.pawl.api.Job;
import dev.pawl.api.JobState;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.RowStates;
import dev.pawl.internal.jdbc.Sql;
import dev.pawl.internal.place.Conditions;
import dev.pawl.internal.place.JobPlaces;
import dev.pawl.internal.place.PlacePart;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * Finds the jobs that match a filter and existed at the start, page by page. Searches the jobs with rows, the history, and the jobs that
 * are stored elsewhere ({@link JobPlaces}). Confined to one call.
 */
final class MatchingJobs {
    static final int PAGE = 500;
    /** Page size for jobs with payloads. */
    private static final int SMALL_PAGE = 100;

    private static final Set<JobState> FINISHED = EnumSet.copyOf(
            Stream.of(JobState.values()).filter(JobState::isFinished).toList());

    static final Place WAITING = Place.live(RowStates.waiting());
    /** Completed jobs that will soon move to the history. */
    static final Place MARKED = Place.live(JobState.COMPLETED);

    static final Place RUNNING = Place.live(JobState.RUNNING);
    /** Jobs that wait or run. A job that changes from one to the other is still found here. */
    static final Place LIVE = new Place(
            "pawl_job",
            RowStates.LIVE,
            EnumSet.copyOf(Stream.of(JobState.values())
                    .filter(state -> !state.isFinished())
                    .toList()));
    /** Includes jobs that finish during the search. */
    static final Place ENDED = new Place("pawl_job_history", "1 = 1", FINISHED);

    private final Database database;
    private final Dialect dialect;
    private final JobQueries jobQueries;
    private final JobFilter filter;
    private final Instant start;
    private final long newest;
    private final List<PlacePart> parts;

    /**
     * @param database the pool and the dialect
     * @param jobQueries turns the filter into SQL
     * @param filter which jobs
     * @throws SQLException from the driver
     */
    MatchingJobs(Database database, JobQueries jobQueries, JobFilter filter) throws SQLException {
        this.database = database;
        this.dialect = database.dialect();
        this.jobQueries = jobQueries;
        this.filter = filter;
        this.start = database.autocommit(connection -> Present.of(connection, dialect));
        this.parts = JobQueries.needsRow(filter)
                ? List.of()
                : JobPlaces.parts(database).stream()
                        .filter(part -> filter.queues().fits(part.queue()))
                        .toList();
        this.newest = database.autocommit(this::newest);
    }

    /**
     * A part of a table.
     *
     * @param table of rows
     * @param condition on them
     * @param states in which the jobs may be
     */
    record Place(String table, String condition, Set<JobState> states) {
        static Place live(JobState... states) {
            return live("", states);
        }

        /**
         * @param and a further condition, which begins with AND; may be empty
         */
        static Place live(String and, JobState... states) {
            return new Place("pawl_job", RowStates.isIn(states) + and, EnumSet.copyOf(List.of(states)));
        }
    }

    /** {@return the greatest id of a job that may match} */
    private long newest(Connection connection) throws SQLException {
        Long one = filter.id();
        if (one != null) {
            return one;
        }
        long newest = 0;
        for (String table : new String[] {"pawl_job", "pawl_job_history"}) {
            Sql greatest = dialect.statement("SELECT MAX(id) FROM " + table);
            newest = Math.max(newest, greatest.on(connection).one(row -> row.getLong(1)));
        }
        for (PlacePart part : parts) {
            newest = Math.max(newest, part.newest(connection));
        }
        return newest;
    }

    JobFilter filter() {
        return filter;
    }

    /** {@return the time at the start} */
    Instant start() {
        return start;
    }

    /** {@return the greatest id at the start} */
    long newest() {
        return newest;
    }

    /** {@return the parts of {@link JobPlaces} that may have matching jobs} */
    List<PlacePart> parts() {
        return parts;
    }

    /** Jobs that had finished at the start, in contrast to {@link #ENDED}. */
    static Place finished() {
        return new Place("pawl_job_history", "finished_at <= %s", FINISHED);
    }

    /** Completed jobs are retried only if the filter names their state or their id. */
    boolean retriesCompleted() {
        return retries(JobState.COMPLETED);
    }

    /** A retry takes discarded jobs, and jobs in other states only if the filter names their state or their id. */
    private boolean retries(JobState state) {
        return state == JobState.DISCARDED || filter.states().names(state) || filter.id() != null;
    }

    /** Finished jobs that a retry may revive. */
    Place ended() {
        JobState[] states = FINISHED.stream().filter(this::retries).toArray(JobState[]::new);
        return new Place(
                "pawl_job_history", "finished_at <= %s AND " + RowStates.isIn(states), EnumSet.copyOf(List.of(states)));
    }

    /**
     * Jobs whose time has not come: jobs that wait for a retry, and if the filter names their state or id, also jobs that wait for their
     * first attempt. A job that waits for a retry is in the state blocked if other jobs of its concurrency key may run before the retry.
     */
    Place delayed() {
        JobState[] states = {JobState.AVAILABLE, JobState.BLOCKED};
        JobState[] named = Arrays.stream(states).filter(this::retries).toArray(JobState[]::new);
        String failed = named.length == 0 ? "attempt > 0" : "(attempt > 0 OR " + RowStates.isIn(named) + ")";
        return Place.live(" AND available_at > " + dialect.now() + " AND " + failed, states);
    }

    /** Waiting jobs whose time can be changed: available and blocked ones, but not pending or paused ones. */
    static Place reschedulable() {
        return Place.live(JobState.AVAILABLE, JobState.BLOCKED);
    }

    /** {@return whether jobs in such a state may match} */
    boolean isWanted(JobState state) {
        return filter.states().fits(state);
    }

    /** {@return whether some jobs of this part may match} */
    boolean isWanted(Place place) {
        return place.states.stream().anyMatch(this::isWanted);
    }

    /** {@return the ids of the next page, descending} */
    List<Long> page(Place place, long below) throws SQLException {
        return database.autocommit(connection -> page(connection, place, below));
    }

    private List<Long> page(Connection connection, Place place, long below) throws SQLException {
        List<Object> values = new ArrayList<>();
        String where = where(place, values);
        values.add(below);
        String sql = "SELECT id FROM " + place.table + where + " AND id < ? ORDER BY id DESC LIMIT " + PAGE;
        return dialect.planned(sql).on(connection, values.toArray()).longs();
    }

    /** Locks the jobs of a page that still match: a job may have moved to another queue since the page was read. */
    List<Long> lock(Connection connection, Place place, List<Long> ids) throws SQLException {
        List<Object> values = new ArrayList<>();
        // The condition is written so that the database finds the jobs by their ids, and uses no index on states.
        Place byId = new Place(place.table, dialect.byId(place.condition), place.states);
        String where = where(byId, values);
        String sql = "SELECT id FROM " + place.table + where + " AND " + dialect.anyOf("id", ids.size())
                + " ORDER BY id " + dialect.skipLocked();
        return dialect.planned(sql).on(connection, values.toArray()).bind(ids).longs();
    }

    /** {@return the conditions of a place and of the filter; adds their values} */
    String where(Place place, List<Object> values) {
        StringBuilder where = new StringBuilder(" WHERE ");
        if (place.condition.contains("%s")) { // leaves out jobs that finished after the start, perhaps by this call
            where.append(place.condition.formatted(dialect.moment()));
            values.add(start);
        } else {
            where.append(place.condition);
        }
        Conditions conditions = jobQueries.ofRows(filter);
        where.append(conditions.sql());
        values.addAll(conditions.values());
        if (place.states.size() > 1) {
            JobQueries.choose(where, values, "state", filter.states(), JobState::code);
        }
        return where.toString();
    }

    /** Handles a page of jobs without rows, by descending ids. */
    interface PartStep {
        void apply(PlacePart part, List<Long> ids) throws SQLException;
    }

    /**
     * Pages through the matching jobs that have no rows. Includes those that finish during the search, because jobs that were claimed
     * together share one time, that of their last outcome. Each job is found once, and a job that is retried gets a row.
     */
    void eachPageOfParts(JobState state, PartStep step) throws SQLException {
        eachPageOfParts(state, () -> true, step);
    }

    /**
     * The same, for callers that may stop early.
     *
     * @param goesOn called before each page; false ends the search
     */
    void eachPageOfParts(JobState state, BooleanSupplier goesOn, PartStep step) throws SQLException {
        if (!isWanted(state)) {
            return;
        }
        for (PlacePart part : parts) {
            long below = newest + 1;
            while (!Thread.currentThread().isInterrupted() && goesOn.getAsBoolean()) {
                long end = below;
                List<Job> page = database.autocommit(
                        connection -> part.page(connection, state, jobQueries.common(before(end)), SMALL_PAGE));
                if (page.isEmpty()) {
                    break;
                }
                below = page.stream().mapToLong(Job::id).min().orElse(0);
                step.apply(
                        part,
                        page.stream()
                                .map(Job::id)
                                .sorted(Comparator.reverseOrder())
                                .toList());
            }
        }
    }

    private JobFilter before(long id) {
        return filter.beforeId() == null || filter.beforeId() > id ? filter.before(id) : filter;
    }
}

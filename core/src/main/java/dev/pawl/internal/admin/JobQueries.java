package dev.pawl.internal.admin;

import dev.pawl.admin.Choice;
import dev.pawl.admin.FailedAttempt;
import dev.pawl.admin.JobFilter;
import dev.pawl.admin.JobLogLine;
import dev.pawl.admin.JobPage;
import dev.pawl.api.Job;
import dev.pawl.api.JobState;
import dev.pawl.internal.codec.JsonStrings;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.JobRows;
import dev.pawl.internal.jdbc.Sql;
import dev.pawl.internal.place.Conditions;
import dev.pawl.internal.place.JobPlaces;
import dev.pawl.internal.place.PlaceReads;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads jobs for administration, from the live table and the history as if they were one. */
final class JobQueries {
    /** Maximum number of jobs that an interactive query reads from each table. */
    private static final int MAX_EXAMINED = 30_000;

    private static final int MAX_AT_ONCE = 500;

    private final Dialect dialect;
    private final List<PlaceReads> places;

    public JobQueries(Dialect dialect) {
        this.dialect = dialect;
        this.places = JobPlaces.reads(dialect);
    }

    public Optional<Job> find(Connection connection, long jobId) throws SQLException {
        // Reads the rows, the other places of jobs, and the rows again, because a job may move from a place to a row
        // between the first two reads.
        Optional<Job> found = findRow(connection, jobId);
        for (PlaceReads place : places) {
            found = found.isPresent() ? found : place.find(connection, jobId);
        }
        return found.isPresent() ? found : findRow(connection, jobId);
    }

    /** {@return when a blocked job is due; empty if it is due already, and waits only for other jobs of its key} */
    Optional<Instant> dueAt(Connection connection, long jobId) throws SQLException {
        String sql = "SELECT available_at FROM pawl_job WHERE id = ? AND " + dialect.isIn(JobState.BLOCKED)
                + " AND available_at > " + dialect.now();
        return dialect.statement(sql)
                .on(connection, jobId)
                .first(rows -> Objects.requireNonNull(dialect.moment(rows, "available_at")));
    }

    /** {@return the jobs that exist; rows are read in bulk, jobs of other places one by one} */
    public Map<Long, Job> findAll(Connection connection, List<Long> ids) throws SQLException {
        Map<Long, Job> found = new TreeMap<>();
        for (int from = 0; from < ids.size(); from += MAX_AT_ONCE) {
            List<Long> some = ids.subList(from, Math.min(ids.size(), from + MAX_AT_ONCE));
            // history first, so that a job that a retry moves to the live table in between is found there
            for (boolean live : new boolean[] {false, true}) {
                for (Job job : readAll(connection, live, some)) {
                    found.put(job.id(), job);
                }
            }
        }
        for (long id : ids) {
            if (!found.containsKey(id)) {
                find(connection, id).ifPresent(job -> found.put(id, job));
            }
        }
        return found;
    }

    /** {@return the states of the jobs that exist} Reads no other columns of rows. */
    Map<Long, JobState> states(Connection connection, List<Long> ids) throws SQLException {
        Map<Long, JobState> found = new TreeMap<>();
        for (int from = 0; from < ids.size(); from += MAX_AT_ONCE) {
            List<Long> some = ids.subList(from, Math.min(ids.size(), from + MAX_AT_ONCE));
            // live table first, so that a job that finishes in between is found in the history
            for (String table : new String[] {"pawl_job", "pawl_job_history"}) {
                Sql sql = dialect.planned(
                        "SELECT id, state FROM " + table + " WHERE " + dialect.anyOf("id", some.size()));
                sql.on(connection, some).each(rows -> found.put(rows.getLong(1), JobState.ofCode(rows.getInt(2))));
            }
        }
        for (long id : ids) {
            if (!found.containsKey(id)) {
                find(connection, id).ifPresent(job -> found.put(id, job.state()));
            }
        }
        return found;
    }

    private List<Job> readAll(Connection connection, boolean live, List<Long> ids) throws SQLException {
        Sql sql = dialect.planned(
                "SELECT " + (live ? JobRows.LIVE + " FROM pawl_job" : JobRows.FINISHED + " FROM pawl_job_history")
                        + " WHERE " + dialect.anyOf("id", ids.size()));
        return sql.on(connection, ids)
                .list(rows -> live ? JobRows.live(dialect, rows) : JobRows.finished(dialect, rows));
    }

    /** {@return the result of a completed job} */
    public Optional<String> result(Connection connection, long jobId) throws SQLException {
        Optional<Job> job = find(connection, jobId).filter(each -> each.state() == JobState.COMPLETED);
        if (job.isEmpty()) {
            return Optional.empty();
        }
        Sql sql = dialect.statement("SELECT result FROM pawl_result WHERE job_id = ? AND lease_token = ?");
        return sql.on(connection, jobId, job.get().leaseToken()).first(row -> row.getString(1));
    }

    /**
     * Reads the live table before and after the history, because a job moves to the history when it finishes, and back when it is retried.
     */
    private Optional<Job> findRow(Connection connection, long jobId) throws SQLException {
        for (boolean live : new boolean[] {true, false, true}) {
            List<Job> found = read(connection, live, " WHERE id = ?", List.of(jobId), 1, true);
            if (!found.isEmpty()) {
                return Optional.of(found.get(0));
            }
        }
        return Optional.empty();
    }

    public List<Job> list(Connection connection, JobFilter filter) throws SQLException {
        return list(connection, filter, 0, true);
    }

    /** Reads a bounded number of jobs, without payloads. */
    public JobPage page(Connection connection, JobFilter filter) throws SQLException {
        boolean isAny = filter.states().isAll()
                && ofRows(filter.before(Long.MAX_VALUE))
                        .sql()
                        .equals(ofRows(JobFilter.ALL.before(Long.MAX_VALUE)).sql());
        long above = isAny || filter.id() != null ? 0 : floor(connection, filter);
        List<Job> jobs = list(connection, filter, above, false);
        if (jobs.size() == filter.limit()) {
            return new JobPage(jobs, jobs.get(jobs.size() - 1).id(), false);
        }
        return above == 0 ? new JobPage(jobs, null, false) : new JobPage(jobs, above + 1, true);
    }

    /** {@return the greatest id that an interactive query does not read; 0 if it reads all} */
    long floor(Connection connection, JobFilter filter) throws SQLException {
        Long before = filter.beforeId();
        long below = before == null ? Long.MAX_VALUE : before;
        long floor = 0;
        if (mayBeLive(filter)) {
            floor = Math.max(floor, floor(connection, "pawl_job", below));
        }
        if (mayBeFinished(filter)) {
            floor = Math.max(floor, floor(connection, "pawl_job_history", below));
        }
        for (PlaceReads place : placesOf(filter)) {
            floor = Math.max(floor, place.floor(connection, filter.queues()::fits, below, MAX_EXAMINED));
        }
        return floor;
    }

    private long floor(Connection connection, String table, long below) throws SQLException {
        Sql sql = dialect.statement(
                "SELECT id FROM " + table + " WHERE id < ? ORDER BY id DESC LIMIT 1 OFFSET " + MAX_EXAMINED);
        return sql.on(connection, below).first(row -> row.getLong(1)).orElse(0L);
    }

    /** {@return the places, in addition to the rows, that may have matching jobs} */
    private List<PlaceReads> placesOf(JobFilter filter) {
        return !needsRow(filter) && (mayBeLive(filter) || filter.states().fits(JobState.COMPLETED))
                ? places
                : List.of();
    }

    private static boolean mayBeLive(JobFilter filter) {
        return Stream.of(JobState.values())
                .anyMatch(state -> !state.isFinished() && filter.states().fits(state));
    }

    /** {@return whether finished jobs may match} */
    static boolean mayBeFinished(JobFilter filter) {
        return Stream.of(JobState.values())
                .anyMatch(state -> state.isFinished() && filter.states().fits(state));
    }

    /**
     * @param above only jobs with a greater id
     * @param payloads whether to read them; else each is empty
     */
    private List<Job> list(Connection connection, JobFilter filter, long above, boolean payloads) throws SQLException {
        Conditions common = common(filter);
        Conditions ofRows = ofRows(filter);
        List<Object> values = new ArrayList<>(ofRows.values());
        StringBuilder where = new StringBuilder(" WHERE 1 = 1" + ofRows.sql());
        choose(where, values, "state", filter.states(), JobState::code);
        and(where, values, "id > ?", above == 0 ? null : above);
        List<Job> found = new ArrayList<>();
        for (PlaceReads place : placesOf(filter)) {
            // Places are read before rows, so that a job that gets a row after this read is found by its row.
            found.addAll(place.list(
                    connection, filter.queues()::fits, filter.states()::fits, common, above, filter.limit(), payloads));
        }
        if (mayBeLive(filter)) {
            found.addAll(read(connection, true, where.toString(), values, filter.limit(), payloads));
        }
        if (mayBeFinished(filter)) {
            found.addAll(read(connection, false, where.toString(), values, filter.limit(), payloads));
        }
        Map<Long, Job> latest = new TreeMap<>(Comparator.reverseOrder());
        found.forEach(job -> latest.put(job.id(), job));
        return latest.values().stream().limit(filter.limit()).toList();
    }

    /** {@return whether matching jobs always have rows, because they have a key} */
    static boolean needsRow(JobFilter filter) {
        return filter.uniqueKey() != null || filter.key() != null;
    }

    /** {@return the filter without its states, as conditions on the tables of rows; each begins with AND} */
    Conditions ofRows(JobFilter filter) {
        Conditions common = common(filter);
        List<Object> values = new ArrayList<>(common.values());
        StringBuilder where = new StringBuilder(common.sql());
        choose(where, values, "queue", filter.queues(), Function.identity());
        if (filter.uniqueKey() != null) {
            where.append(" AND (unique_key = ? OR unindexed_key = ?)");
            values.add(filter.uniqueKey());
            values.add(filter.uniqueKey());
        }
        and(where, values, "job_key = ?", filter.key());
        return new Conditions(where.toString(), values);
    }

    /** {@return the part of the filter that is written in the same way for rows and for other places} */
    Conditions common(JobFilter filter) {
        List<Object> values = new ArrayList<>();
        StringBuilder where = new StringBuilder();
        choose(where, values, "kind", filter.kinds(), Function.identity());
        if (filter.tag() != null) {
            // Finds whole elements of the array only, because a quote within a tag is preceded by a backslash.
            String tag = JsonStrings.write(filter.tag());
            where.append(" AND (")
                    .append(contains("tags"))
                    .append(" OR ")
                    .append(contains("tags"))
                    .append(')');
            values.add("[" + tag);
            values.add("," + tag);
        }
        and(where, values, contains("payload"), filter.text());
        and(where, values, "created_at >= " + dialect.moment(), filter.createdFrom());
        and(where, values, "created_at < " + dialect.moment(), filter.createdBefore());
        and(where, values, "id = ?", filter.id());
        and(where, values, "id < ?", filter.beforeId());
        return new Conditions(where.toString(), values);
    }

    /** {@return the condition that a column contains a text} Unlike LIKE, it is the same on all databases. */
    private static String contains(String column) {
        return "REPLACE(" + column + ", ?, '') <> " + column;
    }

    /** Adds the condition that a column, which is never null, fits the choice. */
    static <T> void choose(
            StringBuilder where, List<Object> values, String column, Choice<T> choice, Function<T, ?> asStored) {
        // Not "NOT column = ?": with HIGH_NOT_PRECEDENCE, a mode of MySQL, that is "(NOT column) = ?".
        where(where, values, column, "=", "IN", choice.any(), asStored);
        where(where, values, column, "<>", "NOT IN", choice.none(), asStored);
    }

    private static <T> void where(
            StringBuilder where,
            List<Object> values,
            String column,
            String ofOne,
            String ofSome,
            Set<T> wanted,
            Function<T, ?> asStored) {
        if (!wanted.isEmpty()) {
            where.append(" AND ").append(column).append(' ');
            where.append(
                    wanted.size() == 1
                            ? ofOne + " ?" // the form for which planners use indexes
                            : ofSome + " (" + String.join(", ", Collections.nCopies(wanted.size(), "?")) + ")");
            wanted.forEach(value -> values.add(asStored.apply(value)));
        }
    }

    private static void and(StringBuilder where, List<Object> values, String condition, @Nullable Object value) {
        if (value != null) {
            where.append(" AND ").append(condition);
            values.add(value);
        }
    }

    private List<Job> read(
            Connection connection, boolean live, String where, List<Object> values, int limit, boolean payloads)
            throws SQLException {
        String columns = live ? JobRows.LIVE : JobRows.FINISHED;
        String table = live ? "pawl_job" : "pawl_job_history";
        // A query without payloads reads along the ids, because the caller bounds the ids and no index finds the newest
        // jobs faster.
        String sql = dialect.sql("SELECT " + (payloads ? columns : JobRows.briefly(columns)) + " FROM "
                + (payloads ? table : dialect.alongIds(table)) + where + " ORDER BY id DESC LIMIT ?");
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setInt(bind(statement, values), limit);
            if (!payloads) {
                statement.setQueryTimeout(
                        JobRows.QUERY_TIMEOUT_SECONDS); // an interactive query, which holds a connection
            }
            List<Job> jobs = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    jobs.add(live ? JobRows.live(dialect, rows) : JobRows.finished(dialect, rows));
                }
            }
            return jobs;
        }
    }

    /** {@return the index of the next placeholder} */
    int bind(PreparedStatement statement, List<Object> values) throws SQLException {
        int index = 1;
        for (Object value : values) {
            if (value instanceof Instant moment) {
                dialect.bind(statement, index++, moment);
            } else {
                statement.setObject(index++, value);
            }
        }
        return index;
    }

    /** {@return the latest failed attempts, oldest first} */
    List<FailedAttempt> failedAttempts(Connection connection, long jobId, int most) throws SQLException {
        Sql sql = dialect.statement("SELECT attempt, leased_by, started_at, failed_at, error FROM pawl_attempt"
                + " WHERE job_id = ? ORDER BY lease_token DESC LIMIT ?");
        List<FailedAttempt> attempts = sql.on(connection, jobId, most)
                .list(rows -> new FailedAttempt(
                        jobId,
                        rows.getInt("attempt"),
                        dialect.moment(rows, "started_at"),
                        present(dialect.moment(rows, "failed_at")),
                        JobRows.longOrNull(rows, "leased_by"),
                        rows.getString("error")));
        Collections.reverse(attempts);
        return attempts;
    }

    /** {@return the latest lines of the log, oldest first} */
    List<JobLogLine> log(Connection connection, long jobId, int most) throws SQLException {
        Sql sql = dialect.statement(
                "SELECT attempt, logged_at, line FROM pawl_job_log WHERE job_id = ? ORDER BY id DESC LIMIT ?");
        List<JobLogLine> lines = sql.on(connection, jobId, most)
                .list(rows -> new JobLogLine(
                        rows.getInt("attempt"), present(dialect.moment(rows, "logged_at")), rows.getString("line")));
        Collections.reverse(lines);
        return lines;
    }

    private static Instant present(@Nullable Instant moment) {
        return Objects.requireNonNull(moment, "a column that is NOT NULL");
    }
}

package dev.pawl.internal.admin;

import dev.pawl.admin.FinishedJobs;
import dev.pawl.admin.QueueStats;
import dev.pawl.api.JobState;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.QueuePause;
import dev.pawl.internal.jdbc.RowStates;
import dev.pawl.internal.jdbc.Sql;
import dev.pawl.internal.lane.LaneReads;
import dev.pawl.internal.store.JobStore;
import dev.pawl.limit.Subject;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Counts queues, pauses and resumes them. */
public final class Queues {
    private static final int MOST_COUNTED = 10_000;

    private final Dialect dialect;
    private final LaneReads lanes;
    private final Sql stats;
    private final Sql read;

    public Queues(Dialect dialect) {
        this.dialect = dialect;
        this.lanes = new LaneReads(dialect);
        String now = dialect.now();
        stats = dialect.statement("""
                SELECT queue,
                       SUM(CASE WHEN %2$s AND available_at <= %1$s THEN 1 ELSE 0 END) AS available,
                       SUM(CASE WHEN %2$s AND available_at > %1$s AND attempt = 0 THEN 1 ELSE 0 END) AS scheduled,
                       SUM(CASE WHEN %2$s AND available_at > %1$s AND attempt > 0 THEN 1 ELSE 0 END) AS retrying,
                       SUM(CASE WHEN %3$s THEN 1 ELSE 0 END) AS running,
                       MIN(CASE WHEN %2$s AND available_at <= %1$s THEN available_at END) AS oldest%4$s
                  FROM pawl_job GROUP BY queue ORDER BY queue
                """.formatted(now, RowStates.CLAIMABLE, RowStates.RUNS, WaitingForOthers.columns()));
        // An aggregate without a group is one row, whether there are schedules or not.
        read = dialect.statement("""
                SELECT name, strategy, 0, 0, NULL FROM pawl_queue WHERE strategy IS NOT NULL
                UNION ALL SELECT NULL, NULL, %s, %s, NULL FROM pawl_schedule
                UNION ALL SELECT name, NULL, 0, 0, subject FROM pawl_limit
                 WHERE (subject <> 'keys' OR rate_limit IS NOT NULL)
                   AND (max_waiting IS NULL OR max_concurrency IS NOT NULL OR rate_limit IS NOT NULL OR held_until IS NOT NULL)
                UNION ALL SELECT NULL, NULL, 0, 0, '' FROM pawl_schema
                 WHERE version = 1 AND (EXISTS (SELECT 1 FROM pawl_keyed) OR EXISTS (SELECT 1 FROM pawl_key WHERE has_in_flight = 1))
                UNION ALL SELECT NULL, NULL, batch_id, 0, 'batch' FROM pawl_batch_pause WHERE paused_at IS NOT NULL
                UNION ALL SELECT NULL, NULL, batch_id, 0, 'stopped' FROM pawl_batch_count WHERE pending_action = 1
                """.formatted(dialect.micros("MIN(next_check_at)"), dialect.micros(now)));
    }

    public List<QueueStats> stats(Connection connection) throws SQLException {
        Map<String, Settings> settings = settings(connection);
        Map<String, LaneReads.Counts> inLanes = lanes.counts(connection);
        Instant now = Present.of(connection, dialect);
        return stats(settings, inLanes, all(connection), now);
    }

    /** Counts each state of a queue up to a limit, so the time does not grow with the number of jobs. */
    public List<QueueStats> stats(Connection connection, int most) throws SQLException {
        Map<String, Settings> settings = settings(connection);
        Map<String, LaneReads.Counts> inLanes = lanes.counts(connection, most);
        Instant now = Present.of(connection, dialect);
        Optional<Map<String, RowCounts>> brief = new BriefCounts(dialect, most, BriefCounts.FEW).count(connection, now);
        return stats(settings, inLanes, brief.isPresent() ? brief.get() : all(connection), now);
    }

    /** {@return the counts of each queue, by reading all rows} */
    private Map<String, RowCounts> all(Connection connection) throws SQLException {
        Map<String, RowCounts> all = new TreeMap<>();
        stats.on(connection)
                .each(rows -> all.put(
                        rows.getString("queue"),
                        new RowCounts(
                                rows.getLong("available"),
                                rows.getLong("scheduled"),
                                rows.getLong("retrying"),
                                rows.getLong("running"),
                                WaitingForOthers.of(rows, 7),
                                dialect.moment(rows, "oldest"))));
        return all;
    }

    private static List<QueueStats> stats(
            Map<String, Settings> settings,
            Map<String, LaneReads.Counts> inLanes,
            Map<String, RowCounts> inRows,
            @Nullable Instant now) {
        boolean all = settings.containsKey(QueuePause.ALL);
        settings.remove(QueuePause.ALL);
        List<QueueStats> queues = new ArrayList<>();
        inRows.forEach((name, rows) -> {
            Settings own = Objects.requireNonNullElse(settings.remove(name), Settings.NONE);
            LaneReads.Counts lane = Objects.requireNonNullElse(inLanes.remove(name), LaneReads.Counts.NONE);
            queues.add(new QueueStats(
                    name,
                    all || own.paused,
                    own.strategy,
                    rows.available() + lane.available(),
                    rows.scheduled() + rows.others().all(),
                    rows.retrying(),
                    rows.running() + lane.running(),
                    age(older(rows.oldest(), lane.oldest()), now),
                    rows.others().blocked(),
                    rows.others().pending(),
                    rows.others().held(),
                    lowerBounds(rows.lowerBounds(), lane)));
        });
        inLanes.forEach((name, lane) -> {
            if (lane.available() + lane.running() > 0) {
                Settings own = Objects.requireNonNullElse(settings.remove(name), Settings.NONE);
                queues.add(new QueueStats(
                        name,
                        all || own.paused,
                        own.strategy,
                        lane.available(),
                        0,
                        0,
                        lane.running(),
                        age(lane.oldest(), now),
                        0,
                        0,
                        0,
                        lowerBounds(Set.of(), lane)));
            }
        });
        settings.forEach((name, own) -> {
            if (own.paused || own.strategy != null) {
                queues.add(QueueStats.empty(name, all || own.paused, own.strategy));
            }
        });
        queues.sort(Comparator.comparing(QueueStats::name));
        return queues;
    }

    private static Set<QueueStats.Count> lowerBounds(Set<QueueStats.Count> ofRows, LaneReads.Counts lane) {
        if (!lane.isAtLeast()) {
            return ofRows;
        }
        Set<QueueStats.Count> all = new HashSet<>(ofRows);
        all.add(QueueStats.Count.AVAILABLE);
        return all;
    }

    private static @Nullable Instant older(@Nullable Instant one, @Nullable Instant other) {
        return one == null || (other != null && other.isBefore(one)) ? other : one;
    }

    public List<FinishedJobs> finished(Connection connection) throws SQLException {
        return finished(connection, "pawl_job_history", Long.MAX_VALUE);
    }

    /** Counts only the last jobs of the history. */
    public List<FinishedJobs> finished(Connection connection, int most) throws SQLException {
        return finished(
                connection,
                "(SELECT queue, state FROM pawl_job_history ORDER BY id DESC LIMIT " + most + ") last_jobs",
                most);
    }

    /** @param most the limit on jobs of the history */
    private List<FinishedJobs> finished(Connection connection, String history, long most) throws SQLException {
        Map<String, long[]> counts = new TreeMap<>();
        int[] states = {JobState.COMPLETED.code(), JobState.CANCELLED.code(), JobState.DISCARDED.code()};
        String marked = " WHERE " + RowStates.MARKED; // completed, and not swept to the history yet
        Sql sql = dialect.statement("SELECT queue, state, COUNT(*), 1 FROM " + history + " GROUP BY queue, state"
                + " UNION ALL SELECT queue, state, COUNT(*), 0 FROM pawl_job" + marked + " GROUP BY queue, state");
        long[] inHistory = new long[1];
        sql.on(connection).each(rows -> {
            inHistory[0] += rows.getInt(4) * rows.getLong(3);
            long[] count = counts.computeIfAbsent(rows.getString(1), name -> new long[states.length]);
            for (int i = 0; i < states.length; i++) {
                count[i] += rows.getInt(2) == states[i] ? rows.getLong(3) : 0;
            }
        });
        lanes.completed(connection)
                .forEach((queue, jobs) -> counts.computeIfAbsent(queue, name -> new long[states.length])[0] += jobs);
        counts.values().removeIf(count -> Arrays.stream(count).sum() == 0);
        List<FinishedJobs> finished = new ArrayList<>();
        boolean isAtLeast = inHistory[0] >= most;
        counts.forEach(
                (queue, count) -> finished.add(new FinishedJobs(queue, count[0], count[1], count[2], isAtLeast)));
        return finished;
    }

    /** {@return how many jobs of a kind wait in a queue, counted up to a limit} */
    public long waiting(Connection connection, String queue, String kind) throws SQLException {
        // In the order of the index, or a planner reads the table until it has found that number.
        Sql sql = dialect.statement(
                dialect.countOfWaiting("queue = ? AND kind = ?", " ORDER BY priority, available_at, id", MOST_COUNTED));
        return sql.on(connection, queue, kind, queue, kind)
                .one(row -> Math.min(MOST_COUNTED, row.getLong(1) + lanes.waiting(connection, queue, kind)));
    }

    private static @Nullable Duration age(@Nullable Instant oldest, @Nullable Instant present) {
        return oldest == null || present == null ? null : Duration.between(oldest, present);
    }

    /** The settings of a queue. */
    private record Settings(boolean paused, @Nullable String strategy) {
        static final Settings NONE = new Settings(false, null);
    }

    /** Contains the row of all queues only while they are paused. */
    private Map<String, Settings> settings(Connection connection) throws SQLException {
        Map<String, Settings> settings = new TreeMap<>();
        Sql sql = dialect.statement("SELECT name, paused_at, strategy FROM pawl_queue");
        sql.on(connection).each(rows -> {
            boolean paused = rows.getObject(2) != null;
            if (paused || !rows.getString(1).equals(QueuePause.ALL)) {
                settings.put(rows.getString(1), new Settings(paused, rows.getString(3)));
            }
        });
        return settings;
    }

    /** {@return the strategies of queues, the time until the next tick, the limited subjects, and paused and stopped batches} */
    public JobStore.Settings settingsAndNextTick(Connection connection) throws SQLException {
        return read.on(connection).query(Queues::settings);
    }

    private static JobStore.Settings settings(ResultSet rows) throws SQLException {
        Map<String, String> strategies = new TreeMap<>();
        Optional<Duration> untilTick = Optional.empty();
        Set<Subject> limited = new HashSet<>();
        boolean keyed = false;
        Set<Long> paused = new HashSet<>();
        Set<Long> stopped = new HashSet<>();
        long now = 0;
        while (rows.next()) {
            if ("".equals(rows.getString(5))) {
                keyed = true;
            } else if ("batch".equals(rows.getString(5))) {
                paused.add(rows.getLong(3));
            } else if ("stopped".equals(rows.getString(5))) {
                stopped.add(rows.getLong(3));
            } else if (rows.getString(5) != null) {
                subject(rows.getString(5), rows.getString(1)).ifPresent(limited::add);
            } else if (rows.getString(1) != null) {
                strategies.put(rows.getString(1), rows.getString(2));
            } else {
                now = rows.getLong(4);
                if (rows.getLong(3) != 0) { // what is null, where there is no schedule, is read as 0
                    untilTick = Optional.of(Duration.of(rows.getLong(3) - now, ChronoUnit.MICROS));
                }
            }
        }
        return new JobStore.Settings(strategies, untilTick, limited, keyed, paused, stopped, now);
    }

    /** A newer program may know more of them. */
    private static Optional<Subject> subject(String of, String name) {
        return Stream.of(Subject.Of.values())
                .filter(each -> each.word().equals(of))
                .findAny()
                .map(each -> new Subject(each, name));
    }

    /**
     * Writes the row of a queue unless there is one. It uses its own transaction before the change, because a transaction cannot
     * continue after the error of a duplicate key. The update count is not trusted, because a driver may count only rows that really
     * changed.
     */
    public void create(Database database, String queue) throws SQLException {
        if (!database.autocommit(connection -> exists(connection, queue))) {
            String insert = dialect.insertIfMissing("pawl_queue (name) VALUES (?)");
            int unused = database.statement(connection ->
                    dialect.statement(insert).on(connection, queue).update());
        }
    }

    private boolean exists(Connection connection, String queue) throws SQLException {
        return dialect.statement("SELECT 1 FROM pawl_queue WHERE name = ?")
                .on(connection, queue)
                .exists();
    }

    /** For a queue that has a row. Null removes the setting. */
    public void setStrategy(Connection connection, String queue, @Nullable String strategy) throws SQLException {
        Sql sql = dialect.statement("UPDATE pawl_queue SET strategy = ? WHERE name = ?");
        sql.on(connection, strategy, queue).run();
    }

    /** For a queue that has a row; a second pause keeps the time of the first. */
    public void pause(Connection connection, String queue) throws SQLException {
        dialect.statement("UPDATE pawl_queue SET paused_at = COALESCE(paused_at, " + dialect.now() + ") WHERE name = ?")
                .on(connection, queue)
                .run();
    }

    /** {@return since when all queues are paused; empty if they are not} */
    public Optional<Instant> allPausedSince(Connection connection) throws SQLException {
        Sql sql = dialect.statement("SELECT paused_at FROM pawl_queue WHERE name = ? AND paused_at IS NOT NULL");
        return sql.on(connection, QueuePause.ALL)
                .first(row -> Optional.ofNullable(dialect.moment(row, "paused_at")))
                .orElse(Optional.empty());
    }

    public boolean resume(Connection connection, String queue) throws SQLException {
        return dialect.statement("UPDATE pawl_queue SET paused_at = NULL WHERE name = ? AND paused_at IS NOT NULL")
                        .on(connection, queue)
                        .update()
                == 1;
    }
}

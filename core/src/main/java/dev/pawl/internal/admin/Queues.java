package dev.pawl.internal.admin;

import dev.pawl.admin.FinishedJobs;
import dev.pawl.admin.QueueStats;
import dev.pawl.api.JobState;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.QueuePause;
import dev.pawl.internal.jdbc.RowStates;
import dev.pawl.internal.jdbc.Sql;
import dev.pawl.internal.place.JobPlaces;
import dev.pawl.internal.place.PlaceCounts;
import dev.pawl.internal.place.QueueCount;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Counts the jobs of queues, and pauses and resumes queues. */
public final class Queues {
    private static final int MAX_COUNTED = 10_000;
    /** Maximum count of available jobs in each part of a {@code JobPlace}, whose jobs have no rows of their own. */
    private static final int MAX_AVAILABLE = 1_000_000;

    private final Dialect dialect;
    private final List<PlaceCounts> places;
    private final Sql stats;

    public Queues(Dialect dialect) {
        this.dialect = dialect;
        this.places = JobPlaces.counts(dialect);
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
    }

    public List<QueueStats> stats(Connection connection) throws SQLException {
        Map<String, Settings> settings = settings(connection);
        Map<String, RowCounts> withoutRows = withoutRows(connection, MAX_AVAILABLE);
        Instant now = Present.of(connection, dialect);
        return stats(settings, withoutRows, all(connection), now);
    }

    /** Counts each state of a queue up to a limit, so the time does not grow with the number of jobs. */
    public List<QueueStats> stats(Connection connection, int most) throws SQLException {
        Map<String, Settings> settings = settings(connection);
        Map<String, RowCounts> withoutRows = withoutRows(connection, most);
        Instant now = Present.of(connection, dialect);
        Optional<Map<String, RowCounts>> brief =
                new BriefCounts(dialect, most, BriefCounts.MAX_FULL_COUNT).count(connection, now);
        return stats(settings, withoutRows, brief.isPresent() ? brief.get() : all(connection), now);
    }

    /** {@return the counts of each queue in places without rows} */
    private Map<String, RowCounts> withoutRows(Connection connection, int most) throws SQLException {
        Map<String, RowCounts> all = new TreeMap<>();
        for (PlaceCounts place : places) {
            for (Map.Entry<String, QueueCount> each :
                    place.counts(connection, most).entrySet()) {
                QueueCount count = each.getValue();
                if (count.available() + count.running() > 0) {
                    all.merge(each.getKey(), RowCounts.withoutRows(count), RowCounts::plus);
                }
            }
        }
        return all;
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
            Map<String, RowCounts> withoutRows,
            Map<String, RowCounts> inRows,
            @Nullable Instant now) {
        boolean all = settings.containsKey(QueuePause.ALL);
        settings.remove(QueuePause.ALL);
        Map<String, RowCounts> counts = new TreeMap<>(inRows);
        withoutRows.forEach((name, count) -> counts.merge(name, count, RowCounts::plus));
        List<QueueStats> queues = new ArrayList<>();
        counts.forEach((name, count) -> {
            Settings own = Objects.requireNonNullElse(settings.remove(name), Settings.NONE);
            queues.add(new QueueStats(
                    name,
                    all || own.paused,
                    own.strategy,
                    count.available(),
                    count.scheduled() + count.others().all(),
                    count.retrying(),
                    count.running(),
                    age(count.oldest(), now),
                    count.others().blocked(),
                    count.others().pending(),
                    count.others().paused(),
                    count.lowerBounds()));
        });
        settings.forEach((name, own) -> {
            if (own.paused || own.strategy != null) {
                queues.add(QueueStats.empty(name, all || own.paused, own.strategy));
            }
        });
        queues.sort(Comparator.comparing(QueueStats::name));
        return queues;
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
        for (PlaceCounts place : places) {
            place.completed(connection)
                    .forEach(
                            (queue, jobs) -> counts.computeIfAbsent(queue, name -> new long[states.length])[0] += jobs);
        }
        counts.values().removeIf(count -> Arrays.stream(count).sum() == 0);
        List<FinishedJobs> finished = new ArrayList<>();
        boolean isAtLeast = inHistory[0] >= most;
        counts.forEach(
                (queue, count) -> finished.add(new FinishedJobs(queue, count[0], count[1], count[2], isAtLeast)));
        return finished;
    }

    /** {@return how many jobs of a kind wait in a queue, counted up to a limit} */
    public long waiting(Connection connection, String queue, String kind) throws SQLException {
        // The order is that of the index, because a planner would otherwise read the table until it has found the
        // maximum.
        Sql sql = dialect.statement(
                dialect.countOfWaiting("queue = ? AND kind = ?", " ORDER BY priority, available_at, id", MAX_COUNTED));
        long waiting = sql.on(connection, queue, kind, queue, kind).one(row -> row.getLong(1));
        for (PlaceCounts place : places) {
            waiting += place.waiting(connection, queue, kind);
        }
        return Math.min(MAX_COUNTED, waiting);
    }

    private static @Nullable Duration age(@Nullable Instant oldest, @Nullable Instant present) {
        return oldest == null || present == null ? null : Duration.between(oldest, present);
    }

    /** The settings of a queue. */
    private record Settings(boolean paused, @Nullable String strategy) {
        static final Settings NONE = new Settings(false, null);
    }

    /** {@return the settings of queues by name} Contains the row that stands for all queues only while all queues are paused. */
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

    /** Sets the strategy of a queue that has a row; null removes it. */
    public void setStrategy(Connection connection, String queue, @Nullable String strategy) throws SQLException {
        Sql sql = dialect.statement("UPDATE pawl_queue SET strategy = ? WHERE name = ?");
        sql.on(connection, strategy, queue).run();
    }

    /** Pauses a queue that has a row; a second pause keeps the time of the first. */
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

    /** {@return the queues that were paused individually, with the time of the pause} */
    public SortedMap<String, Instant> pausedSince(Connection connection) throws SQLException {
        SortedMap<String, Instant> paused = new TreeMap<>();
        dialect.statement("SELECT name, paused_at FROM pawl_queue WHERE name <> ? AND paused_at IS NOT NULL")
                .on(connection, QueuePause.ALL)
                .each(row ->
                        paused.put(row.getString("name"), Objects.requireNonNull(dialect.moment(row, "paused_at"))));
        return paused;
    }

    public boolean resume(Connection connection, String queue) throws SQLException {
        return dialect.statement("UPDATE pawl_queue SET paused_at = NULL WHERE name = ? AND paused_at IS NOT NULL")
                        .on(connection, queue)
                        .update()
                == 1;
    }
}

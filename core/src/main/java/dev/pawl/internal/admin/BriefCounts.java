package dev.pawl.internal.admin;

import dev.pawl.api.JobState;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.RowStates;
import dev.pawl.internal.jdbc.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Counts the rows of queues up to a limit, by an index scan that skips from one queue, kind and priority to the next. Within each
 * combination, due jobs and later jobs are two ranges of the index for claims. Of each range, at most the limit is read.
 */
public final class BriefCounts {
    /** Up to this number of rows, reading all of them is faster. */
    static final int MAX_FULL_COUNT = 20_000;

    /** Maximum of combinations of queue, kind and priority; with more, reading all rows is faster. */
    private static final int MAX_PLACES = 500;

    private static final String PLACE = "queue = ? AND kind = ? AND priority = ?";
    /** The order of the index. Without an order, a planner may read the table instead of the index until it has found enough jobs. */
    private static final String ORDER = " ORDER BY available_at, id";

    private final Dialect dialect;
    private final int most;
    private final int few;

    /**
     * @param dialect the product
     * @param most limit of each count. The scheduled and retrying jobs of a queue have one limit together, and so do the running jobs of
     *     all queues
     * @param few up to this number of rows, {@link #count} returns nothing
     */
    public BriefCounts(Dialect dialect, int most, int few) {
        this.dialect = dialect;
        this.most = most;
        this.few = few;
    }

    /** A queue, kind and priority with claimable jobs, and the due time of the first one. */
    private record Place(String queue, String kind, int priority, Instant first) {}

    /**
     * {@return the counts of each queue; empty if reading all rows is faster}
     *
     * @param connection to read on
     * @param now by the database's clock
     * @throws SQLException from the driver
     */
    public Optional<Map<String, RowCounts>> count(Connection connection, Instant now) throws SQLException {
        if (!areMany(connection)) {
            return Optional.empty();
        }
        Map<String, RowCounts> counts = new TreeMap<>();
        Place at = next(connection, "queue > ?", "");
        for (int places = 0; at != null; places++) {
            if (places == MAX_PLACES) {
                return Optional.empty();
            }
            RowCounts known = counts.getOrDefault(at.queue, RowCounts.NONE);
            counts.put(at.queue, known.plus(waiting(connection, at, known, now)));
            Place same = next(connection, "queue = ? AND kind = ? AND priority > ?", at.queue, at.kind, at.priority);
            same = same != null ? same : next(connection, "queue = ? AND kind > ?", at.queue, at.kind);
            at = same != null ? same : next(connection, "queue > ?", at.queue);
        }
        for (JobState state : RowStates.waitingForOthers()) {
            if (!others(connection, state, counts)) {
                return Optional.empty();
            }
        }
        boolean isRunningBounded = running(connection, counts) >= most;
        counts.replaceAll((queue, rows) -> rows.countedUpTo(most, isRunningBounded));
        return Optional.of(counts);
    }

    private boolean areMany(Connection connection) throws SQLException {
        Sql sql = dialect.statement("SELECT COUNT(*) FROM (SELECT 1 AS one FROM pawl_job LIMIT " + (few + 1) + ") few");
        return sql.on(connection).one(row -> row.getLong(1) > few);
    }

    private @Nullable Place next(Connection connection, String after, Object... values) throws SQLException {
        Sql sql = dialect.planned("SELECT queue, kind, priority, available_at FROM " + dialect.readyTable() + " WHERE "
                + RowStates.CLAIMABLE + " AND " + after + " ORDER BY queue, kind, priority, available_at LIMIT 1");
        return sql.on(connection, values)
                .first(row -> new Place(
                        row.getString(1),
                        row.getString(2),
                        row.getInt(3),
                        Objects.requireNonNull(dialect.moment(row, "available_at"))))
                .orElse(null);
    }

    private RowCounts waiting(Connection connection, Place place, RowCounts known, Instant now) throws SQLException {
        boolean isDue = !place.first.isAfter(now);
        long available = !isDue || known.available() >= most
                ? 0
                : number(
                        connection,
                        "SELECT COUNT(*) FROM (SELECT 1 AS one FROM %s" + " AND available_at <= " + dialect.now()
                                + ORDER + " LIMIT %s) due",
                        place,
                        most - known.available());
        Later later = known.later() >= most
                ? Later.NONE
                : later(
                        connection,
                        "SELECT COUNT(*), COALESCE(SUM(CASE WHEN attempt > 0 THEN 1 ELSE 0 END), 0) FROM (SELECT attempt FROM %s AND available_at > "
                                + dialect.now() + ORDER + " LIMIT %s) later",
                        place,
                        most - known.later());
        return new RowCounts(
                available,
                later.jobs - later.retrying,
                later.retrying,
                0,
                WaitingForOthers.NONE,
                isDue ? place.first : null);
    }

    /** Jobs that may not be claimed yet. */
    private record Later(long jobs, long retrying) {
        static final Later NONE = new Later(0, 0);
    }

    private Later later(Connection connection, String sql, Place place, long limit) throws SQLException {
        return ask(connection, sql, place, limit, row -> new Later(row.getLong(1), row.getLong(2)));
    }

    private long number(Connection connection, String sql, Place place, long limit) throws SQLException {
        return ask(connection, sql, place, limit, row -> row.getLong(1));
    }

    private <T> T ask(Connection connection, String sql, Place place, long limit, Sql.Reader<T> answer)
            throws SQLException {
        String from = dialect.readyTable() + " WHERE " + RowStates.CLAIMABLE + " AND " + PLACE;
        Sql count = dialect.planned(sql.formatted(from, Long.toString(limit)));
        return count.on(connection, place.queue, place.kind, place.priority).one(answer);
    }

    /** {@return false if too many queues have jobs in that state} */
    private boolean others(Connection connection, JobState state, Map<String, RowCounts> counts) throws SQLException {
        String from = " FROM " + dialect.waitingTable() + " WHERE " + RowStates.along(state) + " AND queue ";
        Sql next = dialect.planned("SELECT queue" + from + "> ? ORDER BY queue LIMIT 1");
        Sql count = dialect.planned("SELECT COUNT(*) FROM (SELECT 1 AS one" + from + "= ? LIMIT " + most + ") waiting");
        String queue = next.on(connection, "").first(row -> row.getString(1)).orElse(null);
        for (int places = 0; queue != null && places < MAX_PLACES; places++) {
            WaitingForOthers found =
                    WaitingForOthers.of(state, count.on(connection, queue).one(row -> row.getLong(1)));
            counts.merge(queue, new RowCounts(0, 0, 0, 0, found, null), RowCounts::plus);
            queue = next.on(connection, queue).first(row -> row.getString(1)).orElse(null);
        }
        return queue == null;
    }

    /** {@return how many were counted in all queues} */
    private long running(Connection connection, Map<String, RowCounts> counts) throws SQLException {
        Sql sql = dialect.planned("SELECT queue, COUNT(*) FROM (SELECT queue FROM pawl_job WHERE " + RowStates.RUNS
                + " LIMIT " + most + ") running GROUP BY queue");
        long[] all = new long[1];
        sql.on(connection).each(rows -> {
            all[0] += rows.getLong(2);
            counts.merge(
                    rows.getString(1),
                    new RowCounts(0, 0, 0, rows.getLong(2), WaitingForOthers.NONE, null),
                    RowCounts::plus);
        });
        return all[0];
    }
}

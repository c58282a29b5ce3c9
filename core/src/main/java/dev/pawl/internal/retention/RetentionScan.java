package dev.pawl.internal.retention;

import dev.pawl.api.JobState;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BiPredicate;

/**
 * Deletes jobs of a state whose retention has expired, and skips jobs that are kept for longer. For each retention it
 * scans the history in the order in which jobs finished, and keeps its position. So jobs that stay are read once for
 * each retention, and not again each minute. The scan restarts once a day, because a job may have been locked during
 * the scan, or may have reached the history late. Not thread-safe.
 */
final class RetentionScan {
    private static final int SLICE = 1000;
    private static final long ROUND_NANOS = TimeUnit.DAYS.toNanos(1);

    /** Jobs that finished within this time are read again, because some may not be visible yet. */
    private static final Duration FRESH = Duration.ofMinutes(10);

    private final Database database;
    private final Dialect dialect;
    private final Removal removal;
    private final Map<Which, Place> places = new HashMap<>();

    RetentionScan(Database database, Removal removal) {
        this.database = database;
        this.dialect = database.dialect();
        this.removal = removal;
    }

    /** Identifies a scan: a state and a purpose. */
    record Which(JobState state, String purpose) {}

    private record Place(Instant moment, long begunNanos) {}

    private record Row(long id, String queue, String kind, Instant finishedAt) {}

    void startOver() {
        places.clear();
    }

    /**
     * @param which which scan to continue
     * @param now by the database's clock
     * @param last jobs that finished then or before are old enough
     * @param goes tells which of those jobs to delete, by queue and kind
     * @param mostSlices how many slices of a thousand jobs are read before other scans continue
     * @return how many jobs were deleted
     */
    long prune(Which which, Instant now, Instant last, BiPredicate<String, String> goes, int mostSlices)
            throws SQLException {
        Place place = places.get(which);
        if (place == null || System.nanoTime() - place.begunNanos > ROUND_NANOS) {
            place = new Place(Instant.EPOCH, System.nanoTime());
        }
        Instant fresh = now.minus(FRESH);
        Instant from = place.moment;
        long pruned = 0;
        int limit = SLICE;
        for (int slices = 0; slices < mostSlices && !Thread.currentThread().isInterrupted(); slices++) {
            Instant after = from;
            int most = limit;
            List<Row> rows = database.autocommit(connection -> read(connection, which.state, after, last, most));
            boolean isEnd = rows.size() < limit;
            if (!isEnd) { // further jobs with the same finish time may be missing
                Instant cut = rows.get(rows.size() - 1).finishedAt;
                rows.removeIf(row -> !row.finishedAt.isBefore(cut));
                if (rows.isEmpty()) {
                    limit *= 2;
                    continue;
                }
            }
            limit = SLICE;
            pruned += delete(which.state, rows, goes);
            from = isEnd ? last : rows.get(rows.size() - 1).finishedAt;
            places.put(which, new Place(from.isBefore(fresh) ? from : fresh, place.begunNanos));
            if (isEnd) {
                break;
            }
        }
        return pruned;
    }

    private List<Row> read(Connection connection, JobState state, Instant after, Instant last, int limit)
            throws SQLException {
        Sql sql = dialect.planned("SELECT id, queue, kind, finished_at FROM pawl_job_history WHERE state = ?"
                + " AND finished_at > " + dialect.moment() + " AND finished_at <= " + dialect.moment()
                + " ORDER BY finished_at LIMIT ?");
        return sql.on(connection, state.code(), after, last, limit).list(rows -> {
            Instant finishedAt = dialect.moment(rows, "finished_at");
            return new Row(
                    rows.getLong(1),
                    rows.getString(2),
                    rows.getString(3),
                    finishedAt == null ? Instant.EPOCH : finishedAt);
        });
    }

    private long delete(JobState state, List<Row> rows, BiPredicate<String, String> goes) throws SQLException {
        if (rows.isEmpty()) {
            return 0;
        }
        Removal.Span span = new Removal.Span(state, rows.get(0).finishedAt, rows.get(rows.size() - 1).finishedAt);
        List<Long> ids = rows.stream()
                .filter(row -> goes.test(row.queue, row.kind))
                .map(Row::id)
                .sorted()
                .toList();
        long deleted = 0;
        for (int start = 0; start < ids.size(); start += SLICE) {
            List<Long> batch = ids.subList(start, Math.min(ids.size(), start + SLICE));
            deleted += database.transaction(connection -> {
                List<Long> free = lock(connection, span, batch);
                removal.delete(connection, span, free);
                return free.size();
            });
        }
        return deleted;
    }

    /** Locks the jobs that are still old enough, because a job may have been retried and have finished again after it was read. */
    private List<Long> lock(Connection connection, Removal.Span span, List<Long> ids) throws SQLException {
        Sql sql = dialect.planned(
                "SELECT id FROM pawl_job_history WHERE " + Removal.Span.CONDITION.formatted(dialect.moment()) + " AND "
                        + dialect.anyOf("id", ids.size()) + " ORDER BY id " + dialect.skipLocked());
        return span.on(connection, sql).bind(ids).longs();
    }
}

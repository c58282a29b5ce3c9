package dev.pawl.internal.lane;

import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Micros;
import dev.pawl.internal.jdbc.Sql;
import dev.pawl.internal.jdbc.Steps;
import dev.pawl.internal.place.PlacePruner;
import dev.pawl.internal.place.RetentionTerms;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Deletes finished ranges with their jobs, the oldest first and a few in each transaction. Of the newest range of a lane only the jobs are
 * deleted, because the next claim continues after it. No range is deleted while an older one is kept. So any job found before the oldest
 * range is late. Jobs of kinds that are kept longer are written to the history before their range is deleted.
 */
final class LanePruner implements PlacePruner {
    private static final int BATCH = 10;
    /** How long a finished range with moved jobs is kept at least. One statement of a handler's transaction takes far less. */
    private static final Duration FENCED_FOR = Duration.ofMinutes(1);

    private final Database database;
    private final Dialect dialect;
    private final LaneReads reads;
    private final Moves moves;
    private final LaneFences fences;
    private final PartialPrune partialPrune;

    LanePruner(Database database) {
        this.database = database;
        this.dialect = database.dialect();
        this.reads = new LaneReads(dialect);
        this.moves = new Moves(dialect);
        this.fences = new LaneFences(dialect);
        this.partialPrune = new PartialPrune(database);
    }

    /** A range as a plain read returned it. */
    private record RangeState(RangeKey key, boolean isExpired, boolean isEmptied) {}

    /** What one transaction has deleted. */
    private record Deleted(int ranges, long jobs) {}

    @Override
    public void startOver() {
        partialPrune.startOver();
    }

    /** A slice of a lane is a hundred ranges. */
    @Override
    public long prune(OfQueue terms, LinkedDeletion linked, int mostSlices) throws SQLException {
        Steps each = new Steps();
        for (Lane lane : database.autocommit(reads::lanes)) {
            RetentionTerms own = terms.terms(lane.queue());
            if (own != null) {
                each.take(() -> prune(lane.id(), own, linked));
                for (RetentionTerms.Shorter kinds : own.shorter()) {
                    each.take(() -> partialPrune.prune(lane.id(), kinds, linked, mostSlices));
                }
            }
        }
        return each.end();
    }

    private long prune(int lane, RetentionTerms terms, LinkedDeletion linked) throws SQLException {
        // one range at a time if there are kinds that are kept for longer, because their jobs must be copied
        int batch = terms.longer().isEmpty() ? BATCH : 1;
        long pruned = 0;
        while (!Thread.currentThread().isInterrupted()) {
            List<RangeState> oldest = database.autocommit(connection -> oldest(connection, lane, terms.last()));
            if (oldest.size() == 1 && oldest.get(0).isExpired && !oldest.get(0).isEmptied) {
                RangeKey newest = oldest.get(0).key;
                return pruned + database.transaction(connection -> emptyNewest(connection, newest, terms, linked));
            }
            List<Long> expired = expired(oldest);
            if (expired.isEmpty()) {
                break;
            }
            for (int start = 0; start < expired.size(); start += batch) {
                List<Long> some = expired.subList(start, Math.min(expired.size(), start + batch));
                Deleted deleted = database.transaction(connection -> delete(connection, lane, some, terms, linked));
                pruned += deleted.jobs;
                if (deleted.ranges < some.size() || Thread.currentThread().isInterrupted()) {
                    return pruned; // another process prunes this lane
                }
            }
        }
        return pruned;
    }

    /**
     * The oldest ranges that may be deleted, up to the first one that may not. The last range of the list stays, because it may be the
     * lane's newest.
     */
    private static List<Long> expired(List<RangeState> oldest) {
        List<Long> expired = new ArrayList<>();
        for (RangeState seen : oldest.subList(0, Math.max(0, oldest.size() - 1))) {
            if (!seen.isExpired) {
                break;
            }
            expired.add(seen.key.after());
        }
        return expired;
    }

    /**
     * Deletes ranges. Completions never wait for its locks, because only closed ranges are locked.
     *
     * @param after keys of the ranges, the oldest first
     */
    private Deleted delete(
            Connection connection, int lane, List<Long> after, RetentionTerms terms, LinkedDeletion linked)
            throws SQLException {
        Map<Long, Locked> free = lock(connection, lane, after, terms.last());
        long jobs = 0;
        int deleted = 0;
        for (Long each : after) {
            Locked locked = free.get(each);
            if (locked == null) { // then no later range is deleted either
                break;
            }
            jobs += locked.isEmptied ? 0 : empty(connection, locked.row, terms, linked);
            delete(connection, locked.row);
            deleted++;
        }
        return new Deleted(deleted, jobs);
    }

    /** Deletes the jobs of a range, after writing jobs that are kept for longer to the history. */
    private long empty(Connection connection, RangeRow row, RetentionTerms terms, LinkedDeletion linked)
            throws SQLException {
        List<Long> done = Moves.at(row.ids(), row.done());
        if (!done.isEmpty() && !terms.longer().isEmpty()) {
            List<Long> kept = LaneLog.ofKinds(connection, dialect, row, terms.longer()).stream()
                    .filter(id -> row.done().get(row.ids().positionOf(id)))
                    .toList();
            if (!kept.isEmpty()) {
                moves.completed(connection, row.key(), kept);
                done.removeAll(Set.copyOf(kept));
            }
        }
        if (!done.isEmpty()) {
            linked.delete(connection, done);
        }
        LaneLog.delete(connection, dialect, row.key(), row.ids());
        return done.size();
    }

    /**
     * Deletes only the jobs of the newest range. The range stays, because the next claim continues after it.
     */
    private long emptyNewest(Connection connection, RangeKey key, RetentionTerms terms, LinkedDeletion linked)
            throws SQLException {
        Locked newest =
                lock(connection, key.lane(), List.of(key.after()), terms.last()).get(key.after());
        if (newest == null || newest.isEmptied) {
            return 0;
        }
        long pruned = empty(connection, newest.row, terms, linked);
        Sql sql =
                dialect.statement("UPDATE pawl_lane_range SET jobs_deleted = TRUE WHERE lane = ? AND starts_after = ?");
        sql.on(connection, key.lane(), key.after()).run();
        return pruned;
    }

    /** A range that may be deleted, and is locked by this transaction. */
    private record Locked(RangeRow row, boolean isEmptied) {}

    /**
     * The condition for deleting a range. Guard {@code PruneLate} of the model {@code fences.als}: a handler's statement may have read the
     * range before one of its jobs moved. That statement must fail at the job's fence before the fence is deleted with the range.
     */
    private String isExpired() {
        return "lease_expires_at IS NULL AND (jobs_deleted = TRUE OR finished_at <= " + dialect.moment()
                + ") AND (moved_count = 0 OR leased_by = 0 OR finished_at <= " + dialect.nowPlusMicros() + ")";
    }

    /** Locks the ranges that may still be deleted and are not locked by other transactions. */
    private Map<Long, Locked> lock(Connection connection, int lane, List<Long> after, Instant last)
            throws SQLException {
        Sql sql = dialect.planned(
                "SELECT " + RangeRow.COLUMNS + ", jobs_deleted FROM pawl_lane_range WHERE " + isExpired()
                        + " AND lane = ? AND " + dialect.anyOf("starts_after", after.size()) + " ORDER BY starts_after "
                        + dialect.skipLocked());
        Map<Long, Locked> locked = new HashMap<>();
        sql.on(connection, last, -Micros.of(FENCED_FOR), lane, after).each(rows -> {
            RangeRow row = RangeRow.of(rows);
            locked.put(row.key().after(), new Locked(row, rows.getBoolean("jobs_deleted")));
        });
        return locked;
    }

    /** Reads the oldest ranges, one more than are deleted together, because the last one stays. */
    private List<RangeState> oldest(Connection connection, int lane, Instant last) throws SQLException {
        Sql sql = dialect.statement(
                "SELECT starts_after, jobs_deleted, CASE WHEN " + isExpired() + " THEN 1 ELSE 0 END AS may_go"
                        + " FROM pawl_lane_range WHERE lane = ? ORDER BY starts_after LIMIT " + (BATCH + 1));
        return sql.on(connection, last, -Micros.of(FENCED_FOR), lane)
                .list(rows -> new RangeState(
                        new RangeKey(lane, rows.getLong("starts_after")),
                        rows.getInt("may_go") == 1,
                        rows.getBoolean("jobs_deleted")));
    }

    private void delete(Connection connection, RangeRow row) throws SQLException {
        RangeKey key = row.key();
        BitSet fenced = fences.completed(connection, row);
        fenced.or(row.moved());
        if (!fenced.isEmpty()) {
            fences.delete(connection, Moves.at(row.ids(), fenced));
        }
        Sql sql = dialect.statement("DELETE FROM pawl_lane_range WHERE lane = ? AND starts_after = ?");
        sql.on(connection, key.lane(), key.after()).run();
    }
}

package dev.pawl.internal.lane;

import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Micros;
import dev.pawl.internal.jdbc.Sql;
import dev.pawl.internal.settle.CompletionHook;
import dev.pawl.internal.settle.FinishedJob;
import dev.pawl.internal.settle.HookBusy;
import dev.pawl.internal.settle.KeptStates;
import dev.pawl.internal.settle.RowVerbs;
import dev.pawl.internal.store.Lease;
import dev.pawl.internal.store.Settled;
import dev.pawl.internal.store.Settlement;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The fenced operations on ranges that this worker holds, each in one transaction. Thread-safe. */
final class Ranges {
    private static final Duration SHORTEST_LIMIT = Duration.ofMillis(500);

    private final Database database;
    private final Dialect dialect;
    private final RowVerbs verbs;
    private final Moves moves;
    private final Completion completion;
    private final CompletionHook completionHook;

    Ranges(Database database, RowVerbs verbs, KeptStates kept, CompletionHook completionHook) {
        this.database = database;
        this.dialect = database.dialect();
        this.verbs = verbs;
        this.moves = new Moves(dialect);
        this.completionHook = completionHook.withoutWaiting();
        this.completion = new Completion(database, kept, this.completionHook);
    }

    /**
     * Records the outcomes of runs, all in one transaction.
     *
     * @throws HookBusy if nothing was recorded because a hook is busy with one of the runs
     */
    Settled settle(Map<HeldRange, List<Settlement>> runs) throws SQLException {
        List<HeldRange.Plan> plans = plans(runs);
        if (plans == null) {
            return settleLocked(runs);
        }
        try {
            completion.record(plans, notable(runs));
            plans.forEach(plan -> plan.range().recorded(plan.done()));
            return new Settled(new AllLeases(runs.values()), Set.of());
        } catch (Completion.Stale stale) {
            return settleLocked(runs);
        } catch (HookBusy busy) {
            throw busy;
        } catch (SQLException e) {
            runs.keySet().forEach(HeldRange::mayHaveMoreBits);
            throw e;
        }
    }

    /** The plans to complete all runs; null unless all runs are completed and the bits of each range can be written in one statement. */
    private static @Nullable List<HeldRange.Plan> plans(Map<HeldRange, List<Settlement>> runs) {
        List<HeldRange.Plan> plans = new ArrayList<>();
        for (Map.Entry<HeldRange, List<Settlement>> each : runs.entrySet()) {
            if (!each.getValue().stream().allMatch(LaneStrategy::isCompleted)) {
                return null;
            }
            HeldRange.Plan plan = each.getKey().plan(places(each.getKey(), each.getValue()));
            if (plan == null) {
                return null;
            }
            plans.add(plan);
        }
        return plans;
    }

    private static List<FinishedJob> notable(Map<HeldRange, List<Settlement>> completed) {
        List<FinishedJob> notable = new ArrayList<>();
        for (List<Settlement> each : completed.values()) {
            for (Settlement run : each) {
                if (!FinishedJob.isPlain(run)) {
                    notable.add(FinishedJob.completed(run));
                }
            }
        }
        return notable;
    }

    private static BitSet places(HeldRange range, List<Settlement> runs) {
        BitSet places = new BitSet();
        runs.forEach(run -> places.set(range.ids().positionOf(run.lease().jobId())));
        return places;
    }

    /** The results for the runs of some ranges. */
    private static final class Outcome {
        final Set<Lease> accepted = new HashSet<>();
        final Set<Lease> locked = new HashSet<>();
        final Map<HeldRange, RangeRow> rows = new HashMap<>();
        /** Jobs completed in this transaction for which the hook is called. */
        final List<FinishedJob> notable = new ArrayList<>();
    }

    /** Settles the runs of each range under the lock of the range. */
    private Settled settleLocked(Map<HeldRange, List<Settlement>> runs) throws SQLException {
        List<HeldRange> inOrder = new ArrayList<>(runs.keySet());
        inOrder.sort(Comparator.comparing(HeldRange::key));
        Outcome outcome = database.transaction(connection -> {
            Outcome result = new Outcome();
            List<Settlement> ofRows = new ArrayList<>();
            for (HeldRange range : inOrder) {
                settleLocked(connection, range, runs.getOrDefault(range, List.of()), ofRows, result);
            }
            if (!ofRows.isEmpty()) {
                Settled settled = verbs.settleWithin(connection, ofRows, result.notable);
                result.accepted.addAll(settled.accepted());
                result.locked.addAll(settled.locked());
            } else if (!result.notable.isEmpty()) {
                completionHook.afterCompletion(connection, result.notable);
            }
            return result;
        });
        outcome.rows.forEach((range, row) -> range.update(row.done(), row.moved()));
        return new Settled(outcome.accepted, outcome.locked);
    }

    private void settleLocked(
            Connection connection, HeldRange range, List<Settlement> runs, List<Settlement> ofRows, Outcome outcome)
            throws SQLException {
        RangeRow row = RangeRow.read(connection, dialect, range.key(), dialect.skipLocked());
        if (row == null) {
            if (RangeRow.exists(connection, dialect, range.key())) {
                runs.forEach(run -> outcome.locked.add(run.lease()));
            } else {
                // The range was pruned, so each job is done or has moved to a row (guard PrunedAsksRow of the model
                // lanes.als).
                ofRows.addAll(runs);
            }
            return;
        }
        BitSet toMove = new BitSet();
        List<Settlement> moving = new ArrayList<>();
        boolean isOurs = row.isOf(range);
        boolean changed = false;
        for (Settlement run : runs) {
            int place = row.ids().positionOf(run.lease().jobId());
            if (place < 0) {
                continue;
            }
            boolean completed = LaneStrategy.isCompleted(run);
            if (row.moved().get(place)) { // guard BitTest of the model lanes.als
                ofRows.add(run);
            } else if (isOurs && row.done().get(place)) {
                changed |= row.fenced().get(place);
                if (completed) { // by this worker, perhaps in a handler's transaction, but the reply was lost
                    outcome.accepted.add(run.lease());
                }
            } else if (isOurs) {
                changed = true;
                if (completed && !range.hadTransaction(place)) { // guard AsksFence of the model fences.als
                    row.done().set(place);
                    outcome.accepted.add(run.lease());
                    if (!FinishedJob.isPlain(run)) {
                        outcome.notable.add(FinishedJob.completed(run));
                    }
                } else {
                    // The job moves and gets its outcome in one transaction (guard MoveAtomic of the model lanes.als).
                    toMove.set(place);
                    moving.add(run);
                }
            }
        }
        BitSet moved = moves.running(connection, row, toMove);
        for (Settlement run : moving) {
            int place = row.ids().positionOf(run.lease().jobId());
            if (moved.get(place)) {
                ofRows.add(run);
            } else if (!row.done().get(place)) {
                outcome.locked.add(run.lease()); // its transaction has failed here, but is still open on the server
            } else if (LaneStrategy.isCompleted(run)) {
                outcome.accepted.add(run.lease());
            }
        }
        if (changed) {
            row.write(connection, dialect);
        }
        if (isOurs) {
            outcome.rows.put(range, row);
        }
    }

    /**
     * Makes jobs that did not start available again, as rows.
     *
     * @return the positions of the released jobs; the other jobs were already done or moved, or the range is no longer
     *     ours
     */
    BitSet release(HeldRange range, BitSet places) throws SQLException {
        BitSet none = new BitSet();
        RangeRow[] seen = new RangeRow[1];
        BitSet released = database.transaction(connection -> {
            RangeRow row = ours(connection, range, dialect.forUpdate());
            if (row == null) {
                return none;
            }
            BitSet open = row.left();
            open.and(places);
            if (!open.isEmpty()) {
                moves.available(connection, range.key().lane(), Moves.at(row.ids(), open), row.token());
                row.moved().or(open);
                row.write(connection, dialect);
            }
            seen[0] = row;
            return open;
        });
        learn(range, seen[0]);
        return released;
    }

    /**
     * Gives running jobs rows of their own.
     *
     * @return the positions of the jobs that have rows now. A row shows whether the job is still ours. The other jobs are done or lost, or
     *     a handler's transaction is open.
     */
    BitSet detach(HeldRange range, BitSet places) throws SQLException {
        return detach(database, range, places);
    }

    /**
     * Gives running jobs rows of their own, as {@link #detach(HeldRange, BitSet)} does.
     *
     * @param limit how long to wait for the database
     */
    BitSet detach(HeldRange range, BitSet places, Duration limit) throws SQLException {
        return detach(database.limited(limit), range, places);
    }

    private BitSet detach(Database within, HeldRange range, BitSet wanted) throws SQLException {
        BitSet places = range.leave(wanted);
        try {
            return detachLeaving(within, range, places);
        } finally {
            range.haveLeft();
        }
    }

    private BitSet detachLeaving(Database within, HeldRange range, BitSet places) throws SQLException {
        RangeRow[] seen = new RangeRow[1];
        BitSet detached = within.transaction(connection -> {
            RangeRow row = RangeRow.read(connection, dialect, range.key(), dialect.forUpdate());
            if (row == null || !row.isOf(range)) {
                seen[0] = null;
                // The range was pruned, or the database has lost its commit. So the rows of the jobs show their owners
                // (guard PrunedAsksRow
                // of the model lanes.als).
                return places;
            }
            seen[0] = row;
            BitSet some = row.left();
            some.and(places);
            if (!some.isEmpty()) {
                BitSet unused = moves.running(connection, row, some);
                row.write(connection, dialect);
            }
            BitSet there = (BitSet) row.moved().clone();
            there.and(places);
            return there;
        });
        learn(range, seen[0]);
        return detached;
    }

    /**
     * {@return the positions of the jobs that run under this claim and are still in the range}
     *
     * @param limit how long to wait for the database
     */
    BitSet open(HeldRange range, BitSet places, Duration limit) throws SQLException {
        RangeRow row = database.limited(limit)
                .autocommit(connection -> Optional.ofNullable(RangeRow.read(connection, dialect, range.key(), "")))
                .orElse(null);
        if (row == null || !row.isOf(range)) {
            return new BitSet();
        }
        range.update(row.done(), row.moved());
        BitSet open = row.left();
        open.and(places);
        return open;
    }

    /**
     * Sets the bits of jobs that handlers' transactions have completed, and deletes their fences.
     *
     * @return false if another transaction has locked the range
     */
    boolean setFencedBits(HeldRange range) throws SQLException {
        RangeRow[] seen = new RangeRow[1];
        boolean done = database.transaction(connection -> {
            RangeRow row = RangeRow.read(connection, dialect, range.key(), dialect.skipLocked());
            seen[0] = null;
            if (row == null) {
                return !RangeRow.exists(connection, dialect, range.key());
            }
            if (row.isOf(range)) {
                seen[0] = row;
                if (!row.fenced().isEmpty()) {
                    row.write(connection, dialect);
                }
            }
            return true;
        });
        learn(range, seen[0]);
        return done;
    }

    private static void learn(HeldRange range, @Nullable RangeRow row) {
        if (row != null) {
            range.update(row.done(), row.moved());
        }
    }

    private @Nullable RangeRow ours(Connection connection, HeldRange range, String lock) throws SQLException {
        RangeRow row = RangeRow.read(connection, dialect, range.key(), lock);
        return row == null || !row.isOf(range) || !row.isOpen() ? null : row;
    }

    /** What a renewal has read about a range. */
    private record Found(HeldRange range, BitSet moved) {}

    /**
     * Extends leases.
     *
     * @param leases by range
     * @param renewed gets the leases that were extended
     * @return the leases whose jobs have rows of their own, or whose range has expired; leases of a locked range are neither returned nor
     *     added to {@code renewed}
     */
    List<Lease> renew(Map<HeldRange, List<Lease>> leases, Duration length, Set<Lease> renewed) throws SQLException {
        Map<Integer, Map<Long, HeldRange>> byLane = new TreeMap<>();
        leases.keySet().forEach(range -> {
            range.renewed(length);
            byLane.computeIfAbsent(range.key().lane(), lane -> new TreeMap<>()).put(range.token(), range);
        });
        List<Found> found = new ArrayList<>();
        Set<HeldRange> locked = new HashSet<>();
        boolean unused = database.limited(limit(length)).transaction(connection -> {
            found.clear();
            locked.clear();
            for (Map.Entry<Integer, Map<Long, HeldRange>> lane : byLane.entrySet()) {
                renew(connection, lane.getKey(), lane.getValue(), length, found, locked);
            }
            return true;
        });
        found.forEach(each -> each.range.learnMoved(each.moved));
        Set<HeldRange> ours = new HashSet<>();
        found.forEach(each -> ours.add(each.range));
        List<Lease> withRows = new ArrayList<>();
        leases.forEach((range, some) -> {
            for (Lease lease : some) {
                if (range.hasMoved(range.ids().positionOf(lease.jobId()))) {
                    withRows.add(lease);
                } else if (ours.contains(range)) {
                    renewed.add(lease);
                } else if (!locked.contains(range)) {
                    withRows.add(lease);
                }
            }
        });
        return withRows;
    }

    /** {@return how long to wait for the database} It is a part of the lease, so that leases survive a wait on a dead connection. */
    static Duration limit(Duration lease) {
        Duration quarter = lease.dividedBy(4);
        return quarter.compareTo(SHORTEST_LIMIT) < 0 ? SHORTEST_LIMIT : quarter;
    }

    private void renew(
            Connection connection,
            int lane,
            Map<Long, HeldRange> ranges,
            Duration length,
            List<Found> found,
            Set<HeldRange> locked)
            throws SQLException {
        List<HeldRange> free = read(connection, lane, ranges, found, dialect.skipLocked());
        if (!free.isEmpty()) {
            extend(connection, lane, free, length);
        }
        Map<Long, HeldRange> missing = new TreeMap<>(ranges);
        free.forEach(range -> missing.remove(range.token()));
        if (!missing.isEmpty()) {
            locked.addAll(read(connection, lane, missing, new ArrayList<>(), ""));
        }
    }

    /**
     * Reads the ranges that are open and ours.
     *
     * @param ranges by the tokens of their claims; two claims may have had the same key, if the commit of one was lost
     * @param found gets the result for each range
     * @return the open ranges
     */
    private List<HeldRange> read(
            Connection connection, int lane, Map<Long, HeldRange> ranges, List<Found> found, String lock)
            throws SQLException {
        List<Long> keys = keys(ranges.values());
        Sql sql = dialect.statement(
                "SELECT starts_after, leased_by, token, moved FROM pawl_lane_range WHERE lane = ? AND "
                        + dialect.anyOf("starts_after", keys.size())
                        + " AND lease_expires_at IS NOT NULL ORDER BY starts_after " + lock);
        List<HeldRange> open = new ArrayList<>();
        sql.on(connection, lane, keys).each(rows -> {
            HeldRange range = ranges.get(rows.getLong(3));
            if (range != null && rows.getLong(1) == range.key().after() && rows.getLong(2) == range.worker()) {
                open.add(range);
                found.add(new Found(range, RangeRow.bits(rows.getBytes(4))));
            }
        });
        return open;
    }

    private static List<Long> keys(Collection<HeldRange> ranges) {
        return ranges.stream()
                .map(range -> range.key().after())
                .distinct()
                .sorted()
                .toList();
    }

    private void extend(Connection connection, int lane, List<HeldRange> ranges, Duration length) throws SQLException {
        List<Long> keys = keys(ranges);
        String later = dialect.nowPlusMicros();
        Sql sql =
                dialect.statement("UPDATE pawl_lane_range SET lease_expires_at = CASE WHEN lease_expires_at > " + later
                        + " THEN lease_expires_at ELSE " + later + " END WHERE lane = ? AND "
                        + dialect.anyOf("starts_after", keys.size()) + " AND " + dialect.anyOf("token", ranges.size()));
        sql.on(
                        connection,
                        Micros.of(length),
                        Micros.of(length),
                        lane,
                        keys,
                        ranges.stream().map(HeldRange::token).toList())
                .run();
    }
}

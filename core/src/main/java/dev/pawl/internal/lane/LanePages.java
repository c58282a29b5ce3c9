package dev.pawl.internal.lane;

import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Fault;
import dev.pawl.internal.jdbc.Retry;
import dev.pawl.internal.jdbc.Sql;
import dev.pawl.internal.place.PlacePart;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;

/**
 * Gives many jobs rows of their own at once, anywhere in a lane, so that they can be changed; {@link LaneJobCommands}
 * does it for one job. Locked jobs are skipped. A call may be repeated.
 */
final class LanePages {
    private final Database database;
    private final Dialect dialect;
    private final LaneReads reads;
    private final Moves moves;

    LanePages(Database database) {
        this.database = database;
        this.dialect = database.dialect();
        this.reads = new LaneReads(dialect);
        this.moves = new Moves(dialect);
    }

    /**
     * Gives rows of their own to those of these jobs that wait in a lane.
     *
     * @param lane to search
     * @param ids ascending; some hundreds at most
     * @return which jobs were found
     * @throws SQLException from the driver
     */
    PlacePart.Found takeWaiting(Lane lane, List<Long> ids) throws SQLException {
        PlacePart.Found found = database.autocommit(connection -> {
            List<Long> there = there(connection, lane.id(), ids, "");
            long end = there.isEmpty() ? 0 : reads.end(connection, lane.id());
            List<RangeRow> ranges = ranges(connection, lane.id(), end, there);
            return new PlacePart.Found(
                    inNoRange(ranges, end, there),
                    ranges.stream().anyMatch(range -> !running(range, there).isEmpty()));
        });
        if (!found.waiting().isEmpty()) {
            takeInParts(lane.id(), found.waiting());
        }
        return found;
    }

    /**
     * Moves jobs. After a conflict it moves each half on its own. The half with the first jobs is moved last, because workers that claim
     * these jobs at the same time would cause a rollback each time.
     */
    private void takeInParts(int lane, List<Long> ids) throws SQLException {
        for (int tries = 1; ; tries++) {
            try {
                int unused = database.transaction(2, connection -> takeWaiting(connection, lane, ids));
                return;
            } catch (SQLException e) {
                Fault fault = Fault.of(e);
                if (!(fault == Fault.UNIQUE || fault.isContention())
                        || tries == Retry.RACE.tries()
                        || !Retry.RACE.pause(tries)) {
                    throw e;
                }
                int half = ids.size() / 2;
                if (half > 0) {
                    takeInParts(lane, ids.subList(half, ids.size()));
                    takeInParts(lane, ids.subList(0, half));
                    return;
                }
            }
        }
    }

    private List<Long> there(Connection connection, int lane, List<Long> ids, String lock) throws SQLException {
        Sql sql = dialect.planned("SELECT id FROM pawl_lane_job WHERE lane = ? AND " + dialect.anyOf("id", ids.size())
                + " ORDER BY id " + lock);
        return sql.on(connection, lane, ids).longs();
    }

    private static List<Long> inNoRange(List<RangeRow> ranges, long end, List<Long> there) {
        return there.stream()
                .filter(id -> id > end
                        || ranges.stream().noneMatch(range -> range.ids().positionOf(id) >= 0))
                .toList();
    }

    /**
     * {@return the ranges to which jobs may belong, up to an end that was read before} Ranges that were claimed later
     * are beyond this end.
     */
    private List<RangeRow> ranges(Connection connection, int lane, long end, List<Long> there) throws SQLException {
        if (there.isEmpty() || there.get(0) > end) {
            return List.of();
        }
        List<Long> downwards = new ArrayList<>(there);
        Collections.reverse(downwards);
        return reads.lives(connection, lane, downwards).stream()
                .map(LaneReads.Life::row)
                .toList();
    }

    /**
     * Takes available jobs out of a lane. A claim that has read one of these jobs must not win it. So the end of the last range moves on by
     * one job (guard {@code CancelKey} of the model {@code lanes.als}), and the rows of the jobs in the lane are deleted. Writing the new
     * rows takes time, during which workers may claim. So the end is read again afterwards, just before the new range is written. If
     * workers have claimed some of the jobs by then, the transaction fails.
     */
    private int takeWaiting(Connection connection, int lane, List<Long> ids) throws SQLException {
        dialect.seeLatest(connection);
        List<Long> locked = there(connection, lane, ids, dialect.skipLocked());
        long before = reads.end(connection, lane);
        List<Long> free = inNoRange(ranges(connection, lane, before, locked), before, locked);
        // The first job may become the new range, so it is not deleted yet. If another transaction takes jobs out, too,
        // it reads this job next and waits for this transaction, not the other way round.
        long first = free.stream().filter(id -> id > before).findFirst().orElse(0L);
        take(connection, lane, free.stream().filter(id -> id != first).toList());
        if (first == 0) {
            return free.size();
        }
        long end = reads.end(connection, lane);
        if (end > before && free.stream().anyMatch(id -> id > before && id <= end)) {
            throw Moves.lostRace("a claim of lane " + lane + " was faster");
        }
        List<Long> next = LaneLog.ids(connection, dialect, lane, end, Long.MAX_VALUE, 1);
        if (!next.contains(first)) {
            take(connection, lane, List.of(first));
        }
        moves.ahead(connection, new RangeKey(lane, end), IdSet.ofOwned(next));
        return free.size();
    }

    private void take(Connection connection, int lane, List<Long> ids) throws SQLException {
        if (ids.isEmpty()) {
            return;
        }
        moves.available(connection, lane, ids);
        if (LaneLog.delete(connection, dialect, lane, ids) != ids.size()) {
            throw Moves.lostRace("some of " + ids.size() + " jobs have left lane " + lane);
        }
    }

    /**
     * Gives rows of their own to those of these jobs that run in a lane, with their lease unchanged. Each range is written in its own
     * transaction, which waits for transactions that write outcomes to the range.
     *
     * @param lane to search
     * @param ids ascending; some hundreds at most
     * @return how many are left because transactions of their handlers are open
     * @throws SQLException from the driver
     */
    int takeRunning(Lane lane, List<Long> ids) throws SQLException {
        List<RangeRow> ranges = database.autocommit(connection -> {
            List<Long> there = there(connection, lane.id(), ids, "");
            return ranges(connection, lane.id(), Long.MAX_VALUE, there);
        });
        int left = 0;
        for (RangeRow range : ranges) {
            if (!running(range, ids).isEmpty()) {
                left += database.transaction(connection -> takeRunning(connection, range.key(), ids));
            }
        }
        return left;
    }

    private int takeRunning(Connection connection, RangeKey key, List<Long> ids) throws SQLException {
        dialect.seeLatest(connection);
        RangeRow range = RangeRow.read(connection, dialect, key, dialect.forUpdate());
        if (range == null) {
            return 0;
        }
        List<Long> running = running(range, ids);
        if (running.isEmpty()) {
            return 0;
        }
        BitSet places = new BitSet();
        running.forEach(id -> places.set(range.ids().positionOf(id)));
        BitSet unused = moves.running(connection, range, places);
        range.write(connection, dialect);
        return running(range, ids).size();
    }

    private static List<Long> running(RangeRow range, List<Long> ids) {
        BitSet left = range.left();
        return ids.stream()
                .filter(id ->
                        range.ids().positionOf(id) >= 0 && left.get(range.ids().positionOf(id)))
                .toList();
    }
}

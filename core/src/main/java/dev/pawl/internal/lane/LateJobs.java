package dev.pawl.internal.lane;

import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds jobs that were committed late. Such a job belongs to a transaction that drew its ids and was still open when a claim took greater
 * ids. A range with gaps is counted several times, and each delay is four times the previous delay. The last count is made when all
 * transactions that were open at the claim have ended, if the database can tell ({@link OpenWriters}). It is made and recorded on the same
 * server, because another connection may lead to a server that is behind. Jobs before the oldest range are in no range, and are searched
 * for separately.
 *
 * <p>A late job gets a row of its own and leaves the lane ({@link LateMoves}). After a count that found late jobs, the range is counted
 * again before its next count is scheduled, because another process may have locked some of the late jobs and rolled back.
 */
public final class LateJobs {
    private static final Logger LOG = LoggerFactory.getLogger(LateJobs.class);
    private static final int MAX_RANGES = 200;
    /** Limit of lanes whose oldest range is read each second; further lanes follow a second later. */
    private static final int MAX_LANES = 1_000;
    /**
     * How often a range is counted: after 1, 4, 16, … seconds, the last time twelve days after the claim. If the
     * database tells when all writers have ended, the last count is made then.
     */
    private static final int RECOUNTS = 11;
    /**
     * For this number of checks, up to four and a half hours after the claim, the jobs of a range are only counted. Later checks compare
     * each id.
     */
    static final int COUNTS = 8;

    /** Ranges of another node are counted when they have been due for this long. */
    private static final long OTHERS_MICROS = 10_000_000;

    private static final LateMoves.Walk NOTHING = new LateMoves.Walk(0, 0, 0);

    private final Database database;
    private final Dialect dialect;
    private final Lanes lanes;
    private final LateMoves late;
    private final OpenWriters writers;
    /**
     * The condition that the writers were sampled on the answering server; empty if the database does not tell its writers.
     */
    private final String ofSampled;

    private final ScanPosition drawn = new ScanPosition();
    private final Map<Integer, ScanPosition> beforeAll = new HashMap<>();
    private int lastLane = -1;
    private final Sql due;
    private final Sql closed;
    private final Sql oldest;

    /**
     * @param database the pool and the dialect
     * @param lanes of the database
     */
    public LateJobs(Database database, Lanes lanes) {
        this.database = database;
        this.dialect = database.dialect();
        this.lanes = lanes;
        this.late = new LateMoves(database);
        this.writers = new OpenWriters(dialect);
        String server = LaneDatabase.of(dialect).server(dialect);
        this.ofSampled = server == null ? "" : " AND " + server + " = ?";
        String ranges = """
                SELECT r.lane, r.starts_after, r.recounts, CASE WHEN r.claimed_at <= %s%s THEN 1 ELSE 0 END AS is_last,
                       CASE WHEN r.recounts < %s AND r.jobs_deleted = FALSE AND (r.moved_count = 0 OR r.lease_expires_at IS NOT NULL) AND r.jobs =
                            %s THEN 1 ELSE 0 END AS is_whole
                  FROM pawl_lane_range r
                 WHERE r.recount_at IS NOT NULL%s AND r.""".formatted(
                dialect.moment(), ofSampled, COUNTS, LaneDatabase.of(dialect).countOfRange(), ofNode(dialect));
        String first = " LIMIT " + MAX_RANGES;
        // Two queries, because an OR would read all waiting ranges each second.
        due = dialect.planned(ranges + "recount_at <= " + dialect.now() + " ORDER BY r.recount_at" + first);
        closed = dialect.planned(
                ranges + "claimed_at <= " + dialect.moment() + ofSampled + " ORDER BY r.claimed_at" + first);
        // LIMIT 1 instead of MIN, for which MySQL and MariaDB would read all ranges of a lane.
        oldest = dialect.statement("""
                SELECT l.id, (SELECT r.starts_after FROM pawl_lane_range r WHERE r.lane = l.id
                               ORDER BY r.lane, r.starts_after LIMIT 1)
                  FROM pawl_lane l WHERE l.id > ? ORDER BY l.id LIMIT\s""" + MAX_LANES);
    }

    /** On a cluster whose nodes all take writes, the ranges of another node are left to its workers, unless it has none. */
    private static String ofNode(Dialect dialect) {
        LaneDatabase product = LaneDatabase.of(dialect);
        return product.mayHaveNodes()
                ? " AND (? = 0 OR r.node = " + product.node() + " OR " + dialect.micros(dialect.now()) + " - "
                        + dialect.micros("r.recount_at") + " >= " + OTHERS_MICROS + ")"
                : "";
    }

    /** A range to be counted, and the result of the count. */
    private record Counted(RangeKey key, int recounts, boolean isLast, boolean isWhole) {
        private Next next(boolean isLast) {
            return new Next(key.lane(), recounts, isLast, isWhole);
        }
    }

    /** The oldest range of a lane begins after this id. */
    private record Start(int lane, long id) {}

    /** Ranges whose next count is at the same time. */
    private record Next(int lane, int recounts, boolean isLast, boolean isWhole) {}

    /**
     * Searches the ranges that are due, and the jobs before the oldest ranges, for late jobs.
     *
     * @return how many late jobs were found
     * @throws SQLException from the driver
     */
    public synchronized int find() throws SQLException {
        Trouble trouble = new Trouble();
        if (LaneDatabase.of(dialect).drawsIds()) {
            trouble.attempt(this::deleteDrawn);
        }
        if (!dialect.mayCommitLate() || lanes.isUnused(database)) {
            trouble.end();
            return 0;
        }
        LongAdder found = new LongAdder();
        boolean unused = database.autocommit(writers::sample);
        trouble.attempt(() -> found.add(inRanges(due, false, trouble)));
        if (writers.closedUpTo().isAfter(Instant.EPOCH)) {
            trouble.attempt(() -> found.add(inRanges(closed, true, trouble)));
        }
        for (Start start : starts()) {
            trouble.attempt(() -> found.add(before(start, trouble)));
        }
        if (found.sum() > 0) {
            LOG.debug("found {} job(s) that were committed after later ones had been claimed", found);
        }
        trouble.end();
        return found.intValue();
    }

    private int inRanges(Sql query, boolean ofClosed, Trouble trouble) throws SQLException {
        int found = 0;
        List<Counted> ranges;
        int counted;
        do {
            ranges = database.autocommit(connection -> read(connection, query, ofClosed));
            Map<Next, List<Long>> next = new HashMap<>();
            int inThese = move(ranges, next, trouble);
            counted = countAgain(next);
            found += inThese;
            LOG.trace("{} late job(s) in {} range(s)", inThese, ranges.size());
        } while (ranges.size() == MAX_RANGES
                && counted > 0
                && !trouble.isTooMuch()
                && !Thread.currentThread().isInterrupted());
        return found;
    }

    private List<Counted> read(Connection connection, Sql query, boolean ofClosed) throws SQLException {
        Sql.Bound counted = bindSampled(query.on(connection, writers.closedUpTo()));
        if (LaneDatabase.of(dialect).mayHaveNodes()) {
            counted = counted.bind(lanes.node());
        }
        return (ofClosed ? bindSampled(counted.bind(writers.closedUpTo())) : counted)
                .list(row -> new Counted(
                        new RangeKey(row.getInt(1), row.getLong(2)),
                        row.getInt(3),
                        row.getInt(4) == 1,
                        row.getInt(5) == 1));
    }

    private Sql.Bound bindSampled(Sql.Bound statement) {
        return ofSampled.isEmpty() ? statement : statement.bind(writers.server());
    }

    /**
     * Moves late jobs. A range in which late jobs were found stays due, and is counted once more. If some of the late jobs could not be
     * moved, the range is counted later.
     */
    private int move(List<Counted> ranges, Map<Next, List<Long>> next, Trouble trouble) throws SQLException {
        int found = 0;
        for (Counted range : ranges) {
            if (trouble.isTooMuch()) {
                break;
            }
            LateMoves.Walk walk = range.isWhole ? NOTHING : move(range.key, trouble);
            found += walk.found();
            if (walk.left() > 0 || walk.found() == 0) {
                next.computeIfAbsent(range.next(walk.left() == 0 && isLastCount(range)), each -> new ArrayList<>())
                        .add(range.key.after());
            }
        }
        return found;
    }

    /**
     * Whether all transactions that were writing at the claim have ended; if the database does not tell, whether the
     * claim is long ago.
     */
    private boolean isLastCount(Counted range) {
        return range.isLast
                || (LaneDatabase.of(dialect).openWriters(dialect) == null && range.recounts + 1 >= RECOUNTS);
    }

    private int countAgain(Map<Next, List<Long>> next) throws SQLException {
        int counted = 0;
        for (Map.Entry<Next, List<Long>> each : next.entrySet()) {
            counted += database.transaction(connection -> {
                List<Long> free = free(connection, each.getKey(), each.getValue());
                if (each.getKey().isLast && !each.getKey().isWhole) {
                    free = complete(connection, each.getKey().lane, free);
                }
                if (!free.isEmpty()) {
                    countAgain(connection, each.getKey(), free);
                }
                return free.size();
            });
        }
        return counted;
    }

    /**
     * Locks ranges. A range that is locked already is counted again later, so that completions and this duty do not
     * wait for each other.
     */
    private List<Long> free(Connection connection, Next when, List<Long> after) throws SQLException {
        Sql sql = dialect.planned("SELECT starts_after FROM pawl_lane_range WHERE lane = ? AND recounts = ?"
                + " AND recount_at IS NOT NULL AND " + dialect.anyOf("starts_after", after.size())
                + (when.isLast ? ofSampled : "") + " ORDER BY starts_after " + dialect.skipLocked());
        Sql.Bound free = sql.on(connection, when.lane, when.recounts, after);
        return (when.isLast ? bindSampled(free) : free).longs();
    }

    /** {@return which of these locked ranges have no late job} The other ranges stay due. */
    private List<Long> complete(Connection connection, int lane, List<Long> after) throws SQLException {
        List<Long> complete = new ArrayList<>();
        for (long each : after) {
            RangeRow row = RangeRow.read(connection, dialect, new RangeKey(lane, each), "");
            if (row != null && areAll(row.ids(), ids(connection, row))) {
                complete.add(each);
            }
        }
        return complete;
    }

    /** Reads up to one id more than the range has, which shows whether there is a late job. */
    private List<Long> ids(Connection connection, RangeRow row) throws SQLException {
        IdSet ids = row.ids();
        return LaneLog.ids(connection, dialect, row.key().lane(), row.key().after(), ids.last(), ids.size() + 1);
    }

    private static boolean areAll(IdSet ids, List<Long> there) {
        return there.stream().allMatch(id -> ids.positionOf(id) >= 0);
    }

    private void countAgain(Connection connection, Next when, List<Long> after) throws SQLException {
        Sql sql = dialect.planned("UPDATE pawl_lane_range SET recounts = recounts + 1, recount_at = "
                + dialect.nowPlusMicros() + " WHERE lane = ? AND " + dialect.anyOf("starts_after", after.size()));
        long later = (3 * LaneClaim.FIRST_RECOUNT_MICROS) << (2 * Math.min(when.recounts, RECOUNTS));
        sql.on(connection, when.isLast ? null : later, when.lane, after).run();
    }

    /** Checks each id, and moves late jobs. The range needs no lock, because its ids never change, and a late job is in no other range. */
    private LateMoves.Walk move(RangeKey key, Trouble trouble) throws SQLException {
        Optional<RangeRow> row =
                database.autocommit(connection -> Optional.ofNullable(RangeRow.read(connection, dialect, key, "")));
        if (row.isEmpty()) {
            return NOTHING; // pruned: its late jobs are found before the oldest range
        }
        IdSet ids = row.get().ids();
        return late.walk(key.lane(), key.after(), ids.last(), ids.size(), id -> ids.positionOf(id) < 0, trouble);
    }

    /** {@return the starts of lanes with ranges} Reads many lanes in one query, because most lanes have no late jobs. */
    private List<Start> starts() throws SQLException {
        List<Start> read = database.autocommit(
                connection -> oldest.on(connection, lastLane).list(row -> new Start(row.getInt(1), row.getLong(2))));
        lastLane = read.size() < MAX_LANES ? -1 : read.get(read.size() - 1).lane;
        return read;
    }

    private int before(Start start, Trouble trouble) throws SQLException {
        ScanPosition position = beforeAll.computeIfAbsent(start.lane, unused -> new ScanPosition());
        long after = position.begin(System.nanoTime());
        if (start.id <= after) {
            return 0;
        }
        LateMoves.Walk walk = late.walk(start.lane, after, start.id, 0, id -> true, trouble);
        position.reached(walk.end());
        return walk.found();
    }

    /** Deletes rows that were written to draw an id. A plain read finds only rows of transactions that have ended. */
    private void deleteDrawn() throws SQLException {
        long after = drawn.begin(System.nanoTime());
        List<Long> ids;
        do {
            long from = after;
            List<Long> some = database.autocommit(
                    connection -> LaneLog.ids(connection, dialect, 0, from, Long.MAX_VALUE, LateMoves.MAX_JOBS));
            if (!some.isEmpty()) {
                int unused = database.transaction(connection -> LaneLog.delete(connection, dialect, 0, some));
                after = some.get(some.size() - 1);
                drawn.reached(after);
            }
            ids = some;
        } while (ids.size() == LateMoves.MAX_JOBS && !Thread.currentThread().isInterrupted());
    }
}

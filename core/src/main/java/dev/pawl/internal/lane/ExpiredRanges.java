package dev.pawl.internal.lane;

import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Fault;
import dev.pawl.internal.jdbc.Sql;
import dev.pawl.internal.log.JobsByCause;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives the unfinished jobs of an expired range rows of their own. The jobs stay running under the expired lease, so the rescue of
 * abandoned jobs finds them and decides job by job. Several workers may move jobs at once.
 *
 * <p>If the database refuses to move a range, or times out, each half is moved on its own, down to single jobs. A job that cannot be moved
 * delays neither its neighbours nor other ranges.
 */
public final class ExpiredRanges {
    private static final Logger LOG = LoggerFactory.getLogger(ExpiredRanges.class);
    private static final int MAX = 20;
    private static final int MAX_PASSED_BY = 1000;

    private final Database database;
    private final Dialect dialect;
    private final Moves moves;
    private final Sql expired;
    private final JobsByCause failed = new JobsByCause();
    private volatile int leftOff;

    /**
     * @param database the pool and the dialect
     */
    public ExpiredRanges(Database database) {
        this.database = database;
        this.dialect = database.dialect();
        this.moves = new Moves(dialect);
        expired = dialect.statement("SELECT lane, starts_after FROM pawl_lane_range WHERE lease_expires_at <= "
                + dialect.now() + " ORDER BY lease_expires_at, lane, starts_after LIMIT " + MAX + " OFFSET ?");
    }

    /**
     * Moves the jobs of the ranges that expired first.
     *
     * @throws SQLException from the driver: at once if the database is unreachable; otherwise the first transient error, at the end of the
     *     pass
     */
    public void open() throws SQLException {
        try {
            openAll();
        } finally {
            failed.report(LOG::error);
        }
    }

    private void openAll() throws SQLException {
        Trouble trouble = new Trouble();
        int start = leftOff;
        leftOff = 0;
        int passBy = start;
        List<RangeKey> keys;
        do {
            int offset = passBy;
            keys = database.autocommit(connection -> find(connection, offset));
            for (RangeKey key : keys) {
                passBy += open(key, trouble) ? 0 : 1;
                if (trouble.isTooLong()) {
                    leftOff = passBy;
                    trouble.end();
                    return;
                }
            }
        } while (keys.size() == MAX && passBy > start && passBy < start + MAX_PASSED_BY);
        trouble.end();
    }

    private List<RangeKey> find(Connection connection, int offset) throws SQLException {
        return expired.on(connection, offset).list(rows -> new RangeKey(rows.getInt(1), rows.getLong(2)));
    }

    /**
     * Moves the range in one transaction; if that fails, in parts.
     *
     * @return false if the range is locked, or some of its jobs are left
     */
    private boolean open(RangeKey key, Trouble trouble) throws SQLException {
        trouble.succeeded();
        try {
            return database.transaction(1, connection -> {
                RangeRow row = expired(connection, key);
                return row != null && move(connection, row, row.left());
            });
        } catch (SQLException e) {
            if (Fault.of(e).isOutage()) {
                throw e;
            }
            LOG.warn(
                    "the jobs of the range after {} in lane {} are rescued in parts: {}",
                    key.after(),
                    key.lane(),
                    e.getMessage());
            LOG.debug("the jobs of the range after {} in lane {} are rescued in parts", key.after(), key.lane(), e);
        }
        Optional<RangeRow> found = database.autocommit(connection -> Optional.ofNullable(expired(connection, key)));
        if (found.isEmpty()) {
            return false;
        }
        RangeRow before = found.get();
        return halves(key, before.ids(), before.left(), trouble);
    }

    private boolean halves(RangeKey key, IdSet ids, BitSet places, Trouble trouble) throws SQLException {
        BitSet low = new BitSet();
        BitSet high = (BitSet) places.clone();
        for (int left = (places.cardinality() + 1) / 2; left > 0; left--) {
            int place = high.nextSetBit(0);
            low.set(place);
            high.clear(place);
        }
        boolean all = part(key, ids, low, trouble);
        return (high.isEmpty() || part(key, ids, high, trouble)) && all;
    }

    /** Tries once to move a part of a range; if that fails, tries its halves. */
    private boolean part(RangeKey key, IdSet ids, BitSet places, Trouble trouble) throws SQLException {
        if (trouble.isTooMany()) {
            return false;
        }
        try {
            boolean all = database.transaction(1, connection -> {
                RangeRow row = expired(connection, key);
                if (row == null) {
                    return true;
                }
                BitSet left = row.left();
                left.and(places);
                return move(connection, row, left);
            });
            trouble.succeeded();
            return all;
        } catch (SQLException e) {
            if (Fault.of(e).isOutage()) {
                throw e;
            }
            if (Fault.of(e).isTransient()) {
                trouble.add(e);
            }
            if (places.cardinality() > 1) {
                return halves(key, ids, places, trouble);
            }
            if (!places.isEmpty()) {
                failed.add("cannot be rescued: " + e.getMessage(), ids.id(places.nextSetBit(0)), e);
            }
            return false;
        }
    }

    /**
     * Guard {@code RescueLocked} of the model {@code lanes.als}: the unfinished jobs, the owner and the expiry are read under the lock.
     */
    private @Nullable RangeRow expired(Connection connection, RangeKey key) throws SQLException {
        Sql sql = dialect.statement("SELECT " + RangeRow.COLUMNS
                + " FROM pawl_lane_range WHERE lane = ? AND starts_after = ? AND lease_expires_at <= " + dialect.now()
                + " "
                + dialect.skipLocked());
        RangeRow found =
                sql.on(connection, key.lane(), key.after()).first(RangeRow::of).orElse(null);
        if (found != null) {
            found.readFences(connection, dialect);
        }
        return found;
    }

    /** {@return whether no job at these positions is left in the range; a job stays there while its handler's transaction is open} */
    private boolean move(Connection connection, RangeRow row, BitSet places) throws SQLException {
        BitSet moved = moves.running(connection, row, places);
        BitSet left = row.left();
        if (!moved.isEmpty() || !row.fenced().isEmpty() || left.isEmpty()) {
            row.write(connection, dialect);
        }
        return !left.intersects(places);
    }
}

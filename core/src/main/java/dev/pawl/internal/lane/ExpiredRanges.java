package dev.pawl.internal.lane;

import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Fault;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives the rest of a range whose lease has expired rows of their own, as they are: running, under a lease that is over. So
 * whoever rescues abandoned jobs finds them there, and decides job by job. Several workers may do it at once.
 */
public final class ExpiredRanges {
    private static final Logger LOG = LoggerFactory.getLogger(ExpiredRanges.class);
    private static final int MOST = 20;
    private static final int MOST_PASSED_BY = 1000;

    private final Database database;
    private final Dialect dialect;
    private final Moves moves;
    private final String expired;

    /**
     * @param database the pool and the dialect
     */
    public ExpiredRanges(Database database) {
        this.database = database;
        this.dialect = database.dialect();
        this.moves = new Moves(dialect);
        expired = dialect.sql("SELECT lane, after_id FROM pawl_lane_range WHERE lease_expires_at <= " + dialect.now()
                + " ORDER BY lease_expires_at, lane, after_id LIMIT " + MOST + " OFFSET ?");
    }

    /**
     * Opens the oldest of them.
     *
     * @throws SQLException from the driver
     */
    public void open() throws SQLException {
        int passBy = 0;
        List<RangeKey> keys;
        do {
            int offset = passBy;
            keys = database.autocommit(connection -> find(connection, offset));
            for (RangeKey key : keys) {
                passBy += open(key) ? 0 : 1;
            }
        } while (keys.size() == MOST && passBy > 0 && passBy < MOST_PASSED_BY);
    }

    private List<RangeKey> find(Connection connection, int offset) throws SQLException {
        List<RangeKey> keys = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(expired)) {
            statement.setInt(1, offset);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    keys.add(new RangeKey(rows.getInt(1), rows.getLong(2)));
                }
            }
        }
        return keys;
    }

    /**
     * All at once; if the database refuses that, each on its own, so that one job does not hold back the others.
     *
     * @return false if somebody has locked it, or some of its jobs stay where they are
     */
    private boolean open(RangeKey key) throws SQLException {
        try {
            return database.transaction(connection -> {
                RangeRow row = expired(connection, key);
                if (row != null) {
                    move(connection, row, row.left());
                }
                return row != null;
            });
        } catch (SQLException e) {
            if (Fault.of(e).isTransient()) {
                throw e;
            }
            LOG.warn(
                    "the jobs of the range after {} in lane {} are rescued one by one: {}", key.after(), key.lane(), e);
            oneByOne(key);
            return false;
        }
    }

    private void oneByOne(RangeKey key) throws SQLException {
        Optional<RangeRow> found = database.autocommit(connection -> Optional.ofNullable(expired(connection, key)));
        if (found.isEmpty()) {
            return;
        }
        RangeRow before = found.get();
        BitSet left = before.left();
        for (int place = left.nextSetBit(0); place >= 0; place = left.nextSetBit(place + 1)) {
            BitSet one = new BitSet();
            one.set(place);
            try {
                boolean unused = database.transaction(connection -> {
                    RangeRow row = expired(connection, key);
                    if (row != null && row.left().intersects(one)) {
                        move(connection, row, one);
                    }
                    return true;
                });
            } catch (SQLException e) {
                if (Fault.of(e).isTransient()) {
                    throw e;
                }
                LOG.error("job {} cannot be rescued", before.ids().id(place), e);
            }
        }
    }

    /** Guard: what is left, the owner and the expiry are read under the lock (twin {@code RescueLocked}). */
    private @Nullable RangeRow expired(Connection connection, RangeKey key) throws SQLException {
        String sql = dialect.sql("SELECT " + RangeRow.COLUMNS
                + " FROM pawl_lane_range WHERE lane = ? AND after_id = ? AND lease_expires_at <= " + dialect.now() + " "
                + dialect.skipLocked());
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setInt(1, key.lane());
            statement.setLong(2, key.after());
            try (ResultSet row = statement.executeQuery()) {
                return row.next() ? RangeRow.of(row) : null;
            }
        }
    }

    private void move(Connection connection, RangeRow row, BitSet places) throws SQLException {
        if (!places.isEmpty()) {
            moves.running(connection, row.key(), Moves.at(row.ids(), places));
            row.moved().or(places);
        }
        row.write(connection, dialect);
    }
}

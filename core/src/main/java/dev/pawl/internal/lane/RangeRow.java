package dev.pawl.internal.lane;

import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Sql;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * A row of {@code pawl_lane_range}.
 *
 * @param key of the range
 * @param ids of its jobs
 * @param leasedBy the worker that claimed it
 * @param token of the claim, and so of its jobs
 * @param isOpen whether some jobs are neither done nor moved
 * @param done jobs that are completed
 * @param moved jobs that have rows of their own
 * @param fenced those of the done jobs that handlers' transactions have completed, and whose bits are not yet in the
 *     table
 */
record RangeRow(
        RangeKey key, IdSet ids, long leasedBy, long token, boolean isOpen, BitSet done, BitSet moved, BitSet fenced) {
    static final String COLUMNS = "lane, starts_after, last_id, jobs, id_gaps, leased_by, token,"
            + " CASE WHEN lease_expires_at IS NULL THEN 0 ELSE 1 END AS is_open, done, moved";

    /**
     * The condition for the open ranges of a lane ({@code ?}), written so that the partial index for open ranges is
     * used. The database may prefer the primary key, by which it would read all closed ranges first.
     */
    static final String OPEN_OF_LANE = "lane + 0 = ? AND lease_expires_at IS NOT NULL";

    /**
     * @param lock the clause that locks the row; empty for no lock
     * @return the range; null if there is none, or if it is locked and {@code lock} skips it
     */
    static @Nullable RangeRow read(Connection connection, Dialect dialect, RangeKey key, String lock)
            throws SQLException {
        Sql sql = dialect.statement(
                "SELECT " + COLUMNS + " FROM pawl_lane_range WHERE lane = ? AND starts_after = ? " + lock);
        RangeRow found = sql.on(connection, key.lane(), key.after())
                .first(row -> of(row))
                .orElse(null);
        if (found == null) {
            return null;
        }
        found.readFences(connection, dialect);
        return lock.isEmpty() ? found.again(connection, dialect) : found;
    }

    static boolean exists(Connection connection, Dialect dialect, RangeKey key) throws SQLException {
        return dialect.statement("SELECT 1 FROM pawl_lane_range WHERE lane = ? AND starts_after = ?")
                .on(connection, key.lane(), key.after())
                .first(row -> true)
                .orElse(false);
    }

    /**
     * Reads a range again after its fences. This is needed unless this transaction has locked the range, because a fence may have been
     * deleted, and its bit set, between the read of the range and the read of the fences.
     *
     * @return the range as it is now, with the fences that were read; null if it has been deleted
     */
    @Nullable
    RangeRow again(Connection connection, Dialect dialect) throws SQLException {
        if (!isOpen) {
            return this;
        }
        Sql sql = dialect.statement("SELECT " + COLUMNS + " FROM pawl_lane_range WHERE lane = ? AND starts_after = ?");
        RangeRow now = sql.on(connection, key.lane(), key.after())
                .first(row -> of(row))
                .orElse(null);
        if (now != null && now.isOpen && now.token == token) {
            now.fenced.or(fenced);
            now.fenced.andNot(now.done);
            now.fenced.andNot(now.moved);
            now.done.or(now.fenced);
        }
        return now;
    }

    /**
     * Adds the jobs that handlers' transactions have completed since the bits were written. The caller has locked the range, or afterwards
     * reads it {@link #again}.
     */
    void readFences(Connection connection, Dialect dialect) throws SQLException {
        if (isOpen) {
            BitSet completed = new LaneFences(dialect).completed(connection, this);
            completed.andNot(done);
            fenced.or(completed);
            done.or(completed);
        }
    }

    /** {@return the range in the current row, without fences} */
    static RangeRow of(ResultSet row) throws SQLException {
        RangeKey key = new RangeKey(row.getInt("lane"), row.getLong("starts_after"));
        IdSet ids = IdSet.read(key.after(), row.getLong("last_id"), row.getInt("jobs"), row.getString("id_gaps"));
        boolean open = row.getInt("is_open") == 1;
        BitSet moved = bits(row.getBytes("moved"));
        BitSet done = bits(row.getBytes("done"));
        if (!open) {
            done.set(0, ids.size());
            done.andNot(moved);
        }
        return new RangeRow(key, ids, row.getLong("leased_by"), row.getLong("token"), open, done, moved, new BitSet());
    }

    static BitSet bits(byte @Nullable [] bytes) {
        return bytes == null ? new BitSet() : BitSet.valueOf(bytes);
    }

    static byte @Nullable [] bytes(BitSet bits) {
        return bits.isEmpty() ? null : bits.toByteArray();
    }

    /**
     * Guard {@code ClaimTest} of the model {@code claims.als}: if the commit of this claim was lost, another claim may have the key, even a
     * claim of the same worker.
     *
     * @return whether the claim of this worker wrote the row
     */
    boolean isOf(HeldRange range) {
        return token == range.token() && leasedBy == range.worker();
    }

    /** {@return the jobs that run, or wait in the worker that claimed them} */
    BitSet left() {
        BitSet left = new BitSet();
        left.set(0, ids.size());
        left.andNot(done);
        left.andNot(moved);
        return left;
    }

    /** Writes the bits of this object; closes the range if no job is left. This transaction has locked the row. */
    void write(Connection connection, Dialect dialect) throws SQLException {
        boolean isFinished = left().isEmpty();
        Sql sql = dialect.statement("UPDATE pawl_lane_range SET done = " + dialect.bytes() + ", moved = "
                + dialect.bytes() + ", completed = ?, moved_count = ?, finished_at ="
                + " CASE WHEN lease_expires_at IS NULL THEN finished_at ELSE " + dialect.now() + " END"
                + (isFinished ? ", lease_expires_at = NULL" : "")
                + " WHERE lane = ? AND starts_after = ?");
        sql.on(
                        connection,
                        isFinished ? null : bytes(done),
                        bytes(moved),
                        done.cardinality(),
                        moved.cardinality(),
                        key.lane(),
                        key.after())
                .run();
        if (!fenced.isEmpty()) {
            new LaneFences(dialect).delete(connection, Moves.at(ids, fenced));
        }
    }
}

package dev.pawl.internal.lane;

import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Fault;
import dev.pawl.internal.jdbc.Sql;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.List;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * The rows of {@code pawl_lane_fence}. A handler's transaction first inserts the key of its job, and so does every transaction that gives a
 * running job a row of its own. So one of these transactions waits for the other, and then finds what the other has done. The handler's
 * statement also reads the range, without locking it, and finds there a move that was committed before. A move in progress makes the
 * statement wait at the key. Thread-safe.
 */
final class LaneFences {
    /** Lock timeout of the first statement of a move: long enough for a transaction that is about to end. */
    private static final Duration FIRST_TIMEOUT = Duration.ofMillis(50);
    /** Lock timeout after the first one. It is short, because the range is locked during the wait. */
    private static final Duration PART_TIMEOUT = Duration.ofMillis(2);
    /** After this number of lock timeouts, the remaining jobs of a move do not move. */
    private static final int MAX_TIMEOUTS = 100;

    private final Dialect dialect;
    private final LaneDatabase product;
    private final String complete;
    private final Sql completed;
    private final Sql own;

    LaneFences(Dialect dialect) {
        this.dialect = dialect;
        this.product = LaneDatabase.of(dialect);
        this.complete = dialect.sql("""
                INSERT INTO pawl_lane_fence (id, token)
                SELECT ?, r.token FROM pawl_lane_range r
                 WHERE r.lane = ? AND r.starts_after = ? AND r.leased_by = ? AND r.token = ? AND r.lease_expires_at IS NOT NULL
                   AND %s""".formatted(product.isClear("r.moved")));
        this.own = dialect.planned("SELECT id FROM pawl_lane_fence WHERE id = ? AND token = ?");
        this.completed = dialect.planned(
                "SELECT id FROM " + dialect.alongIds("pawl_lane_fence") + " WHERE id > ? AND id <= ? AND token = ?");
    }

    /**
     * Completes a job as part of its handler's transaction.
     *
     * @return false if the claim has lost the job, or the job has moved; then the transaction must be rolled back
     */
    boolean complete(Connection connection, HeldRange range, long id) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(complete)) {
            statement.setLong(1, id);
            statement.setInt(2, range.key().lane());
            statement.setLong(3, range.key().after());
            statement.setLong(4, range.worker());
            statement.setLong(5, range.token());
            product.bindClear(statement, 6, range.ids().positionOf(id));
            return statement.executeUpdate() == 1;
        } catch (SQLException e) {
            if (Fault.of(e) == Fault.UNIQUE) {
                return false;
            }
            throw e;
        }
    }

    /**
     * {@return whether the fence is still in the transaction that inserted it} True without a read on databases where an error does not
     * roll back the transaction.
     */
    boolean isWritten(Connection connection, HeldRange range, long id) throws SQLException {
        return !dialect.losesTransactions()
                || own.on(connection, id, range.token()).exists();
    }

    /** {@return the positions of jobs of an open range that their handlers' transactions have completed} */
    BitSet completed(Connection connection, RangeRow range) throws SQLException {
        BitSet places = new BitSet();
        completed
                .on(connection, range.key().after(), range.ids().last(), range.token())
                .each(row -> places.set(range.ids().positionOf(row.getLong(1))));
        return places;
    }

    /** Deletes the fences of completed jobs whose bits are set in the same transaction, or of jobs whose range is deleted. */
    void delete(Connection connection, List<Long> ids) throws SQLException {
        Sql sql = dialect.planned(
                dialect.deleteAlongIds("pawl_lane_fence") + " WHERE " + dialect.anyOf("id", ids.size()));
        sql.on(connection, ids).run();
    }

    /**
     * Inserts the keys of jobs that are about to move. The caller has locked their range.
     *
     * @return the jobs that may move. Any other job is completed, as {@code range} then shows, or a transaction is open that may complete
     *     it. If there are many such transactions, some neighbouring jobs may be left out, too.
     */
    BitSet move(Connection connection, RangeRow range, BitSet places) throws SQLException {
        BitSet moving = new BitSet();
        Queue<BitSet> parts = new ArrayDeque<>(); // larger parts first: they have most of the jobs that may move
        if (!places.isEmpty()) {
            parts.add(places);
        }
        Duration timeout = FIRST_TIMEOUT;
        for (int timeouts = 0; timeouts < MAX_TIMEOUTS && !parts.isEmpty(); ) {
            BitSet part = parts.remove();
            BitSet some = tryToMove(connection, range, part, timeout);
            if (some != null) {
                moving.or(some);
                continue;
            }
            timeouts++;
            timeout = PART_TIMEOUT;
            if (part.cardinality() > 1) {
                BitSet low = new BitSet();
                part.stream().limit(part.cardinality() / 2).forEach(low::set);
                BitSet high = (BitSet) part.clone();
                high.andNot(low);
                parts.add(low);
                parts.add(high);
            }
        }
        return moving;
    }

    /** {@return the jobs that may move; null, without any effect, if an open transaction may complete one of these jobs} */
    private @Nullable BitSet tryToMove(Connection connection, RangeRow range, BitSet places, Duration timeout)
            throws SQLException {
        Savepoint before = dialect.isInProcess() ? null : connection.setSavepoint();
        try {
            List<Long> ids = Moves.at(range.ids(), places);
            int count = product.insertFences(
                    connection,
                    dialect,
                    ids,
                    timeout,
                    () -> insert(connection, range.key().lane(), ids));
            BitSet ours = (BitSet) places.clone();
            if (count < ids.size()) {
                range.readFences(connection, dialect);
                ours.andNot(range.done());
            }
            if (before != null) {
                connection.releaseSavepoint(before);
            }
            return ours;
        } catch (SQLException e) {
            if (before == null || Fault.of(e) != Fault.LOCK_TIMEOUT) {
                throw e;
            }
            connection.rollback(before);
            return null;
        }
    }

    private int insert(Connection connection, int lane, List<Long> ids) throws SQLException {
        Sql sql = dialect.planned(
                dialect.insertIfMissing("pawl_lane_fence (id, token) SELECT l.id, 0 FROM pawl_lane_job l"
                        + " WHERE l.lane = ? AND " + dialect.anyOf("l.id", ids.size())));
        return sql.on(connection, lane, ids).update();
    }
}

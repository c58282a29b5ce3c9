package dev.pawl.internal.lane;

import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Fault;
import dev.pawl.internal.jdbc.Sql;
import dev.pawl.internal.log.JobsByCause;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongPredicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives late jobs rows of their own: a few hundred in a transaction, which locks only the jobs themselves. A transaction that enqueued a
 * million jobs may commit after a claim from the lane has passed their ids, so that all these jobs are late. Transactions that renew or
 * complete that claim must not wait until all late jobs have moved. Only the transaction that deletes the job's row in the lane moves the
 * job, and it writes the new row from the deleted row (guards {@code RecountDeletes} and {@code RowFromLane} of the model {@code
 * lanes.als}).
 *
 * <p>If the database refuses to move some jobs together, or times out, each half is moved on its own, down to single
 * jobs. A job that cannot be moved is skipped.
 */
final class LateMoves {
    private static final Logger LOG = LoggerFactory.getLogger(LateMoves.class);

    static final int MAX_JOBS = 500;

    private final Database database;
    private final Dialect dialect;
    private final Moves moves;
    private final JobsByCause failed = new JobsByCause();

    LateMoves(Database database) {
        this.database = database;
        this.dialect = database.dialect();
        this.moves = new Moves(dialect);
    }

    /**
     * Result of a walk.
     *
     * @param found how many jobs were late; other workers may have moved some of them, or may be moving them
     * @param left how many of the late jobs could not be moved now
     * @param end the last id that was checked. It is smaller than the requested id if the thread was interrupted after late jobs were
     *     found, or if there were too many errors.
     */
    record Walk(int found, int left, long end) {}

    /**
     * Walks through ids and moves the late jobs.
     *
     * @param after only greater ids
     * @param last only ids up to this one
     * @param others maximum number of ids that are not late
     * @param late tells whether an id is late
     * @param trouble collects the errors of jobs that could not be moved
     * @throws SQLException from the driver; jobs moved before stay moved
     */
    Walk walk(int lane, long after, long last, int others, LongPredicate late, Trouble trouble) throws SQLException {
        try {
            return walked(lane, after, last, others, late, trouble);
        } finally {
            failed.report(LOG::error);
        }
    }

    private Walk walked(int lane, long after, long last, int others, LongPredicate late, Trouble trouble)
            throws SQLException {
        int limit = MAX_JOBS + others;
        int found = 0;
        int left = 0;
        long end = after;
        while (true) {
            long from = end;
            List<Long> ids =
                    database.autocommit(connection -> LaneLog.ids(connection, dialect, lane, from, last, limit));
            List<Long> batch = ids.stream().filter(late::test).limit(MAX_JOBS).toList();
            if (!batch.isEmpty()) {
                left += move(lane, batch, trouble);
            }
            found += batch.size();
            boolean full = batch.size() == MAX_JOBS;
            if (ids.size() < limit && !full) {
                return new Walk(found, left, last);
            }
            List<Long> seen = full ? batch : ids;
            end = seen.get(seen.size() - 1);
            if ((found > 0 && Thread.currentThread().isInterrupted()) || trouble.isTooMuch()) {
                return new Walk(found, left, end);
            }
        }
    }

    /** {@return how many jobs are left} */
    private int move(int lane, List<Long> ids, Trouble trouble) throws SQLException {
        if (trouble.isTooMuch()) {
            return ids.size();
        }
        try {
            int unused = database.transaction(connection -> moveExisting(connection, lane, ids));
            trouble.succeeded();
            return 0;
        } catch (SQLException e) {
            if (Fault.of(e).isOutage()) {
                throw e;
            }
            trouble.add(e);
            int half = ids.size() / 2;
            if (half > 0) {
                return move(lane, ids.subList(0, half), trouble) + move(lane, ids.subList(half, ids.size()), trouble);
            }
            if (Fault.of(e).isTransient()) {
                LOG.debug("job {} of lane {} was committed late, and gets a row of its own later", ids.get(0), lane, e);
            } else {
                failed.add("committed late, and cannot get a row of its own: " + e.getMessage(), ids.get(0), e);
            }
            return 1;
        }
    }

    /** Moves jobs; skips those that another worker is moving or has moved. */
    private int moveExisting(Connection connection, int lane, List<Long> ids) throws SQLException {
        Sql sql = dialect.planned("SELECT id FROM pawl_lane_job WHERE lane = ? AND " + dialect.anyOf("id", ids.size())
                + " ORDER BY id " + dialect.skipLocked());
        List<Long> there = new ArrayList<>();
        sql.on(connection, lane, ids).each(rows -> there.add(rows.getLong(1)));
        if (!there.isEmpty()) {
            moves.available(connection, lane, there);
            int deleted = LaneLog.delete(connection, dialect, lane, there);
            if (deleted != there.size()) {
                throw new SQLException("others have moved some of " + there.size() + " late jobs", "40001");
            }
        }
        return there.size();
    }
}

package dev.pawl.internal.lane;

import dev.pawl.api.JobState;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Sql;
import dev.pawl.internal.store.ClaimToken;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * Gives jobs of a lane rows of their own. The rows have the same id and the token of the job's claim, so that the next
 * claim draws a greater token. The caller marks the jobs as moved in the range, in the same transaction.
 */
final class Moves {
    private static final String INTO = """
            INSERT INTO pawl_job (id, lease_token, leased_by, created_at, available_at, started_at, lease_expires_at, state,
                                  expires_at, batch_id, cost, priority, attempt, max_attempts, queue, kind, tags, headers,
                                  payload, prefetched)
            SELECT l.id, %s, %s, l.created_at, l.created_at, %s, %s, %s, l.expires_at, l.batch_id, l.cost, n.priority, %s,
                   l.max_attempts, n.queue, l.kind, l.tags, l.headers, l.payload, %s
              FROM %s
             WHERE l.lane = ? AND n.id = l.lane AND %s""";

    private final Dialect dialect;
    private final LaneFences fences;

    Moves(Dialect dialect) {
        this.dialect = dialect;
        this.fences = new LaneFences(dialect);
    }

    /**
     * Moves running jobs, which keep running under the range's lease. Sets their bits in {@code row}, whose range this transaction has
     * locked.
     *
     * @param places of unfinished jobs
     * @return the jobs that have moved. For any other job, the handler's transaction is still open, or it has completed the job and the bit
     *     is set.
     */
    BitSet running(Connection connection, RangeRow row, BitSet places) throws SQLException {
        // guard MoveFences of the model fences.als: a transaction that is about to complete one of these jobs fails at
        // the key of its fence
        BitSet moving = fences.move(connection, row, places);
        if (!moving.isEmpty()) {
            running(connection, row.key(), at(row.ids(), moving));
            row.moved().or(moving);
        }
        return moving;
    }

    private void running(Connection connection, RangeKey range, List<Long> ids) throws SQLException {
        String sql = INTO.formatted(
                "r.token",
                "r.leased_by",
                "r.claimed_at",
                "r.lease_expires_at",
                1,
                1,
                "CASE WHEN r.ahead OR l.max_attempts = 1 THEN TRUE ELSE FALSE END",
                "pawl_lane_job l, pawl_lane n, pawl_lane_range r",
                "r.lane = l.lane AND r.starts_after = ? AND " + dialect.anyOf("l.id", ids.size()));
        expect(
                ids.size(),
                dialect.planned(sql)
                        .on(connection, range.lane(), range.after(), ids)
                        .update(),
                range.lane());
    }

    /** Moves jobs that no worker has claimed. */
    void available(Connection connection, int lane, List<Long> ids) throws SQLException {
        available(connection, lane, ids, ClaimToken.UNCLAIMED);
    }

    /**
     * Moves jobs as if they had never been claimed.
     *
     * @param token of the claim that releases the jobs
     */
    void available(Connection connection, int lane, List<Long> ids, long token) throws SQLException {
        String sql = INTO.formatted(
                "?",
                "NULL",
                "NULL",
                "NULL",
                0,
                0,
                "FALSE",
                "pawl_lane_job l, pawl_lane n",
                dialect.anyOf("l.id", ids.size()));
        expect(ids.size(), dialect.planned(sql).on(connection, token, lane, ids).update(), lane);
    }

    /**
     * Gives available jobs rows of their own before they are claimed. The jobs become a range in which all jobs have moved. A claim that
     * has read these jobs fails at the key of that range. As for a claim, the end must be unchanged (guard {@code EndTest} of the model
     * {@code lanes.als}), because a range that had the same key may be pruned by now. In an old snapshot the end never changes, so the
     * transaction must begin with {@link Dialect#seeLatest}.
     *
     * <p>If nodes have lanes of their own, the node that wrote the range searches it for late jobs, as if a claim there
     * had written it.
     *
     * <p>Claims wait at the key until the caller's transaction ends. So the rows are written before the range, and the caller should do
     * little or nothing after this call.
     *
     * @param range the end of the last range, which the caller has read before the jobs
     * @param ids the next jobs
     */
    void ahead(Connection connection, RangeKey range, IdSet ids) throws SQLException {
        available(connection, range.lane(), ids.all());
        BitSet all = new BitSet();
        all.set(0, ids.size());
        boolean mayBeLate = dialect.mayCommitLate() && !ids.fills(range.after());
        LaneDatabase product = LaneDatabase.of(dialect);
        Sql sql = dialect.statement("""
                INSERT INTO pawl_lane_range (lane, starts_after, last_id, jobs, id_gaps, leased_by, ahead, claimed_at, finished_at,
                                             moved_count, moved, recount_at, node)
                SELECT ?, ?, ?, ?, ?, 0, FALSE, %1$s, %1$s, ?, %4$s, %2$s,
                       (SELECT CASE WHEN n.node = 0 THEN 0 ELSE %5$s END FROM pawl_lane n WHERE n.id = ?)
                  FROM (SELECT %3$s AS end_id) present WHERE present.end_id = ?
                """.formatted(
                dialect.now(), mayBeLate ? dialect.now() : "NULL", LaneLog.END, dialect.bytes(), product.node()));
        if (sql.on(
                                connection,
                                range.lane(),
                                range.after(),
                                ids.last(),
                                ids.size(),
                                ids.steps(range.after()),
                                ids.size(),
                                RangeRow.bytes(all),
                                range.lane(),
                                range.lane(),
                                range.after())
                        .update()
                != 1) {
            throw lostRace("the end of lane " + range.lane() + " has moved on");
        }
    }

    /** Moves a completed job that a user retries. The job gets one more attempt if it has none left. */
    void revived(Connection connection, RangeRow range, long id) throws SQLException {
        Sql sql = dialect.statement("""
                INSERT INTO pawl_job (id, lease_token, created_at, available_at, expires_at, batch_id, cost, priority, attempt,
                                      max_attempts, queue, kind, tags, headers, payload)
                SELECT l.id, ?, l.created_at, %s, l.expires_at, l.batch_id, l.cost, n.priority, 1, CASE WHEN l.max_attempts > 1 THEN l.max_attempts ELSE 2 END,
                       n.queue, l.kind, l.tags, l.headers, l.payload
                  FROM pawl_lane_job l, pawl_lane n
                 WHERE l.lane = ? AND n.id = l.lane AND l.id = ?""".formatted(dialect.now()));
        expect(
                1,
                sql.on(connection, range.token(), range.key().lane(), id).update(),
                range.key().lane());
    }

    /** Copies to the history the completed jobs that are kept longer than their range. */
    void completed(Connection connection, RangeKey range, List<Long> ids) throws SQLException {
        Sql sql = dialect.planned("""
                INSERT INTO pawl_job_history (id, lease_token, leased_by, created_at, available_at, started_at, finished_at,
                                              expires_at, batch_id, cost, state, priority, attempt, max_attempts, queue, kind,
                                              tags, headers, payload)
                SELECT l.id, r.token, r.leased_by, l.created_at, l.created_at, r.claimed_at, r.finished_at,
                       l.expires_at, l.batch_id, l.cost, %s, n.priority, 1, l.max_attempts, n.queue, l.kind, l.tags,
                       l.headers, l.payload
                  FROM pawl_lane_job l, pawl_lane n, pawl_lane_range r
                 WHERE l.lane = ? AND n.id = l.lane AND r.lane = l.lane AND r.starts_after = ? AND %s""".formatted(JobState.COMPLETED.code(), dialect.anyOf("l.id", ids.size())));
        expect(ids.size(), sql.on(connection, range.lane(), range.after(), ids).update(), range.lane());
    }

    /**
     * {@return the exception for a transaction that has lost a race for jobs of a lane} It has the code for the violation of a unique index,
     * because a server reports the same race so if the winner commits a moment later. So all callers treat both alike.
     */
    static SQLException lostRace(String message) {
        return new SQLException(message, "23505");
    }

    private static void expect(int wanted, int moved, int lane) throws SQLException {
        if (moved != wanted) {
            throw new SQLException("moved " + moved + " of " + wanted + " jobs of lane " + lane
                    + " to rows of their own:" + " the others no longer exist, so nothing was changed");
        }
    }

    /** {@return the ids at these positions} */
    static List<Long> at(IdSet ids, BitSet places) {
        List<Long> found = new ArrayList<>(places.cardinality());
        for (int place = places.nextSetBit(0); place >= 0; place = places.nextSetBit(place + 1)) {
            found.add(ids.id(place));
        }
        return found;
    }
}

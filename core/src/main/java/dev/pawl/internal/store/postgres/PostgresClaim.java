package dev.pawl.internal.store.postgres;

import static dev.pawl.internal.store.postgres.PostgresDialect.bindArray;
import static dev.pawl.internal.store.postgres.PostgresDialect.planned;

import dev.pawl.internal.store.ClaimRequest;
import dev.pawl.internal.store.ClaimedJob;
import dev.pawl.internal.store.sql.ClaimOrder;
import dev.pawl.internal.store.sql.Dialect;
import dev.pawl.internal.store.sql.Micros;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The {@code skip-locked} claim: one statement, one round trip.
 *
 * <p>Claimed rows leave dead entries at the start of the index until the next vacuum, and every claim would walk over all
 * of them. So while full batches come back, a claim begins where the one before ended. At least every second, and
 * whenever that finds too little, the whole queue is looked at again: nothing depends on the shortcut.
 */
final class PostgresClaim {
    private static final Logger LOG = LoggerFactory.getLogger(PostgresClaim.class);
    private static final long SHORTCUT_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final int FULL_BATCH = 100;

    private final Dialect dialect;
    private final String claim;
    private final String claimFrom;
    private final Map<String, Place> places = new ConcurrentHashMap<>();

    /**
     * Where the last full batch of a queue ended.
     *
     * @param priority of all its jobs
     * @param availableAt of its last job
     * @param untilNanos from then on the whole queue is looked at again
     */
    private record Place(int priority, Instant availableAt, long untilNanos) {}

    PostgresClaim(Dialect dialect) {
        this.dialect = dialect;
        // 1. level walks from one priority in use to the next, one index probe each, so that jobs delayed at a small
        //    priority are not read on the way to ready jobs behind them.
        // 2. The outer test of the state is written so that only the primary key fits, see PostgresDialect.runs().
        // 3. The ids are an array, made once: as a plain sub-select with LIMIT the planner may run it again and lock
        //    and claim more than the limit.
        String update = """
                UPDATE pawl_job
                   SET state = 1, attempt = attempt + 1, lease_token = lease_token + 1, leased_by = ?,
                       started_at = statement_timestamp(), progress = NULL,
                       lease_expires_at = statement_timestamp() + ? * interval '1 microsecond'
                """;
        claimFrom = dialect.sql(update + """
                 WHERE state + 0 = 0 AND id = ANY (ARRAY(
                    SELECT j.id FROM pawl_job j
                     WHERE j.state = 0 AND j.queue = ? AND j.priority = ? AND j.available_at >= ?
                       AND j.available_at <= statement_timestamp() AND j.kind = ANY (?)
                       AND NOT EXISTS (SELECT 1 FROM pawl_queue q WHERE q.name = ? AND q.paused_at IS NOT NULL)
                     ORDER BY j.available_at, j.id
                     LIMIT ? FOR UPDATE OF j SKIP LOCKED))
                RETURNING\s""" + ClaimedRows.COLUMNS);
        claim = dialect.sql("""
                WITH RECURSIVE level (priority) AS (
                    (SELECT j.priority FROM pawl_job j WHERE j.state = 0 AND j.queue = ?
                      ORDER BY j.priority LIMIT 1)
                    UNION ALL
                    SELECT (SELECT j.priority FROM pawl_job j
                             WHERE j.state = 0 AND j.queue = ? AND j.priority > level.priority
                             ORDER BY j.priority LIMIT 1)
                      FROM level WHERE level.priority IS NOT NULL
                )
                """ + update + """
                 WHERE state + 0 = 0 AND id = ANY (ARRAY(
                    SELECT ready.id
                      FROM level, LATERAL (
                           SELECT j.id FROM pawl_job j
                            WHERE j.state = 0 AND j.queue = ? AND j.priority = level.priority
                              AND j.available_at <= statement_timestamp() AND j.kind = ANY (?)
                            ORDER BY j.available_at, j.id
                            LIMIT ? FOR UPDATE SKIP LOCKED) AS ready
                     WHERE level.priority IS NOT NULL
                       AND NOT EXISTS (SELECT 1 FROM pawl_queue q WHERE q.name = ? AND q.paused_at IS NOT NULL)
                     LIMIT ?))
                RETURNING\s""" + ClaimedRows.COLUMNS);
    }

    List<ClaimedJob> claim(Connection connection, ClaimRequest request) throws SQLException {
        Place place = places.get(request.queue());
        if (place == null || System.nanoTime() - place.untilNanos >= 0) {
            return claimAll(connection, request);
        }
        List<ClaimedJob> claimed = claimFrom(connection, request, place);
        if (claimed.size() == request.limit()) {
            places.put(request.queue(), new Place(place.priority, lastOf(claimed), place.untilNanos));
            return claimed;
        }
        places.remove(request.queue());
        int rest = request.limit() - claimed.size();
        try {
            claimed.addAll(claimAll(connection, request.withLimit(rest)));
        } catch (SQLException e) {
            if (claimed.isEmpty()) {
                throw e;
            }
            LOG.debug("claimed only {} of {} jobs", claimed.size(), request.limit(), e); // they are ours already
        }
        return claimed;
    }

    private static Instant lastOf(List<ClaimedJob> claimed) {
        return claimed.get(claimed.size() - 1).job().availableAt();
    }

    private List<ClaimedJob> claimAll(Connection connection, ClaimRequest request) throws SQLException {
        try (PreparedStatement statement = planned(connection, claim)) {
            statement.setString(1, request.queue());
            statement.setString(2, request.queue());
            statement.setLong(3, request.workerId());
            statement.setLong(4, Micros.of(request.lease()));
            statement.setString(5, request.queue());
            bindArray(statement, 6, "text", request.kinds(), Function.identity());
            statement.setInt(7, request.limit());
            statement.setString(8, request.queue());
            statement.setInt(9, request.limit());
            List<ClaimedJob> claimed = ClaimOrder.sort(ClaimedRows.read(statement, request));
            int priority = claimed.isEmpty() ? 0 : claimed.get(0).job().priority();
            boolean full = claimed.size() == request.limit() && claimed.size() >= FULL_BATCH;
            if (full && claimed.get(claimed.size() - 1).job().priority() == priority) {
                places.put(request.queue(), new Place(priority, lastOf(claimed), System.nanoTime() + SHORTCUT_NANOS));
            }
            return claimed;
        }
    }

    private List<ClaimedJob> claimFrom(Connection connection, ClaimRequest request, Place place) throws SQLException {
        try (PreparedStatement statement = planned(connection, claimFrom)) {
            statement.setLong(1, request.workerId());
            statement.setLong(2, Micros.of(request.lease()));
            statement.setString(3, request.queue());
            statement.setInt(4, place.priority);
            dialect.bind(statement, 5, place.availableAt);
            bindArray(statement, 6, "text", request.kinds(), Function.identity());
            statement.setString(7, request.queue());
            statement.setInt(8, request.limit());
            return ClaimOrder.sort(ClaimedRows.read(statement, request));
        }
    }
}

package dev.pawl.internal.lane;

import dev.pawl.admin.Finding;
import dev.pawl.admin.Finding.Level;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds lanes from which many workers claim few jobs at a time, so that they wait for each other. */
final class LaneFindings {
    /** How many of a lane's newest ranges are examined. */
    private static final int RANGES = 1_000;

    private static final int MANY_WORKERS = 8;
    /** A lane with fewer claims a second is not contended. */
    private static final int MANY_CLAIMS_A_SECOND = 200;

    private static final long RECENT_MICROS = 60_000_000;

    private final Dialect dialect;
    private final Sql newest;

    private LaneFindings(Dialect dialect) {
        this.dialect = dialect;
        this.newest = dialect.statement("""
                SELECT COUNT(*), COUNT(DISTINCT r.leased_by), SUM(r.jobs), %s, %s, %s
                  FROM (SELECT leased_by, jobs, claimed_at FROM pawl_lane_range WHERE lane = ?
                         ORDER BY starts_after DESC LIMIT %s) r
                """.formatted(
                        dialect.micros("MIN(r.claimed_at)"),
                        dialect.micros("MAX(r.claimed_at)"),
                        dialect.micros(dialect.now()),
                        RANGES));
    }

    static List<Finding> of(Database database) throws SQLException {
        LaneFindings findings = new LaneFindings(database.dialect());
        return database.autocommit(findings::read);
    }

    private List<Finding> read(Connection connection) throws SQLException {
        List<Finding> found = new ArrayList<>();
        for (Lane lane : new LaneReads(dialect).lanes(connection)) {
            Claims claims = newest.on(connection, lane.id())
                    .one(row -> new Claims(
                            row.getInt(1),
                            row.getInt(2),
                            row.getLong(3),
                            row.getLong(5) - row.getLong(4),
                            row.getLong(6) - row.getLong(5)));
            String message = claims.message(lane);
            if (message != null) {
                found.add(new Finding(Level.ADVICE, "claims", message));
            }
        }
        return found;
    }

    /** The newest claims of a lane, the time between the first and the last of them, and how long ago the last one was. */
    private record Claims(int count, int workers, long jobs, long betweenMicros, long agoMicros) {
        @Nullable
        String message(Lane lane) {
            long aSecond = count * 1_000_000L / Math.max(1, betweenMicros);
            if (count < RANGES
                    || workers < MANY_WORKERS
                    || aSecond < MANY_CLAIMS_A_SECOND
                    || agoMicros > RECENT_MICROS) {
                return null;
            }
            long each = Math.max(1, jobs / count);
            return "queue " + lane.queue() + ": " + workers + " workers claim " + each + (each == 1 ? " job" : " jobs")
                    + " at a time, and wait for each other; fewer workers with more handlers each ('concurrency')"
                    + " claim more at a time, and several queues share the load";
        }
    }
}

package dev.pawl.internal.lane;

import dev.pawl.internal.place.PlaceSql;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Parts of statements that read lanes among other places. */
final class LanePlaceSql implements PlaceSql {
    /** The greatest id of the lane {@code n}; NULL if it has no jobs. */
    private static final String NEWEST =
            "(SELECT l.id FROM pawl_lane_job l WHERE l.lane = n.id ORDER BY l.lane DESC, l.id DESC LIMIT 1)";

    /** The end of the last range of the lane {@code n}; NULL if it has no ranges. */
    private static final String END = "(SELECT r.last_id FROM pawl_lane_range r WHERE r.lane = n.id"
            + " ORDER BY r.lane DESC, r.starts_after DESC LIMIT 1)";

    /** Searches lane by lane, by the primary key, because without statistics a join would read all jobs of lanes for each row. */
    @Override
    public String holds(String id) {
        return "EXISTS (SELECT 1 FROM pawl_lane n"
                + " WHERE (SELECT 1 FROM pawl_lane_job l WHERE l.lane = n.id AND l.id = " + id + ") = 1)";
    }

    @Override
    public String running(String worker, @Nullable String queue) {
        return "(SELECT COALESCE(SUM(r.jobs - r.completed - r.moved_count), 0) FROM pawl_lane_range r"
                + " WHERE r.leased_by = " + worker + " AND r.lease_expires_at IS NOT NULL"
                + (queue == null ? "" : " AND r.lane IN (SELECT id FROM pawl_lane WHERE queue = " + queue + ")") + ")";
    }

    @Override
    public String leases() {
        return "pawl_lane_range WHERE";
    }

    @Override
    public List<String> greatestIds() {
        return List.of("SELECT " + END + " FROM pawl_lane n", "SELECT " + NEWEST + " FROM pawl_lane n");
    }

    @Override
    public String completed(int exceptQueues) {
        return "SELECT finished_at, completed FROM pawl_lane_range"
                + " WHERE lease_expires_at IS NULL AND completed > 0 AND jobs_deleted = FALSE"
                + (exceptQueues == 0
                        ? ""
                        : " AND lane NOT IN (SELECT id FROM pawl_lane WHERE queue IN (" + "?, ".repeat(exceptQueues - 1)
                                + "?))");
    }

    /** Lists queues with jobs in lanes, including finished jobs. So a queue is listed until the retention of its last job ends. */
    @Override
    public String queues() {
        return "SELECT DISTINCT n.queue FROM pawl_lane n WHERE EXISTS"
                + " (SELECT 1 FROM pawl_lane_job l WHERE l.lane = n.id)";
    }

    @Override
    public Due due() {
        return new Due(
                "pawl_lane n", "n.queue", "CASE WHEN " + NEWEST + " > COALESCE(" + END + ", 0) THEN 1 ELSE 0 END");
    }
}

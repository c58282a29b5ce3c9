package dev.pawl.internal.lane;

import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Micros;
import dev.pawl.internal.jdbc.Sql;
import dev.pawl.internal.place.PlaceCounts;
import dev.pawl.internal.place.QueueCount;
import dev.pawl.internal.store.QueueAndKind;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Counts jobs of lanes. */
final class LaneCounts implements PlaceCounts {
    private static final int MAX_RANGES = 400;
    private static final int MAX_OF_A_KIND = 10_000;
    /** Maximum number of jobs that are read to find the kinds in a lane without a worker. */
    private static final int MAX_READ = 1_000;

    private final Dialect dialect;
    private final LaneDatabase product;
    private final LaneReads reads;

    LaneCounts(Dialect dialect) {
        this.dialect = dialect;
        this.product = LaneDatabase.of(dialect);
        this.reads = new LaneReads(dialect);
    }

    @Override
    public Map<String, QueueCount> counts(Connection connection, int most) throws SQLException {
        Map<String, QueueCount> counts = new TreeMap<>();
        for (Lane lane : reads.lanes(connection)) {
            counts.merge(lane.queue(), counts(connection, lane.id(), most), QueueCount::plus);
        }
        return counts;
    }

    private QueueCount counts(Connection connection, int lane, int most) throws SQLException {
        long end = reads.end(connection, lane);
        long running = running(connection, lane);
        String beyond = " FROM " + dialect.alongIds("pawl_lane_job") + " WHERE " + product.after("?");
        Instant oldest = dialect.statement("SELECT created_at" + beyond + " ORDER BY lane, id LIMIT 1")
                .on(connection, after(lane, end))
                .first(row -> Objects.requireNonNull(dialect.moment(row, "created_at")))
                .orElse(null);
        long available = oldest == null ? 0 : count(connection, beyond, lane, end, null, most);
        return new QueueCount(available, running, oldest, available >= most);
    }

    /** Counts range by range, because MySQL and MariaDB would read all fences for each range of a join. */
    private long running(Connection connection, int lane) throws SQLException {
        Sql open = dialect.statement(
                "SELECT " + RangeRow.COLUMNS + " FROM pawl_lane_range WHERE " + RangeRow.OPEN_OF_LANE);
        long running = 0;
        for (RangeRow range : open.on(connection, lane).list(RangeRow::of)) {
            range.readFences(connection, dialect);
            running += range.left().cardinality();
        }
        return running;
    }

    private long count(Connection connection, String beyond, int lane, long end, @Nullable String kind, int most)
            throws SQLException {
        // ordered, because without an order a planner assumes that any jobs will do, and reads the table from its
        // oldest rows
        Sql sql = dialect.statement("SELECT COUNT(*) FROM (SELECT 1 AS one" + beyond + " ORDER BY lane, id LIMIT "
                + product.limit(most) + ") waiting");
        Sql.Bound count = sql.on(connection, after(lane, end));
        return (kind == null ? count : count.bind(kind)).one(row -> row.getLong(1));
    }

    /** {@return the value for the expression {@link LaneDatabase#after}} */
    private Sql.Value after(int lane, long id) {
        return (statement, index) -> product.bindAfter(statement, index, lane, (at, query) -> query.setLong(at, id));
    }

    @Override
    public long waiting(Connection connection, String queue, int most) throws SQLException {
        long waiting = 0;
        for (Lane lane : reads.lanes(connection)) {
            if (lane.queue().equals(queue)) {
                String beyond = " FROM " + dialect.alongIds("pawl_lane_job") + " WHERE " + product.after("?");
                waiting += count(connection, beyond, lane.id(), reads.end(connection, lane.id()), null, most);
            }
        }
        return waiting;
    }

    @Override
    public long waiting(Connection connection, String queue, String kind) throws SQLException {
        long waiting = 0;
        for (Lane lane : reads.lanes(connection)) {
            if (lane.queue().equals(queue)) {
                String beyond = " FROM " + dialect.alongIds("pawl_lane_job") + " WHERE " + product.after("?");
                waiting += count(
                        connection,
                        beyond + " AND kind = ?",
                        lane.id(),
                        reads.end(connection, lane.id()),
                        kind,
                        MAX_OF_A_KIND);
            }
        }
        return waiting;
    }

    /**
     * Searches only lanes whose first job has no handler. A worker that read such a lane would move this job to a row;
     * since the job is still first, no worker reads the lane.
     */
    @Override
    public List<QueueAndKind> uncovered(Connection connection, Predicate<QueueAndKind> isCovered) throws SQLException {
        List<QueueAndKind> uncovered = new ArrayList<>();
        for (Lane lane : reads.lanes(connection)) {
            List<String> first = kinds(connection, lane, 1);
            if (first.isEmpty() || isCovered.test(new QueueAndKind(lane.queue(), first.get(0)))) {
                continue;
            }
            for (String kind : kinds(connection, lane, MAX_READ)) {
                QueueAndKind at = new QueueAndKind(lane.queue(), kind);
                if (!isCovered.test(at)) {
                    uncovered.add(at);
                }
            }
        }
        return uncovered;
    }

    /** Reads the kinds of the next available jobs of a lane. */
    private List<String> kinds(Connection connection, Lane lane, int most) throws SQLException {
        long end = reads.end(connection, lane.id());
        Sql sql = dialect.statement(
                "SELECT DISTINCT kind FROM (SELECT kind FROM " + dialect.alongIds("pawl_lane_job") + " WHERE "
                        + product.after("?") + " ORDER BY lane, id LIMIT " + product.limit(most)
                        + ") waiting ORDER BY kind");
        return sql.on(connection, after(lane.id(), end)).strings();
    }

    @Override
    public Map<String, Long> completed(Connection connection) throws SQLException {
        Map<String, Long> completed = new TreeMap<>();
        Sql sql = dialect.statement(
                "SELECT n.queue, SUM(r.completed) FROM pawl_lane n JOIN pawl_lane_range r ON r.lane = n.id"
                        + " WHERE r.jobs_deleted = FALSE GROUP BY n.queue");
        sql.on(connection).each(rows -> completed.put(rows.getString(1), rows.getLong(2)));
        return completed;
    }

    @Override
    public long before(Connection connection, String queue, int priority, long id, int most) throws SQLException {
        Sql sql = dialect.planned("SELECT COUNT(*) FROM (SELECT 1 AS one FROM pawl_lane_job WHERE lane = ? AND id > "
                + LaneLog.END + " AND id < ? ORDER BY lane, id LIMIT " + product.limit(most) + ") before_it");
        long before = 0;
        for (Lane lane : reads.lanes(connection)) {
            if (lane.queue().equals(queue) && lane.priority() <= priority) {
                long end = lane.priority() < priority ? Long.MAX_VALUE : id;
                before += sql.on(connection, lane.id(), lane.id(), end).one(row -> row.getLong(1));
            }
        }
        return before;
    }

    /** Counts the completed jobs of recent ranges. */
    @Override
    public long completedLately(Connection connection, String queue, Duration span) throws SQLException {
        Sql sql = dialect.planned("SELECT COALESCE(SUM(completed), 0) FROM (SELECT completed, claimed_at"
                + " FROM pawl_lane_range WHERE lane = ? ORDER BY lane DESC, starts_after DESC LIMIT " + MAX_RANGES
                + ") lately WHERE claimed_at > " + dialect.nowPlusMicros());
        long completed = 0;
        for (Lane lane : reads.lanes(connection)) {
            if (lane.queue().equals(queue)) {
                completed += sql.on(connection, lane.id(), -Micros.of(span)).one(row -> row.getLong(1));
            }
        }
        return completed;
    }
}

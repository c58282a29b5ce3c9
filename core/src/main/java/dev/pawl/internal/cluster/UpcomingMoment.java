package dev.pawl.internal.cluster;

import dev.pawl.internal.feature.ClaimPauses;
import dev.pawl.internal.feature.Feature;
import dev.pawl.internal.feature.MomentQuery;
import dev.pawl.internal.feature.WorkMoment;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.QueuePause;
import dev.pawl.internal.jdbc.RowStates;
import dev.pawl.internal.jdbc.Sql;
import dev.pawl.internal.store.NextMoment;
import dev.pawl.internal.store.WorkSource;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Reads, for each source of work, the next moment at which the source has something for a worker. One statement reads the moments of all
 * sources, with the current time. Features add their own sources.
 */
public final class UpcomingMoment implements NextMoment {
    private final Database database;
    private final Dialect dialect;
    private final List<WorkMoment> moments;
    private final Map<String, WorkSource> sources;
    private final List<ClaimPauses> claimPauses;

    /**
     * @param database the pool and the dialect
     * @param features whose sources are read as well
     */
    public UpcomingMoment(Database database, List<Feature> features) {
        this.database = database;
        this.dialect = database.dialect();
        List<WorkMoment> all = new ArrayList<>(List.of(
                new WorkMoment(WorkSource.JOBS, this::rows),
                new WorkMoment(WorkSource.LANES, this::lanes),
                new WorkMoment(WorkSource.LEASES, this::leases),
                new WorkMoment(WorkSource.LATE_JOBS, this::lateJobs)));
        features.forEach(feature -> all.addAll(feature.workMoments()));
        this.claimPauses = features.stream()
                .flatMap(feature -> feature.claimPauses(dialect).stream())
                .toList();
        this.moments = List.copyOf(all);
        this.sources = all.stream()
                .map(WorkMoment::source)
                .distinct()
                .collect(Collectors.toUnmodifiableMap(WorkSource::name, source -> source));
    }

    @Override
    public Set<WorkSource> sources() {
        return Set.copyOf(sources.values());
    }

    @Override
    public Moments until(
            Collection<String> queues, Collection<String> kinds, Collection<String> keyed, Collection<String> declared)
            throws SQLException {
        MomentQuery query = new MomentQuery(dialect, new MomentQuery.Worker(queues, kinds, keyed, declared));
        moments.forEach(moment -> moment.terms().addTo(query));
        Sql sql = dialect.planned(query.sql());
        return database.autocommit(
                connection -> sql.on(connection, query.values()).query(this::moments));
    }

    private Moments moments(ResultSet rows) throws SQLException {
        Map<WorkSource, Duration> until = new HashMap<>();
        while (rows.next()) {
            WorkSource source = sources.get(rows.getString(1));
            long present = rows.getLong(2);
            long moment = rows.getLong(3);
            if (!rows.wasNull() && source != null) {
                Duration wait = Duration.of(moment - present, ChronoUnit.MICROS);
                until.merge(source, wait, (one, other) -> one.compareTo(other) < 0 ? one : other);
            }
        }
        return new Moments(until);
    }

    /** Adds the next expiry of a lease in any queue, because every worker rescues jobs of all queues. */
    private void leases(MomentQuery query) {
        query.add(WorkSource.LEASES, dialect.micros("MIN(lease_expires_at)"), "FROM pawl_job WHERE " + RowStates.RUNS);
        query.add(
                WorkSource.LEASES,
                dialect.micros("MIN(lease_expires_at)"),
                "FROM pawl_lane_range WHERE lease_expires_at IS NOT NULL");
    }

    private void lateJobs(MomentQuery query) {
        query.add(
                WorkSource.LATE_JOBS,
                dialect.micros("MIN(recount_at)"),
                "FROM pawl_lane_range WHERE recount_at IS NOT NULL");
    }

    private void rows(MomentQuery query) {
        Collection<String> queues = query.worker().queues();
        Collection<String> kinds = query.worker().kinds();
        if (queues.isEmpty() || kinds.isEmpty()) {
            return;
        }
        query.bind(queues);
        query.bind(kinds);
        query.add(
                WorkSource.JOBS,
                dialect.micros("MIN(w.available_at)"),
                "FROM (" + dialect.firstClaimable(queues.size(), kinds.size()) + ") w WHERE "
                        + QueuePause.isOpen("w.queue") + notPaused(ClaimPauses.Of.QUEUE, "w.queue")
                        + notPaused(ClaimPauses.Of.KIND, "w.kind"));
    }

    /**
     * {@return the condition that a queue is not paused} A paused queue has no work. A resume notifies workers, and the end of an outage is
     * read as a separate moment.
     */
    private String isOpen(String queue) {
        return " AND " + QueuePause.isOpen(queue) + notPaused(ClaimPauses.Of.QUEUE, queue);
    }

    private String notPaused(ClaimPauses.Of subject, String name) {
        return claimPauses.stream()
                .map(each -> " AND " + each.none(subject, name))
                .collect(Collectors.joining());
    }

    private String anyKindIsOpen(MomentQuery query) {
        Collection<String> kinds = query.worker().kinds();
        return claimPauses.stream()
                .map(each -> " AND " + each.pausedKinds(query.in(kinds)) + " < " + kinds.size())
                .collect(Collectors.joining());
    }

    /** Adds the unclaimed jobs of lanes, which are due unless everything that this worker could run is paused. */
    private void lanes(MomentQuery query) {
        Collection<String> queues = query.worker().queues();
        if (queues.isEmpty()) {
            return;
        }
        query.add(
                WorkSource.LANES,
                "MIN(0)",
                "FROM pawl_lane n WHERE n.queue IN " + query.in(queues) + isOpen("n.queue")
                        + " AND (SELECT l.id FROM pawl_lane_job l WHERE l.lane = n.id ORDER BY l.lane DESC, l.id DESC LIMIT 1)"
                        + " > COALESCE((SELECT r.last_id FROM pawl_lane_range r WHERE r.lane = n.id"
                        + " ORDER BY r.lane DESC, r.starts_after DESC LIMIT 1), 0)"
                        + anyKindIsOpen(query));
    }
}

package dev.pawl.internal.settle;

import dev.pawl.api.RetryPolicy;
import dev.pawl.api.RunLimits;
import dev.pawl.internal.codec.JsonStrings;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.JobRows;
import dev.pawl.internal.jdbc.RowStates;
import dev.pawl.internal.jdbc.Sql;
import dev.pawl.internal.place.JobPlaces;
import dev.pawl.internal.store.AbandonedJob;
import dev.pawl.internal.store.Lease;
import dev.pawl.internal.store.StartedLeases;
import dev.pawl.internal.words.ReservedHeaders;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Finds running jobs whose lease has expired, and whether they may have begun. Workers' rows are read after the rows of
 * the jobs, so that every start that was logged before the lease expired is found.
 */
final class AbandonedJobs {
    private final Dialect dialect;
    private final Sql expired;
    private final Sql worker;
    private final Sql any;

    AbandonedJobs(Dialect dialect) {
        this.dialect = dialect;
        expired = dialect.planned("""
                SELECT id, lease_token, lease_expires_at, kind, attempt, max_attempts, leased_by, prefetched, headers
                  FROM pawl_job
                 WHERE %s AND lease_expires_at <= %s
                 ORDER BY lease_expires_at, id LIMIT ? OFFSET ?
                """.formatted(RowStates.RUNS, dialect.now()));
        String expired = "(SELECT COUNT(*) FROM (SELECT 1 AS one FROM %s lease_expires_at <= " + dialect.now()
                + " ORDER BY lease_expires_at LIMIT 1) AS first_one)";
        any = dialect.statement("SELECT " + expired.formatted("pawl_job WHERE " + RowStates.RUNS + " AND")
                + JobPlaces.sql().stream()
                        .map(place -> " + " + expired.formatted(place.leases()))
                        .collect(Collectors.joining()));
        worker = dialect.planned("SELECT name, started_leases, kinds FROM pawl_worker WHERE id = ?");
    }

    private record Row(
            Lease lease,
            Instant expiredAt,
            String kind,
            @Nullable RetryPolicy retryPolicy,
            int attempt,
            int maxAttempts,
            long leasedBy,
            boolean prefetched) {}

    /**
     * A worker that held jobs.
     *
     * @param kinds that it handles; empty if unknown
     */
    private record Worker(@Nullable String name, Set<Lease> startedLeases, Set<String> kinds) {
        /**
         * Whether a job may have begun. A worker may also claim jobs of kinds that it does not handle, to give them
         * rows; these cannot have begun.
         */
        boolean mayHaveBegun(Row job) {
            return (kinds.isEmpty() || kinds.contains(job.kind))
                    && (!job.prefetched || startedLeases.contains(job.lease));
        }
    }

    /** {@return whether there are abandoned jobs, including jobs without rows} */
    boolean exist(Connection connection) throws SQLException {
        return any.on(connection).one(row -> row.getLong(1) > 0);
    }

    List<AbandonedJob> find(Connection connection, int limit, int passBy) throws SQLException {
        List<Row> rows = rows(connection, limit, passBy);
        Map<Long, List<Lease>> leasesByWorker = new HashMap<>();
        rows.forEach(row -> leasesByWorker
                .computeIfAbsent(row.leasedBy, id -> new ArrayList<>())
                .add(row.lease));
        Map<Long, Worker> workers = new HashMap<>();
        for (Map.Entry<Long, List<Lease>> held : leasesByWorker.entrySet()) {
            workers.put(held.getKey(), worker(connection, held.getKey(), held.getValue()));
        }
        List<AbandonedJob> jobs = new ArrayList<>(rows.size());
        for (Row row : rows) {
            Worker holder = Objects.requireNonNull(workers.get(row.leasedBy));
            jobs.add(new AbandonedJob(
                    row.lease,
                    row.expiredAt,
                    row.kind,
                    row.retryPolicy,
                    row.attempt,
                    row.maxAttempts,
                    row.leasedBy,
                    holder.name,
                    holder.mayHaveBegun(row)));
        }
        return jobs;
    }

    private List<Row> rows(Connection connection, int limit, int passBy) throws SQLException {
        return expired.on(connection, limit, passBy)
                .list(row -> new Row(
                        new Lease(row.getLong("id"), row.getLong("lease_token")),
                        Objects.requireNonNull(dialect.moment(row, "lease_expires_at")),
                        row.getString("kind"),
                        retryPolicy(row.getString("headers")),
                        row.getInt("attempt"),
                        row.getInt("max_attempts"),
                        row.getLong("leased_by"),
                        row.getBoolean("prefetched")));
    }

    /** Reads a job's own retry policy. Headers may be long, and few jobs have such a policy, so other headers are not parsed. */
    static @Nullable RetryPolicy retryPolicy(@Nullable String headers) {
        return headers == null || !headers.contains(ReservedHeaders.RETRY)
                ? null
                : RunLimits.retryPolicy(JobRows.headers(headers)).orElse(null);
    }

    /** Reads a worker. If its row is missing, all of its jobs may have begun. */
    private Worker worker(Connection connection, long id, List<Lease> held) throws SQLException {
        return worker.on(connection, id)
                .first(row -> new Worker(
                        row.getString(1),
                        StartedLeases.among(row.getString(2), held),
                        Set.copyOf(JsonStrings.readAll(row.getString(3)))))
                .orElseGet(() -> new Worker(null, Set.copyOf(held), Set.of()));
    }
}

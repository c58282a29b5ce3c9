package dev.pawl.internal.batch;

import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.EnqueueResult;
import dev.pawl.api.InvalidJobException;
import dev.pawl.api.JobRequest;
import dev.pawl.api.JobState;
import dev.pawl.internal.enqueue.OwnOptions;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.RowStates;
import dev.pawl.internal.jdbc.Sql;
import dev.pawl.internal.words.ReservedHeaders;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Records which jobs belong to a batch: a row for each, many in one statement. An enqueue from outside of the batch takes a shared lock on
 * the batch's row, so that the batch is not sealed before this transaction ends. A job that adds to its own batch needs no lock, because
 * the batch is not done before that job has finished.
 */
final class Membership {
    private static final int ROWS = 500;

    private final Dialect dialect;
    private final Sql outside;
    private final Sql canary;
    private final Sql within;
    private final Sql started;
    private final Sql cancelRest;

    Membership(Dialect dialect) {
        this.dialect = dialect;
        String held = "(SELECT h.canary FROM pawl_batch_pause h WHERE h.batch_id = %s)";
        // At REPEATABLE READ, a subquery may not see a batch that the locking read finds. This batch may wait for its
        // first jobs.
        outside = dialect.statement(
                "SELECT sealed_at, CASE WHEN EXISTS (SELECT 1 FROM pawl_batch s WHERE s.id = pawl_batch.id) THEN "
                        + held.formatted("pawl_batch.id")
                        + " ELSE 1 END, (SELECT c.stopped_at FROM pawl_batch_count c WHERE c.batch_id = pawl_batch.id)"
                        + " FROM pawl_batch WHERE id = ? " + dialect.forShare());
        canary = dialect.statement("SELECT canary FROM pawl_batch_pause WHERE batch_id = ? " + dialect.forUpdate());
        within = dialect.statement("SELECT done_at, " + held.formatted("pawl_batch_count.batch_id")
                + ", stopped_at FROM pawl_batch_count WHERE batch_id = ?");
        started = dialect.statement(
                "SELECT COUNT(*) FROM (SELECT job_id FROM pawl_batch_job WHERE batch_id = ? LIMIT ?) AS first_ones");
        cancelRest = dialect.statement("UPDATE pawl_batch_count SET pending_action = " + Count.CANCEL_JOBS
                + " WHERE batch_id = ? AND pending_action = 0 AND stopped_at IS NOT NULL AND done_at IS NULL");
    }

    static boolean isMember(JobRequest job) {
        return batch(job) != 0;
    }

    private static boolean isCallback(JobRequest job) {
        return job.options().headers().containsKey(ReservedHeaders.CALLBACK_OF);
    }

    private static long batch(JobRequest job) {
        return OwnOptions.batch(job.options());
    }

    /**
     * Batches that take new jobs.
     *
     * @param held those whose first jobs complete before the others start
     * @param stopped those that are stopped, by descending id, as counts are locked
     */
    record Open(Set<Long> held, Set<Long> stopped) {}

    /**
     * Checks that the batches take new jobs. Runs before the insert, so that a transaction that waits here holds no job locks.
     *
     * @return the batches that need more; none for callbacks, because the transaction that finishes a job writes them, and must not wait
     *     for a caller's transaction that adds jobs
     * @throws InvalidJobException if a batch takes no new jobs
     */
    Open requireOpen(Connection connection, List<JobRequest> jobs) throws SQLException {
        TreeMap<Long, Boolean> fromWithin = new TreeMap<>();
        for (JobRequest job : jobs) {
            if (isMember(job)) {
                boolean ours = OwnOptions.isFromWithin(job.options());
                fromWithin.merge(batch(job), ours, Boolean::logicalAnd);
            }
        }
        Open open = new Open(new TreeSet<>(), new TreeSet<>(Comparator.reverseOrder()));
        for (Map.Entry<Long, Boolean> each : fromWithin.entrySet()) {
            requireOpen(connection, each.getKey(), each.getValue(), open);
        }
        return jobs.stream().allMatch(Membership::isCallback) ? new Open(Set.of(), Set.of()) : open;
    }

    private void requireOpen(Connection connection, long batch, boolean fromWithin, Open open) throws SQLException {
        boolean unused = (fromWithin ? within : outside)
                .on(connection, batch)
                .first(row -> {
                    if (row.getObject(1) != null) {
                        throw new InvalidJobException(
                                fromWithin
                                        ? "batch " + batch + " is done: nothing can be added to it"
                                        : "batch " + batch
                                                + " is sealed: only its own jobs may add to it, by queue.batch(run)");
                    }
                    if (row.getInt(2) > 0) {
                        open.held.add(batch);
                    }
                    if (row.getObject(3) != null) {
                        open.stopped.add(batch);
                    }
                    return true;
                })
                .orElseThrow(() -> new InvalidJobException("there is no batch " + batch + ", or it was pruned"));
    }

    /**
     * Jobs as they are to be written.
     *
     * @param jobs all jobs, in the given order
     * @param first the indexes of jobs among the first of their batch
     * @param waiting the indexes of jobs that wait for these first jobs
     */
    record Written(List<JobRequest> jobs, List<Integer> first, List<Integer> waiting) {}

    /**
     * {@return the jobs as they are to be written: those that wait for the first jobs of their batch are paused} Locks
     * the row of each such batch, so that concurrent enqueues do not exceed the number of first jobs.
     */
    Written written(Connection connection, List<JobRequest> jobs, Set<Long> held) throws SQLException {
        if (held.isEmpty()) {
            return new Written(jobs, List.of(), List.of());
        }
        TreeMap<Long, Long> left = new TreeMap<>();
        for (long batch : held) {
            left.put(batch, left(connection, batch));
        }
        Written written = new Written(new ArrayList<>(jobs.size()), new ArrayList<>(), new ArrayList<>());
        for (int place = 0; place < jobs.size(); place++) {
            JobRequest job = jobs.get(place);
            EnqueueOptions options = job.options();
            long more = left.getOrDefault(batch(job), Long.MAX_VALUE);
            boolean isDueNow = options.availableAt() == null && options.delay().isZero() && options.key() == null;
            boolean waits = more <= 0 && isDueNow;
            written.jobs.add(waits ? OwnOptions.written(job, JobState.PAUSED) : job);
            if (waits) {
                written.waiting.add(place);
            } else if (more > 0 && more < Long.MAX_VALUE) {
                written.first.add(place);
            }
            left.computeIfPresent(batch(job), (batch, some) -> some == Long.MAX_VALUE ? some : Math.max(0, some - 1));
        }
        return written;
    }

    /**
     * If one of the first jobs was a duplicate, releases the next waiting job in its place, because otherwise the batch would have too few
     * first jobs, and the rest would wait forever.
     */
    void releaseInstead(Connection connection, List<JobRequest> jobs, Written written, List<EnqueueResult> results)
            throws SQLException {
        Map<Long, Integer> missing = new TreeMap<>();
        for (int place : written.first) {
            if (!(results.get(place) instanceof EnqueueResult.Inserted)) {
                missing.merge(batch(jobs.get(place)), 1, Integer::sum);
            }
        }
        List<Long> ids = new ArrayList<>();
        for (int place : missing.isEmpty() ? List.<Integer>of() : written.waiting) {
            long batch = batch(jobs.get(place));
            int more = missing.getOrDefault(batch, 0);
            if (more > 0 && results.get(place) instanceof EnqueueResult.Inserted inserted) {
                ids.add(inserted.jobId());
                missing.put(batch, more - 1);
            }
        }
        for (int from = 0; from < ids.size(); from += ROWS) {
            release(connection, ids.subList(from, Math.min(ids.size(), from + ROWS)));
        }
    }

    private void release(Connection connection, List<Long> ids) throws SQLException {
        Sql sql = dialect.planned(
                "UPDATE pawl_job SET " + RowStates.CLAIMABLE + " WHERE " + dialect.anyOf("id", ids.size()));
        sql.on(connection, ids).run();
    }

    /** {@return how many more jobs will count as first jobs of the batch; {@link Long#MAX_VALUE} if its jobs do not wait for first jobs} */
    private long left(Connection connection, long batch) throws SQLException {
        int first = canary.on(connection, batch).first(row -> row.getInt(1)).orElse(0);
        return first == 0
                ? Long.MAX_VALUE
                : first - started.on(connection, batch, first).one(row -> row.getLong(1));
    }

    private record Member(long batch, long job) {}

    /**
     * Leaves it to workers to cancel the jobs that were added to stopped batches. A worker may not know of the stop, because the jobs that
     * waited then were cancelled before it started.
     */
    void cancelRest(Connection connection, Set<Long> stopped) throws SQLException {
        for (long batch : stopped) {
            cancelRest.on(connection, batch).run();
        }
    }

    /** Records the jobs that were inserted. */
    void note(Connection connection, List<JobRequest> jobs, List<EnqueueResult> results) throws SQLException {
        List<Member> members = new ArrayList<>();
        for (int place = 0; place < jobs.size(); place++) {
            if (isMember(jobs.get(place)) && results.get(place) instanceof EnqueueResult.Inserted inserted) {
                members.add(new Member(batch(jobs.get(place)), inserted.jobId()));
            }
        }
        for (int from = 0; from < members.size(); from += ROWS) {
            insert(connection, members.subList(from, Math.min(members.size(), from + ROWS)));
        }
    }

    private void insert(Connection connection, List<Member> members) throws SQLException {
        String sql = dialect.sql("INSERT INTO pawl_batch_job (batch_id, job_id) VALUES "
                + "(?, ?), ".repeat(members.size() - 1) + "(?, ?)");
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            int index = 1;
            for (Member member : members) {
                statement.setLong(index++, member.batch);
                statement.setLong(index++, member.job);
            }
            statement.executeUpdate();
        }
    }
}

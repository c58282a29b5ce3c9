package dev.pawl.internal.enqueue;

import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.EnqueueResult;
import dev.pawl.api.InvalidJobException;
import dev.pawl.api.JobRequest;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.JobRows;
import dev.pawl.internal.store.PausedJobs;
import dev.pawl.internal.words.BatchHeader;
import dev.pawl.internal.words.ReservedHeaders;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Jobs of batches are noted with their batch: a row for each, in one statement for many. Whoever adds from outside shares the
 * batch's row with others, so that nobody seals it before this transaction ends. A job that adds to its own batch needs
 * nobody to wait: the batch is not done before that job has ended.
 */
final class Membership {
    private static final int ROWS = 500;

    private final Dialect dialect;
    private final String outside;
    private final String canary;
    private final String within;
    private final String headers;

    Membership(Dialect dialect) {
        this.dialect = dialect;
        String held = ", (SELECT h.canary FROM pawl_batch_hold h WHERE h.batch_id = %s)";
        outside = dialect.sql("SELECT sealed_at" + held.formatted("pawl_batch.id") + " FROM pawl_batch WHERE id = ? "
                + dialect.forShare());
        canary = dialect.sql("SELECT canary FROM pawl_batch_hold WHERE batch_id = ? " + dialect.forUpdate());
        within = dialect.sql("SELECT done_at" + held.formatted("pawl_batch_count.batch_id")
                + " FROM pawl_batch_count WHERE batch_id = ?");
        headers = dialect.sql("SELECT headers FROM pawl_job WHERE id = ?");
    }

    static boolean isMember(JobRequest job) {
        return batch(job) != 0;
    }

    private static long batch(JobRequest job) {
        Map<String, String> headers = job.options().headers();
        return headers.isEmpty() ? 0 : BatchHeader.of(headers);
    }

    /**
     * Before the jobs are written, because who waits here must not hold up others by what it has written.
     *
     * @return the batches whose first jobs go before the others
     * @throws InvalidJobException if a batch does not take them
     */
    Set<Long> requireOpen(Connection connection, List<JobRequest> jobs) throws SQLException {
        TreeMap<Long, Boolean> fromWithin = new TreeMap<>();
        for (JobRequest job : jobs) {
            if (isMember(job)) {
                boolean ours = job.options().headers().containsKey(BatchHeader.ADDED_BY);
                fromWithin.merge(batch(job), ours, Boolean::logicalAnd);
            }
        }
        Set<Long> held = new TreeSet<>();
        for (Map.Entry<Long, Boolean> each : fromWithin.entrySet()) {
            if (requireOpen(connection, each.getKey(), each.getValue())) {
                held.add(each.getKey());
            }
        }
        return held;
    }

    /** {@return whether its first jobs go before the others} */
    private boolean requireOpen(Connection connection, long batch, boolean fromWithin) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(fromWithin ? within : outside)) {
            statement.setLong(1, batch);
            try (ResultSet row = statement.executeQuery()) {
                if (!row.next()) {
                    throw new InvalidJobException("there is no batch " + batch + ", or it was pruned");
                }
                if (row.getObject(1) != null) {
                    throw new InvalidJobException(
                            fromWithin
                                    ? "batch " + batch + " is done: nothing can be added to it"
                                    : "batch " + batch
                                            + " is sealed: only its own jobs may add to it, by queue.batch(run)");
                }
                return row.getInt(2) > 0;
            }
        }
    }

    /**
     * Jobs as they are to be written.
     *
     * @param jobs the same, in their order
     * @param first the places of those that are among the first of their batch
     * @param waiting the places of those that wait for these
     */
    record HeldBack(List<JobRequest> jobs, List<Integer> first, List<Integer> waiting) {}

    /**
     * {@return the same jobs as they are to be written: those that wait for the first ones of their batch are due in the distant future} Who
     * adds to such a batch has its row alone, so that no more than those are the first.
     */
    HeldBack heldBack(Connection connection, List<JobRequest> jobs, Set<Long> held) throws SQLException {
        if (held.isEmpty()) {
            return new HeldBack(jobs, List.of(), List.of());
        }
        TreeMap<Long, Long> left = new TreeMap<>();
        for (long batch : held) {
            left.put(batch, left(connection, batch));
        }
        HeldBack written = new HeldBack(new ArrayList<>(jobs.size()), new ArrayList<>(), new ArrayList<>());
        for (int place = 0; place < jobs.size(); place++) {
            JobRequest job = jobs.get(place);
            EnqueueOptions options = job.options();
            long more = left.getOrDefault(batch(job), Long.MAX_VALUE);
            boolean isDueNow = options.availableAt() == null && options.delay().isZero() && options.key() == null;
            boolean waits = more <= 0 && isDueNow;
            written.jobs.add(
                    waits
                            ? new JobRequest(job.kind(), job.payload(), OwnOptions.availableAt(options, PausedJobs.AT))
                            : job);
            if (waits) {
                written.waiting.add(place);
            } else if (more > 0 && more < Long.MAX_VALUE) {
                written.first.add(place);
            }
            left.computeIfPresent(batch(job), (batch, some) -> some == Long.MAX_VALUE ? some : Math.max(0, some - 1));
        }
        return written;
    }

    /** Where one of the first was there already, by its unique key, the next that waits goes in its place: else too few would ever end. */
    void letGoInstead(Connection connection, List<JobRequest> jobs, HeldBack written, EnqueueResult[] results)
            throws SQLException {
        Map<Long, Integer> missing = new TreeMap<>();
        for (int place : written.first) {
            if (!(results[place] instanceof EnqueueResult.Inserted)) {
                missing.merge(batch(jobs.get(place)), 1, Integer::sum);
            }
        }
        List<Long> ids = new ArrayList<>();
        for (int place : missing.isEmpty() ? List.<Integer>of() : written.waiting) {
            long batch = batch(jobs.get(place));
            int more = missing.getOrDefault(batch, 0);
            if (more > 0 && results[place] instanceof EnqueueResult.Inserted inserted) {
                ids.add(inserted.jobId());
                missing.put(batch, more - 1);
            }
        }
        for (int from = 0; from < ids.size(); from += ROWS) {
            letGo(connection, ids.subList(from, Math.min(ids.size(), from + ROWS)));
        }
    }

    private void letGo(Connection connection, List<Long> ids) throws SQLException {
        String sql = dialect.sql(
                "UPDATE pawl_job SET available_at = " + dialect.now() + " WHERE " + dialect.anyOf("id", ids.size()));
        try (PreparedStatement statement = dialect.planned(connection, sql)) {
            int unused = dialect.bindIds(statement, 1, ids);
            statement.executeUpdate();
        }
    }

    /** {@return how many more may go first; {@link Long#MAX_VALUE} if it does not matter} */
    private long left(Connection connection, long batch) throws SQLException {
        int first = 0;
        try (PreparedStatement statement = connection.prepareStatement(canary)) {
            statement.setLong(1, batch);
            try (ResultSet row = statement.executeQuery()) {
                first = row.next() ? row.getInt(1) : 0;
            }
        }
        if (first == 0) {
            return Long.MAX_VALUE;
        }
        try (PreparedStatement statement = connection.prepareStatement(dialect.sql(
                "SELECT COUNT(*) FROM (SELECT job_id FROM pawl_batch_job WHERE batch_id = ? LIMIT ?) AS first_ones"))) {
            statement.setLong(1, batch);
            statement.setInt(2, first);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return first - row.getLong(1);
            }
        }
    }

    /** {@return whether a live job answers for something, so that another cannot take its place} */
    boolean isTied(Connection connection, long jobId) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(headers)) {
            statement.setLong(1, jobId);
            try (ResultSet row = statement.executeQuery()) {
                return row.next() && !ReservedHeaders.mayBeReplaced(JobRows.headers(row.getString(1)));
            }
        }
    }

    private record Member(long batch, long job) {}

    /** Notes those that are new. */
    void note(Connection connection, List<JobRequest> jobs, EnqueueResult[] results) throws SQLException {
        List<Member> members = new ArrayList<>();
        for (int place = 0; place < jobs.size(); place++) {
            if (isMember(jobs.get(place)) && results[place] instanceof EnqueueResult.Inserted inserted) {
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

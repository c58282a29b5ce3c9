package dev.pawl.internal.enqueue;

import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.EnqueueResult;
import dev.pawl.api.JobRequest;
import dev.pawl.api.OnDuplicate;
import dev.pawl.api.UniqueWhile;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.lane.Lane;
import dev.pawl.internal.lane.Lanes;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Enqueues jobs: those without a unique key in as few statements as possible, each one with a key on its own, so that
 * the result can name the existing job.
 */
public final class Enqueue {
    /** How often a key may change hands while we look. */
    private static final int TRIES = 100;
    /** How often to skip a locked job, because a claim takes only a moment, before waiting for the lock. */
    private static final int IMPATIENT = 8;

    /** How soon to look again for a lane that was not there. */
    private static final Duration LANES_AGE = Duration.ofSeconds(1);

    /** How soon to learn that a lane was closed. */
    private static final Duration OPEN_AGE = Duration.ofSeconds(5);

    private final Dialect dialect;
    private final HeldKeys heldKeys;
    private final Parking parking;
    private final Membership membership;
    private final String waiting;
    private final boolean oneWriter;
    private final InsertJobs insertJobs;
    private final Lanes lanes;
    private final ExpiredKey expiredKey;
    private final ReplaceJob replaceUnlocked;
    private final ReplaceJob replace;

    /**
     * @param dialect the product
     * @param insertJobs how it writes rows
     * @param lanes for jobs that need no row of their own
     */
    public Enqueue(Dialect dialect, InsertJobs insertJobs, Lanes lanes) {
        this.dialect = dialect;
        this.oneWriter = !dialect.mayCommitLate();
        this.parking = new Parking(dialect);
        this.membership = new Membership(dialect);
        waiting = dialect.sql("SELECT payload FROM " + dialect.jobsById() + " WHERE id = ? AND " + dialect.waits() + " "
                + dialect.forUpdate());
        this.insertJobs = insertJobs;
        this.lanes = lanes;
        this.heldKeys = new HeldKeys(dialect, insertJobs, this::enqueueUnique);
        this.expiredKey = new ExpiredKey(dialect);
        replaceUnlocked = new ReplaceJob(dialect, insertJobs.waitingJob());
        replace = new ReplaceJob(dialect, InsertJobs.waitingJob(dialect));
    }

    /** See {@link dev.pawl.internal.store.JobStore#enqueue}. */
    public List<EnqueueResult> enqueue(Connection connection, List<JobRequest> jobs) throws SQLException {
        if (jobs.stream().noneMatch(Membership::isMember)) {
            return Arrays.asList(parked(connection, jobs));
        }
        Set<Long> held = membership.requireOpen(connection, jobs);
        Membership.HeldBack written = membership.heldBack(connection, jobs, held);
        EnqueueResult[] results = parked(connection, written.jobs());
        membership.note(connection, jobs, results);
        membership.letGoInstead(connection, jobs, written, results);
        return Arrays.asList(results);
    }

    private EnqueueResult[] parked(Connection connection, List<JobRequest> jobs) throws SQLException {
        if (jobs.stream().noneMatch(Parking::isKeyed)) {
            return write(connection, jobs);
        }
        EnqueueResult[] results =
                write(connection, jobs.stream().map(Parking::parked).toList());
        parking.note(connection, jobs, results);
        return results;
    }

    private EnqueueResult[] write(Connection connection, List<JobRequest> jobs) throws SQLException {
        EnqueueResult[] alike = allToOneLane(connection, jobs);
        if (alike != null) {
            return alike;
        }
        EnqueueResult[] results = new EnqueueResult[jobs.size()];
        List<Integer> plain = new ArrayList<>();
        List<Integer> keyed = new ArrayList<>();
        Map<Integer, List<Integer>> byLane = new TreeMap<>();
        for (int place = 0; place < jobs.size(); place++) {
            EnqueueOptions options = jobs.get(place).options();
            if (options.uniqueKey() != null) {
                keyed.add(place);
                continue;
            }
            Lane lane = isDueNow(options) ? lane(connection, options) : null;
            (lane == null ? plain : byLane.computeIfAbsent(lane.id(), id -> new ArrayList<>())).add(place);
        }
        for (Map.Entry<Integer, List<Integer>> lane : byLane.entrySet()) {
            int id = lane.getKey();
            insert(jobs, lane.getValue(), results, some -> append(connection, id, some));
        }
        insert(jobs, plain, results, some -> insertJobs.insert(connection, some));
        // In the same order everywhere, or two transactions with the same keys would wait for each other.
        keyed.sort(Comparator.comparing((Integer place) -> jobs.get(place).kind())
                .thenComparing(place ->
                        Objects.requireNonNull(jobs.get(place).options().uniqueKey())));
        for (int place : keyed) {
            JobRequest job = jobs.get(place);
            results[place] =
                    HeldKeys.holds(job.options()) ? heldKeys.enqueue(connection, job) : enqueueUnique(connection, job);
        }
        return results;
    }

    /** {@return what became of the jobs of a bulk that have the same options, and go to a lane in one statement; null if they do not} */
    private EnqueueResult @Nullable [] allToOneLane(Connection connection, List<JobRequest> jobs) throws SQLException {
        if (jobs.isEmpty()) {
            return null;
        }
        EnqueueOptions options = jobs.get(0).options();
        if (options.uniqueKey() != null || !isDueNow(options) || !BatchSize.certainlyFits(jobs)) {
            return null;
        }
        for (JobRequest job : jobs) {
            if (!job.options().equals(options)) {
                return null;
            }
        }
        Lane lane = lane(connection, options);
        if (lane == null) {
            return null;
        }
        List<Long> ids = append(connection, lane.id(), jobs);
        EnqueueResult[] results = new EnqueueResult[jobs.size()];
        for (int i = 0; i < results.length; i++) {
            results[i] = new EnqueueResult.Inserted(ids.get(i));
        }
        return results;
    }

    /** A lane may be gone, if the database has lost its last commits: until a worker has opened it again, jobs have rows of their own. */
    private List<Long> append(Connection connection, int lane, List<JobRequest> jobs) throws SQLException {
        List<Long> ids = insertJobs.append(connection, lane, jobs);
        if (!ids.isEmpty()) {
            return ids;
        }
        lanes.read(connection);
        return insertJobs.insert(connection, jobs);
    }

    private static boolean isDueNow(EnqueueOptions options) {
        return options.availableAt() == null && options.delay().isZero();
    }

    private @Nullable Lane lane(Connection connection, EnqueueOptions options) throws SQLException {
        if (oneWriter && connection.getAutoCommit()) {
            return null; // there an id must be drawn in the transaction that writes the job, and this would be two
        }
        Lane lane = lanes.open(options.queue(), options.priority());
        if (lanes.isOlderThan(lane == null ? LANES_AGE : OPEN_AGE)) {
            lanes.read(connection);
            lane = lanes.open(options.queue(), options.priority());
        }
        return lane;
    }

    private interface Write {
        List<Long> write(List<JobRequest> jobs) throws SQLException;
    }

    private static void insert(List<JobRequest> jobs, List<Integer> places, EnqueueResult[] results, Write write)
            throws SQLException {
        BatchSize size = new BatchSize();
        int first = 0;
        for (int next = 0; next < places.size(); next++) {
            if (size.begins(jobs.get(places.get(next)))) {
                insertBatch(jobs, places.subList(first, next), results, write);
                first = next;
            }
        }
        if (first < places.size()) {
            insertBatch(jobs, places.subList(first, places.size()), results, write);
        }
    }

    private static void insertBatch(List<JobRequest> jobs, List<Integer> places, EnqueueResult[] results, Write write)
            throws SQLException {
        List<Long> ids = write.write(places.stream().map(jobs::get).toList());
        for (int i = 0; i < places.size(); i++) {
            results[places.get(i)] = new EnqueueResult.Inserted(ids.get(i));
        }
    }

    /** See {@link dev.pawl.internal.store.JobStore#waitingPayload}. */
    public Optional<String> waitingPayload(Connection connection, long jobId) throws SQLException {
        try (PreparedStatement statement = dialect.planned(connection, waiting)) {
            statement.setLong(1, jobId);
            try (ResultSet row = statement.executeQuery()) {
                return row.next() ? Optional.of(row.getString(1)) : Optional.empty();
            }
        }
    }

    private EnqueueResult enqueueUnique(Connection connection, JobRequest job) throws SQLException {
        boolean mayReplace = job.options().onDuplicate() == OnDuplicate.REPLACE;
        for (int tries = 1; tries <= TRIES; tries++) {
            LiveJob live = insertJobs.insertUnique(connection, job, tries > 1);
            if (live != null) {
                if (live.standing() == LiveJob.Standing.NEW) {
                    return new EnqueueResult.Inserted(live.id());
                }
                if (live.expired() != null) {
                    if (job.options().uniqueWhile() == UniqueWhile.KEPT) {
                        return new EnqueueResult.Duplicate(live.id());
                    }
                    boolean unused = expiredKey.take(
                            connection, String.valueOf(job.options().uniqueKey()), live.id(), live.expired());
                    continue;
                }
                if (!mayReplace || live.standing() != LiveJob.Standing.WAITING) {
                    return new EnqueueResult.Duplicate(live.id());
                }
                if ((tries <= IMPATIENT ? replaceUnlocked : replace).replace(connection, job, live.id())) {
                    return new EnqueueResult.Replaced(live.id());
                }
                // What it is tied to waits for that one, and not for this; or it has done steps, with its own payload.
                if (membership.isTied(connection, live.id()) || hasSteps(connection, live.id())) {
                    return new EnqueueResult.Duplicate(live.id());
                }
            }
            RetryPause.pause(tries);
        }
        throw new SQLException(
                "unique key '" + job.options().uniqueKey() + "' of kind '" + job.kind()
                        + "' kept changing hands; try the enqueue again",
                "40001");
    }

    private boolean hasSteps(Connection connection, long jobId) throws SQLException {
        String sql = dialect.sql("SELECT 1 FROM pawl_step WHERE job_id = ? AND place > 0 LIMIT 1");
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setLong(1, jobId);
            try (ResultSet row = statement.executeQuery()) {
                return row.next();
            }
        }
    }
}

package dev.pawl.internal.enqueue;

import dev.pawl.EnqueueResult;
import dev.pawl.JobRequest;
import dev.pawl.OnDuplicate;
import dev.pawl.internal.jdbc.Dialect;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * Enqueues jobs: those without a unique key in as few statements as possible, each one with a key on its own, so that
 * the result can name the existing job.
 */
public final class Enqueue {
    /** How often a key may change hands while we look. */
    private static final int TRIES = 100;
    /** How often to skip a locked job, because a claim takes only a moment, before waiting for the lock. */
    private static final int IMPATIENT = 8;

    private final InsertJobs insertJobs;
    private final ReplaceJob replaceUnlocked;
    private final ReplaceJob replace;

    /**
     * @param dialect the product
     * @param insertJobs how it writes rows
     */
    public Enqueue(Dialect dialect, InsertJobs insertJobs) {
        this.insertJobs = insertJobs;
        replaceUnlocked = new ReplaceJob(dialect, insertJobs.waitingJob());
        replace = new ReplaceJob(dialect, InsertJobs.WAITING_JOB);
    }

    /** See {@link dev.pawl.internal.store.JobStore#enqueue}. */
    public List<EnqueueResult> enqueue(Connection connection, List<JobRequest> jobs) throws SQLException {
        EnqueueResult[] results = new EnqueueResult[jobs.size()];
        List<Integer> plain = new ArrayList<>(jobs.size());
        List<Integer> keyed = new ArrayList<>();
        for (int place = 0; place < jobs.size(); place++) {
            (jobs.get(place).options().uniqueKey() == null ? plain : keyed).add(place);
        }
        insert(connection, jobs, plain, results);
        // In the same order everywhere, or two transactions with the same keys would wait for each other.
        keyed.sort(Comparator.comparing((Integer place) -> jobs.get(place).kind())
                .thenComparing(place ->
                        Objects.requireNonNull(jobs.get(place).options().uniqueKey())));
        for (int place : keyed) {
            results[place] = enqueueUnique(connection, jobs.get(place));
        }
        return Arrays.asList(results);
    }

    private void insert(Connection connection, List<JobRequest> jobs, List<Integer> places, EnqueueResult[] results)
            throws SQLException {
        BatchSize size = new BatchSize();
        int first = 0;
        for (int next = 0; next < places.size(); next++) {
            if (size.begins(jobs.get(places.get(next)))) {
                insertBatch(connection, jobs, places.subList(first, next), results);
                first = next;
            }
        }
        if (first < places.size()) {
            insertBatch(connection, jobs, places.subList(first, places.size()), results);
        }
    }

    private void insertBatch(
            Connection connection, List<JobRequest> jobs, List<Integer> places, EnqueueResult[] results)
            throws SQLException {
        List<Long> ids =
                insertJobs.insert(connection, places.stream().map(jobs::get).toList());
        for (int i = 0; i < places.size(); i++) {
            results[places.get(i)] = new EnqueueResult.Inserted(ids.get(i));
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
                if (!mayReplace || live.standing() != LiveJob.Standing.WAITING) {
                    return new EnqueueResult.Duplicate(live.id());
                }
                if ((tries <= IMPATIENT ? replaceUnlocked : replace).replace(connection, job, live.id())) {
                    return new EnqueueResult.Replaced(live.id());
                }
            }
            pause(tries);
        }
        throw new SQLException(
                "unique key '" + job.options().uniqueKey() + "' of kind '" + job.kind()
                        + "' kept changing hands; try the enqueue again",
                "40001");
    }

    /** A few milliseconds at most. */
    private static void pause(int tries) throws SQLException {
        long most = TimeUnit.MICROSECONDS.toNanos(500) << Math.min(tries, 5);
        try {
            TimeUnit.NANOSECONDS.sleep(ThreadLocalRandom.current().nextLong(most / 4, most));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SQLException("interrupted while waiting for a job with the same unique key", "57014", e);
        }
    }
}

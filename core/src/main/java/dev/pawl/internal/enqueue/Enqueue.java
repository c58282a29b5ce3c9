package dev.pawl.internal.enqueue;

import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.EnqueueResult;
import dev.pawl.api.JobRequest;
import dev.pawl.api.JobState;
import dev.pawl.api.OnDuplicate;
import dev.pawl.api.UniqueWhile;
import dev.pawl.internal.feature.BegunRows;
import dev.pawl.internal.feature.EnqueueHooks;
import dev.pawl.internal.feature.Feature;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Retry;
import dev.pawl.internal.jdbc.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Enqueues jobs: those without a unique key in as few statements as possible, each one with a unique key in statements of its own, so
 * that the result can name the existing job.
 */
public final class Enqueue {
    /** How often to try again after the key has passed to another job in between. */
    private static final int TRIES = 100;

    static final String SAME_KEY = "for a job with the same unique key";
    /** How often to skip a locked job before waiting for the lock: a claim holds it for a moment only. */
    private static final int IMPATIENT = 8;

    private final HeldKeys heldKeys;
    private final EnqueueHooks hooks;
    private final Sql waiting;
    private final InsertJobs insertJobs;
    private final AppendJobs appendJobs;
    private final ExpiredKey expiredKey;
    private final ReplaceJob replaceUnlocked;
    private final ReplaceJob replace;

    /**
     * @param dialect the product
     * @param insertJobs writes the rows
     * @param appendJobs writes jobs that need no rows of their own
     * @param features whose hooks are called
     */
    public Enqueue(Dialect dialect, InsertJobs insertJobs, AppendJobs appendJobs, List<Feature> features) {
        this.hooks = new EnqueueHooks(dialect, features);
        BegunRows begun = new BegunRows(dialect, features);
        waiting = dialect.planned("SELECT payload FROM " + dialect.jobsById() + " WHERE id = ? AND " + dialect.waits()
                + " " + dialect.forUpdate());
        this.insertJobs = insertJobs;
        this.appendJobs = appendJobs;
        this.heldKeys = new HeldKeys(dialect, begun, insertJobs, this::enqueueUnique);
        this.expiredKey = new ExpiredKey(dialect);
        replaceUnlocked = new ReplaceJob(dialect, begun, insertJobs.waitingJob());
        replace = new ReplaceJob(dialect, begun, InsertJobs.waitingJob(dialect));
    }

    /** See {@link dev.pawl.internal.store.JobStore#enqueue}. */
    public List<EnqueueResult> enqueue(Connection connection, List<JobRequest> jobs) throws SQLException {
        return hooks.around(connection, jobs, (same, some) -> Arrays.asList(write(same, some)));
    }

    private EnqueueResult[] write(Connection connection, List<JobRequest> jobs) throws SQLException {
        EnqueueResult[] alike = appendAlike(connection, jobs);
        if (alike != null) {
            return alike;
        }
        EnqueueResult[] results = new EnqueueResult[jobs.size()];
        List<Integer> plain = new ArrayList<>();
        List<Integer> keyed = new ArrayList<>();
        Map<AppendJobs.Destination, List<Integer>> appended = new LinkedHashMap<>();
        for (int place = 0; place < jobs.size(); place++) {
            EnqueueOptions options = jobs.get(place).options();
            if (options.uniqueKey() != null) {
                keyed.add(place);
                continue;
            }
            AppendJobs.Destination to =
                    needsNoRow(jobs.get(place)) ? appendJobs.destination(connection, options) : null;
            (to == null ? plain : appended.computeIfAbsent(to, any -> new ArrayList<>())).add(place);
        }
        for (Map.Entry<AppendJobs.Destination, List<Integer>> each : appended.entrySet()) {
            insert(jobs, each.getValue(), results, some -> append(connection, each.getKey(), some));
        }
        insert(jobs, plain, results, some -> insertJobs.insert(connection, some));
        // The same order in all transactions, because two with the same keys would otherwise deadlock.
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

    /** {@return the results of jobs that have the same options, if one statement has appended them all; else null} */
    private EnqueueResult @Nullable [] appendAlike(Connection connection, List<JobRequest> jobs) throws SQLException {
        if (jobs.isEmpty()) {
            return null;
        }
        EnqueueOptions options = jobs.get(0).options();
        if (options.uniqueKey() != null || !BatchSize.certainlyFits(jobs)) {
            return null;
        }
        for (JobRequest job : jobs) {
            if (!job.options().equals(options) || !needsNoRow(job)) {
                return null;
            }
        }
        AppendJobs.Destination to = appendJobs.destination(connection, options);
        if (to == null) {
            return null;
        }
        List<Long> ids = append(connection, to, jobs);
        EnqueueResult[] results = new EnqueueResult[jobs.size()];
        for (int i = 0; i < results.length; i++) {
            results[i] = new EnqueueResult.Inserted(ids.get(i));
        }
        return results;
    }

    private List<Long> append(Connection connection, AppendJobs.Destination to, List<JobRequest> jobs)
            throws SQLException {
        List<Long> ids = to.append(connection, jobs);
        return ids.isEmpty() ? insertJobs.insert(connection, jobs) : ids;
    }

    private boolean needsNoRow(JobRequest job) {
        return isDueNow(job) && !hooks.needsRow(job);
    }

    private static boolean isDueNow(JobRequest job) {
        EnqueueOptions options = job.options();
        return options.availableAt() == null && options.delay().isZero() && OwnOptions.state(job) == JobState.AVAILABLE;
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
        return waiting.on(connection, jobId).first(row -> row.getString(1));
    }

    private EnqueueResult enqueueUnique(Connection connection, JobRequest job) throws SQLException {
        boolean mayReplace = job.options().onDuplicate() == OnDuplicate.REPLACE;
        for (int tries = 1; tries <= TRIES; tries++) {
            LiveJob live = insertJobs.insertUnique(connection, job, tries > 1);
            if (live != null) {
                if (live.standing() == LiveJob.Standing.NEW) {
                    return new EnqueueResult.Inserted(live.id());
                }
                if (live.expiredAt() != null) {
                    if (job.options().uniqueWhile() == UniqueWhile.KEPT) {
                        return new EnqueueResult.Duplicate(live.id());
                    }
                    boolean unused = expiredKey.take(
                            connection, String.valueOf(job.options().uniqueKey()), live.id());
                    continue;
                }
                if (!mayReplace || live.standing() != LiveJob.Standing.WAITING || live.isTied()) {
                    return new EnqueueResult.Duplicate(live.id());
                }
                if ((tries <= IMPATIENT ? replaceUnlocked : replace).replace(connection, job, live.id())) {
                    return new EnqueueResult.Replaced(live.id());
                }
                if (replace.hasBegun(connection, live.id())) { // with its own payload
                    return new EnqueueResult.Duplicate(live.id());
                }
            }
            Retry.RACE.pause(tries, SAME_KEY);
        }
        throw new SQLException(
                "unique key '" + job.options().uniqueKey() + "' of kind '" + job.kind()
                        + "' kept changing hands; try the enqueue again",
                "40001");
    }
}

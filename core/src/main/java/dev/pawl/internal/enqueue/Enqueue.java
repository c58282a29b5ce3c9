package dev.pawl.internal.enqueue;

import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.EnqueueResult;
import dev.pawl.api.JobRequest;
import dev.pawl.api.JobState;
import dev.pawl.internal.feature.BegunRows;
import dev.pawl.internal.feature.EnqueueContext;
import dev.pawl.internal.feature.EnqueueHook;
import dev.pawl.internal.feature.EnqueueHooks;
import dev.pawl.internal.feature.Feature;
import dev.pawl.internal.feature.InsertJobs;
import dev.pawl.internal.feature.QueueBounds;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Enqueues jobs in as few statements as possible, except those that a feature writes one by one. Thread-safe. */
public final class Enqueue {
    private final EnqueueHooks hooks;
    private final Sql waiting;
    private final InsertJobs insertJobs;
    private final AppendJobs appendJobs;

    /**
     * @param dialect the product
     * @param insertJobs writes the rows
     * @param appendJobs writes jobs that need no rows of their own
     * @param bounds of queues
     * @param features whose hooks are called
     */
    public Enqueue(
            Dialect dialect, InsertJobs insertJobs, AppendJobs appendJobs, QueueBounds bounds, List<Feature> features) {
        BegunRows begun = new BegunRows(dialect, features);
        this.hooks = new EnqueueHooks(new EnqueueContext(dialect, insertJobs, begun, bounds), features);
        waiting = dialect.planned("SELECT payload FROM " + dialect.jobsById() + " WHERE id = ? AND " + dialect.waits()
                + " " + dialect.forUpdate());
        this.insertJobs = insertJobs;
        this.appendJobs = appendJobs;
    }

    /** See {@link dev.pawl.internal.store.JobStore#admit}. */
    public void admit(Connection connection, List<JobRequest> jobs, boolean joins) throws SQLException {
        hooks.admit(connection, jobs, joins);
    }

    /** See {@link dev.pawl.internal.store.JobStore#enqueue}. */
    public List<EnqueueResult> enqueue(Connection connection, List<JobRequest> jobs) throws SQLException {
        return hooks.around(connection, jobs, (same, some) -> Arrays.asList(write(same, some)));
    }

    /** See {@link dev.pawl.internal.store.JobStore#isOneStatement}. */
    public boolean isOneStatement(JobRequest job) {
        return !hooks.concerns(job) && needsNoRow(job) && appendJobs.inOneStatement(job.options());
    }

    private EnqueueResult[] write(Connection connection, List<JobRequest> jobs) throws SQLException {
        AppendJobs.Destinations destinations = appendJobs.destinations(connection);
        EnqueueResult[] alike = appendAlike(connection, destinations, jobs);
        if (alike != null) {
            return alike;
        }
        EnqueueResult[] results = new EnqueueResult[jobs.size()];
        List<Integer> plain = new ArrayList<>();
        Map<EnqueueHook.SingleJobWriter, List<Integer>> single = new LinkedHashMap<>();
        Map<AppendJobs.Destination, List<Integer>> appended = new LinkedHashMap<>();
        for (int place = 0; place < jobs.size(); place++) {
            JobRequest job = jobs.get(place);
            EnqueueHook.SingleJobWriter writer = hooks.writer(job);
            if (writer != null) {
                single.computeIfAbsent(writer, any -> new ArrayList<>()).add(place);
                continue;
            }
            AppendJobs.Destination to = needsNoRow(job) ? destinations.find(job.options()) : null;
            (to == null ? plain : appended.computeIfAbsent(to, any -> new ArrayList<>())).add(place);
        }
        for (Map.Entry<AppendJobs.Destination, List<Integer>> each : appended.entrySet()) {
            insert(jobs, each.getValue(), results, some -> append(connection, each.getKey(), some));
        }
        insert(jobs, plain, results, some -> insertJobs.insert(connection, some));
        for (Map.Entry<EnqueueHook.SingleJobWriter, List<Integer>> each : single.entrySet()) {
            EnqueueHook.SingleJobWriter writer = each.getKey();
            each.getValue().sort(Comparator.comparing(jobs::get, writer.order()));
            for (int place : each.getValue()) {
                results[place] = writer.write(connection, jobs.get(place));
            }
        }
        return results;
    }

    /** {@return the results of jobs that have the same options, if one statement has appended them all; else null} */
    private EnqueueResult @Nullable [] appendAlike(
            Connection connection, AppendJobs.Destinations destinations, List<JobRequest> jobs) throws SQLException {
        if (jobs.isEmpty()) {
            return null;
        }
        EnqueueOptions options = jobs.get(0).options();
        if (!StatementSize.certainlyFits(jobs)) {
            return null;
        }
        for (JobRequest job : jobs) {
            if (!job.options().equals(options) || !needsNoRow(job)) {
                return null;
            }
        }
        AppendJobs.Destination to = destinations.find(options);
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
        StatementSize size = new StatementSize();
        int first = 0;
        for (int next = 0; next < places.size(); next++) {
            if (size.begins(jobs.get(places.get(next)))) {
                insertTogether(jobs, places.subList(first, next), results, write);
                first = next;
            }
        }
        if (first < places.size()) {
            insertTogether(jobs, places.subList(first, places.size()), results, write);
        }
    }

    private static void insertTogether(
            List<JobRequest> jobs, List<Integer> places, EnqueueResult[] results, Write write) throws SQLException {
        List<Long> ids = write.write(places.stream().map(jobs::get).toList());
        for (int i = 0; i < places.size(); i++) {
            results[places.get(i)] = new EnqueueResult.Inserted(ids.get(i));
        }
    }

    /** See {@link dev.pawl.internal.store.JobStore#waitingPayload}. */
    public Optional<String> waitingPayload(Connection connection, long jobId) throws SQLException {
        return waiting.on(connection, jobId).first(row -> row.getString(1));
    }
}

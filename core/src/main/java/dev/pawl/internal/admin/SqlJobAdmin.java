package dev.pawl.internal.admin;

import dev.pawl.admin.CancelResult;
import dev.pawl.admin.ChangeResult;
import dev.pawl.admin.EditResult;
import dev.pawl.admin.JobAdmin;
import dev.pawl.admin.JobChange;
import dev.pawl.admin.JobCount;
import dev.pawl.admin.JobEdit;
import dev.pawl.admin.JobFilter;
import dev.pawl.admin.JobPage;
import dev.pawl.admin.RetryResult;
import dev.pawl.admin.WaitReason;
import dev.pawl.api.InvalidJobException;
import dev.pawl.api.Job;
import dev.pawl.api.JobStep;
import dev.pawl.api.Signal;
import dev.pawl.api.SignalResult;
import dev.pawl.internal.enqueue.PayloadLimit;
import dev.pawl.internal.feature.Features;
import dev.pawl.internal.feature.LinkedRows;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.step.SqlSteps;
import dev.pawl.internal.store.StoredText;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.stream.Stream;

/** Finds and changes jobs, in rows, in the history and in other places. */
final class SqlJobAdmin implements JobAdmin {
    private static final int MAX_BY = 200;
    private static final int MAX_SIGNAL_BYTES = 256 * 1024;

    private final AdminCalls calls;
    private final JobQueries jobQueries;
    private final JobCommands jobCommands;
    private final LinkedRows linked;
    private final PayloadLimit payloads;
    private final WaitReasons waits;
    private final SqlSteps steps;
    private final Signals signals;

    /**
     * @param calls reach the database
     * @param jobCommands change single jobs
     * @param linked rows that follow deleted jobs
     * @param payloads the maximum size of payloads
     */
    SqlJobAdmin(AdminCalls calls, JobCommands jobCommands, LinkedRows linked, PayloadLimit payloads) {
        Database database = calls.database();
        this.calls = calls;
        this.jobQueries = new JobQueries(database.dialect());
        this.jobCommands = jobCommands;
        this.linked = linked;
        this.payloads = payloads;
        this.waits = new WaitReasons(database, jobQueries, Features.installed());
        this.steps = new SqlSteps(database);
        this.signals = new Signals(database.dialect(), jobQueries, steps, linked);
    }

    @Override
    public Optional<Job> find(long jobId) {
        return calls.read("cannot look for job " + jobId, connection -> jobQueries.find(connection, jobId));
    }

    @Override
    public List<Job> list(JobFilter filter) {
        require(filter);
        return calls.read("cannot list jobs", connection -> jobQueries.list(connection, filter));
    }

    @Override
    public JobPage page(JobFilter filter) {
        require(filter);
        return calls.read("cannot list jobs", connection -> jobQueries.page(connection, filter));
    }

    /**
     * Rejects texts that some databases cannot store. For example, drivers replace an unpaired surrogate by a question mark, which would
     * match other values.
     */
    private static void require(JobFilter filter) {
        Stream.of(filter.queues(), filter.kinds())
                .flatMap(choice -> Stream.concat(choice.any().stream(), choice.none().stream()))
                .forEach(name -> StoredText.require("the queue or kind to look for", name));
        StoredText.require("the unique key to look for", filter.uniqueKey());
        StoredText.require("the key to look for", filter.key());
        StoredText.require("the tag to look for", filter.tag());
        StoredText.require("the text to look for", filter.text());
    }

    @Override
    public JobCount count(JobFilter which, JobChange change, Duration timeout) {
        require(which);
        return calls.run(
                "cannot count the jobs that match", () -> matching(which).count(change, timeout));
    }

    @Override
    public JobCount countNewest(JobFilter which, JobChange change, int limit) {
        require(which);
        int upTo = AdminCalls.positive("limit", limit);
        return calls.run(
                "cannot count the jobs that match", () -> matching(which).countNewest(change, upTo));
    }

    private MatchingCount matching(JobFilter which) throws SQLException {
        return new MatchingCount(calls.database(), jobQueries, new MatchingJobs(calls.database(), jobQueries, which));
    }

    @Override
    public ChangeResult changeAll(JobFilter which, JobChange change, LongConsumer progress) {
        require(which);
        return calls.change("cannot change all jobs that match", () -> {
            BulkChanges changes = new BulkChanges(
                    calls.database(),
                    jobQueries,
                    jobCommands,
                    linked,
                    new MatchingJobs(calls.database(), jobQueries, which),
                    progress);
            ChangeResult result = changes.make(change);
            if (!changes.woken().isEmpty()) {
                calls.wakes().enqueued(changes.woken());
            }
            return result;
        });
    }

    @Override
    public CancelResult cancel(long jobId) {
        return calls.change("cannot cancel job " + jobId, () -> jobCommands.cancel(jobId));
    }

    @Override
    public RetryResult retry(long jobId) {
        return calls.change(
                "cannot retry job " + jobId,
                () -> jobCommands.retrying(connection -> jobCommands.retry(connection, jobId)));
    }

    @Override
    public RetryResult retry(long jobId, String fromStep) {
        StoredText.require("the name of the step", fromStep);
        return calls.change(
                "cannot retry job " + jobId,
                () -> jobCommands.retrying(connection -> retry(connection, jobId, fromStep)));
    }

    private RetryResult retry(Connection connection, long jobId, String fromStep) throws SQLException {
        RetryResult result = jobCommands.retry(connection, jobId);
        if (result == RetryResult.AVAILABLE_NOW && !steps.forgetFrom(connection, jobId, fromStep)) {
            List<String> done =
                    steps.list(connection, jobId).stream().map(JobStep::name).toList();
            throw new IllegalArgumentException(
                    "job " + jobId + " has no step '" + fromStep + "' that is done, so it is not retried: "
                            + (done.isEmpty() ? "it has none" : "it has " + String.join(", ", done)));
        }
        return result;
    }

    @Override
    public EditResult edit(long jobId, JobEdit edit, String by) {
        if (by.isBlank() || by.length() > MAX_BY) {
            throw new IllegalArgumentException(
                    "the name of the person who changes job " + jobId + " needs 1 to " + MAX_BY + " characters");
        }
        StoredText.require("the name of the person who changes job " + jobId, by);
        if (edit.payload() != null) {
            payloads.require("job " + jobId, edit.payload());
        }
        return calls.change("cannot change job " + jobId, () -> jobCommands.edit(jobId, edit, by));
    }

    @Override
    public List<JobStep> steps(long jobId) {
        return calls.read("cannot read the steps of job " + jobId, connection -> steps.list(connection, jobId));
    }

    @Override
    public SignalResult signal(long jobId, String name, String value) {
        Signal.of(name, String.class); // checks the name
        int bytes = value.getBytes(StandardCharsets.UTF_8).length;
        String what = "the value of the signal '" + name + "' for job " + jobId;
        if (bytes > MAX_SIGNAL_BYTES) {
            throw new InvalidJobException(what + " has " + bytes + " bytes, the maximum is " + MAX_SIGNAL_BYTES
                    + ": store it elsewhere and give a reference");
        }
        StoredText.require(what, value);
        Signals.Sent sent = calls.run(
                "cannot send signal '" + name + "' to job " + jobId,
                () -> calls.retried(connection -> signals.send(connection, jobId, name, value)));
        if (sent.result() == SignalResult.DELIVERED) {
            calls.wakes().enqueued(Set.of(sent.queue()));
        }
        return sent.result();
    }

    @Override
    public Optional<String> result(long jobId) {
        return calls.read("cannot read the result of job " + jobId, connection -> jobQueries.result(connection, jobId));
    }

    @Override
    public Optional<Instant> dueAt(long jobId) {
        return calls.read(
                "cannot read when job " + jobId + " is due", connection -> jobQueries.dueAt(connection, jobId));
    }

    @Override
    public List<WaitReason> waitReasons(long jobId) {
        return calls.run("cannot find out why job " + jobId + " waits", () -> waits.of(jobId));
    }
}

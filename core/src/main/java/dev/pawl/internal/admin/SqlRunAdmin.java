package dev.pawl.internal.admin;

import dev.pawl.admin.Admin;
import dev.pawl.admin.CancelResult;
import dev.pawl.admin.ChangeResult;
import dev.pawl.admin.FailedAttempt;
import dev.pawl.admin.FailureGroup;
import dev.pawl.admin.JobAssignment;
import dev.pawl.admin.JobChange;
import dev.pawl.admin.JobLogLine;
import dev.pawl.admin.JobStack;
import dev.pawl.admin.RetryResult;
import dev.pawl.admin.RunAdmin;
import dev.pawl.admin.StackRequest;
import dev.pawl.admin.StalledJobs;
import dev.pawl.api.Job;
import dev.pawl.api.JobState;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Failures;
import dev.pawl.internal.jdbc.RowStates;
import dev.pawl.internal.remote.Assignments;
import dev.pawl.internal.settle.RunStacks;
import dev.pawl.internal.store.StoredText;
import java.sql.SQLException;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** Runs of jobs: their log lines, failures and stack traces. */
final class SqlRunAdmin implements RunAdmin {
    private final AdminCalls calls;
    private final JobQueries jobQueries;
    private final JobCommands jobCommands;
    private final Assignments notes;
    private final RunStacks stacks;

    /**
     * @param calls reach the database
     * @param jobCommands change single jobs
     */
    SqlRunAdmin(AdminCalls calls, JobCommands jobCommands) {
        Dialect dialect = calls.database().dialect();
        this.calls = calls;
        this.jobQueries = new JobQueries(dialect);
        this.jobCommands = jobCommands;
        this.notes = new Assignments(dialect);
        this.stacks = new RunStacks(dialect);
    }

    @Override
    public List<FailedAttempt> failedAttempts(long jobId, int limit) {
        int most = AdminCalls.positive("limit", limit);
        return calls.read(
                "cannot read the attempts of job " + jobId,
                connection -> jobQueries.failedAttempts(connection, jobId, most));
    }

    @Override
    public List<JobLogLine> log(long jobId, int limit) {
        int most = AdminCalls.positive("limit", limit);
        return calls.read("cannot read the log of job " + jobId, connection -> jobQueries.log(connection, jobId, most));
    }

    @Override
    public List<JobAssignment> assignments(long jobId, int limit) {
        int most = AdminCalls.positive("limit", limit);
        return calls.read(
                "cannot read the assignments of job " + jobId, connection -> notes.of(connection, jobId, most));
    }

    @Override
    public StackRequest requestStackTrace(long jobId) {
        return calls.run("cannot request the stack trace of job " + jobId, () -> {
            Job job = calls.database()
                    .autocommit(connection -> jobQueries.find(connection, jobId))
                    .orElse(null);
            if (job == null) {
                return StackRequest.NOT_FOUND;
            }
            if (job.state() != JobState.RUNNING) {
                return StackRequest.NOT_RUNNING;
            }
            if (calls.database().autocommit(connection -> notes.of(connection, jobId, Integer.MAX_VALUE)).stream()
                    .anyMatch(given -> given.attempt() == job.attempt())) {
                return StackRequest.REMOTE;
            }
            stacks.request(calls.database(), job);
            return StackRequest.REQUESTED;
        });
    }

    @Override
    public Optional<JobStack> stackTrace(long jobId) {
        return calls.read("cannot read the stack trace of job " + jobId, connection -> stacks.of(connection, jobId));
    }

    @Override
    public StalledJobs stalled() {
        return calls.read(
                "cannot look for runs that take too long",
                new LongRuns(calls.database().dialect())::stalled);
    }

    @Override
    public List<FailureGroup> failures(@Nullable String queue, @Nullable String kind, int limit) {
        StoredText.require("the queue", queue);
        StoredText.require("the kind", kind);
        FailureGroups groups = new FailureGroups(calls.database(), AdminCalls.positive("limit", limit));
        return calls.run(
                "cannot group the failed attempts",
                () -> limit == Admin.UNLIMITED ? groups.list(queue, kind) : groups.newest(queue, kind));
    }

    @Override
    public ChangeResult changeFailures(String group, JobChange change, LongConsumer progress) {
        if (change instanceof JobChange.Retry retry) {
            return changing(group, () -> retry(group, retry, progress));
        }
        if (change instanceof JobChange.Cancel) {
            return changing(
                    group,
                    () -> new GroupChange(
                                    calls.database(),
                                    EnumSet.copyOf(List.of(RowStates.waiting())),
                                    job -> jobCommands.cancel(job) == CancelResult.CANCELLED,
                                    progress)
                            .make(group));
        }
        throw new IllegalArgumentException("jobs that have failed for one cause can only be retried or cancelled");
    }

    private ChangeResult changing(String group, Failures.Call<ChangeResult> work) {
        return calls.change("cannot change the jobs of the group " + group + " of failures", work);
    }

    private ChangeResult retry(String group, JobChange.Retry retry, LongConsumer progress) throws SQLException {
        Set<JobState> states = EnumSet.of(JobState.AVAILABLE, JobState.BLOCKED, JobState.DISCARDED);
        Stagger stagger = retry.isSpread() ? stagger(group, retry, states) : null;
        return new GroupChange(calls.database(), states, job -> isRetried(job, stagger), progress).make(group);
    }

    private Stagger stagger(String group, JobChange.Retry retry, Set<JobState> states) throws SQLException {
        Database database = calls.database();
        Instant start = database.autocommit(connection -> Present.of(connection, database.dialect()));
        GroupChange count = new GroupChange(database, states, job -> true, counted -> {});
        return new Stagger(start, retry, count.make(group).changed());
    }

    private boolean isRetried(long job, @Nullable Stagger stagger) throws SQLException {
        Instant moment = stagger == null ? null : stagger.next();
        return jobCommands.retrying(connection -> jobCommands.retryOneOfMany(connection, job, moment))
                == RetryResult.AVAILABLE_NOW;
    }
}

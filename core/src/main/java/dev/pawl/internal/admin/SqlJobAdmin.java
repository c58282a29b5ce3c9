package dev.pawl.internal.admin;

import dev.pawl.admin.BatchInfo;
import dev.pawl.admin.CancelResult;
import dev.pawl.admin.ChangeResult;
import dev.pawl.admin.Duties;
import dev.pawl.admin.EditResult;
import dev.pawl.admin.FailedAttempt;
import dev.pawl.admin.FailureGroup;
import dev.pawl.admin.Finding;
import dev.pawl.admin.FinishedJobs;
import dev.pawl.admin.JobAdmin;
import dev.pawl.admin.JobAssignment;
import dev.pawl.admin.JobChange;
import dev.pawl.admin.JobCount;
import dev.pawl.admin.JobEdit;
import dev.pawl.admin.JobFilter;
import dev.pawl.admin.JobLogLine;
import dev.pawl.admin.JobPage;
import dev.pawl.admin.JobStack;
import dev.pawl.admin.JobStory;
import dev.pawl.admin.QueueStats;
import dev.pawl.admin.RemoteWorkerInfo;
import dev.pawl.admin.RetentionRule;
import dev.pawl.admin.RetryResult;
import dev.pawl.admin.Series;
import dev.pawl.admin.StackRequest;
import dev.pawl.admin.StalledJob;
import dev.pawl.admin.TableSize;
import dev.pawl.admin.Tuning;
import dev.pawl.admin.UnattendedJobs;
import dev.pawl.admin.WaitReason;
import dev.pawl.admin.WorkerInfo;
import dev.pawl.admin.WorkflowInfo;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.InvalidJobException;
import dev.pawl.api.Job;
import dev.pawl.api.JobState;
import dev.pawl.api.JobStep;
import dev.pawl.api.Retention;
import dev.pawl.api.Signal;
import dev.pawl.api.SignalResult;
import dev.pawl.api.Strategy;
import dev.pawl.api.WorkerWish;
import dev.pawl.internal.batch.SqlBatches;
import dev.pawl.internal.batch.SqlWorkflows;
import dev.pawl.internal.cluster.RemoteWorkers;
import dev.pawl.internal.cluster.WorkerRegistry;
import dev.pawl.internal.enqueue.PayloadLimit;
import dev.pawl.internal.feature.LinkedRows;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Failures;
import dev.pawl.internal.jdbc.QueuePause;
import dev.pawl.internal.jdbc.RowStates;
import dev.pawl.internal.jdbc.SqlWork;
import dev.pawl.internal.key.SqlKeys;
import dev.pawl.internal.lane.LaneAdmin;
import dev.pawl.internal.limit.SqlLimits;
import dev.pawl.internal.retention.Pruner;
import dev.pawl.internal.retention.RetentionRows;
import dev.pawl.internal.schedule.SqlSchedules;
import dev.pawl.internal.settle.CompletionHook;
import dev.pawl.internal.settle.KeptStates;
import dev.pawl.internal.settle.RunNotes;
import dev.pawl.internal.settle.RunStacks;
import dev.pawl.internal.step.SqlSteps;
import dev.pawl.internal.store.JobStore;
import dev.pawl.internal.store.QueueAndKind;
import dev.pawl.internal.store.StoredText;
import dev.pawl.internal.watch.SqlDuties;
import dev.pawl.internal.watch.SqlSeries;
import dev.pawl.limit.HeldKey;
import dev.pawl.limit.LimitInfo;
import dev.pawl.limit.Subject;
import dev.pawl.schedule.ScheduleInfo;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The admin's verbs over SQL. */
public final class SqlJobAdmin implements JobAdmin {
    private static final int MOST_BY = 200;
    private static final int MOST_SIGNAL_BYTES = 256 * 1024;

    private final Database database;
    private final JobQueries jobQueries;
    private final JobCommands jobCommands;
    private final Queues queues;
    private final LaneAdmin doors;
    private final WorkerRegistry workers;
    private final RunNotes notes;
    private final RunStacks stacks;
    private final JobStore store;
    private final Pruner pruner;
    private final TableCare tables;
    private final SqlSchedules schedules;
    private final SqlLimits limits;
    private final SqlBatches batches;
    private final SqlWorkflows workflows;
    private final WaitReasons waits;
    private final BatchChanges batchChanges;
    private final RetentionRows retentions;
    private final LinkedRows linked;
    private final PayloadLimit payloads;
    private final Runnable changed;
    private final Consumer<Set<String>> wakes;
    private final SqlSteps steps;
    private final Signals signals;
    private final Duties duties;
    private final Series series;

    /**
     * @param database the pool and the dialect
     * @param retention which finished jobs are kept at all
     * @param store knows which strategies the database supports
     * @param completionHook what is written besides when jobs end
     * @param workflows as rows, and their batches
     * @param linked rows that follow the jobs that are taken away
     * @param pruner deletes what has outlived its retention
     * @param tables how the product's tables are examined and rebuilt
     * @param payloads how large payloads may be
     * @param changed told when workers that sleep may have something to do
     * @param wakes told of queues in which a job is available now
     */
    public SqlJobAdmin(
            Database database,
            Retention retention,
            JobStore store,
            CompletionHook completionHook,
            SqlWorkflows workflows,
            LinkedRows linked,
            Pruner pruner,
            TableCare tables,
            PayloadLimit payloads,
            Runnable changed,
            Consumer<Set<String>> wakes) {
        this.changed = changed;
        this.wakes = wakes;
        this.payloads = payloads;
        this.store = store;
        this.pruner = pruner;
        this.tables = tables;
        this.database = database;
        this.jobQueries = new JobQueries(database.dialect());
        this.jobCommands = new JobCommands(
                database.dialect(), new KeptStates(database.dialect(), retention), completionHook, linked);
        this.linked = linked;
        this.batches = workflows.batches();
        this.workflows = workflows;
        this.waits = new WaitReasons(database, jobQueries, batches, workflows);
        this.batchChanges = new BatchChanges(database, workflows, jobCommands);
        this.retentions = new RetentionRows(database);
        this.queues = new Queues(database.dialect());
        this.doors = new LaneAdmin(database.dialect());
        this.workers = new WorkerRegistry(database);
        this.schedules = new SqlSchedules(database, store);
        this.limits = new SqlLimits(database);
        this.notes = new RunNotes(database.dialect());
        this.stacks = new RunStacks(database.dialect());
        this.steps = new SqlSteps(database);
        this.signals = new Signals(database.dialect(), jobQueries, steps);
        this.duties = new SqlDuties(database);
        this.series = new SqlSeries(database, duties, connection -> queues.stats(connection));
    }

    @Override
    public Optional<Job> find(long jobId) {
        return Failures.wrapped(
                "cannot look for job " + jobId,
                () -> database.autocommit(connection -> jobQueries.find(connection, jobId)));
    }

    @Override
    public List<Job> list(JobFilter filter) {
        require(filter);
        return Failures.wrapped(
                "cannot list jobs", () -> database.autocommit(connection -> jobQueries.list(connection, filter)));
    }

    @Override
    public JobPage page(JobFilter filter) {
        require(filter);
        return Failures.wrapped(
                "cannot list jobs", () -> database.autocommit(connection -> jobQueries.page(connection, filter)));
    }

    /** Drivers make a question mark of half a pair, so others would match as well. */
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
    public List<FailedAttempt> failedAttempts(long jobId) {
        return Failures.wrapped(
                "cannot read the attempts of job " + jobId,
                () -> database.autocommit(connection -> jobQueries.failedAttempts(connection, jobId)));
    }

    @Override
    public List<FailureGroup> failures(@Nullable String queue, @Nullable String kind) {
        StoredText.require("the queue", queue);
        StoredText.require("the kind", kind);
        return Failures.wrapped(
                "cannot group the failed attempts",
                () -> new FailureGroups(database, FailureGroups.MOST_ATTEMPTS).list(queue, kind));
    }

    @Override
    public List<FailureGroup> failures(@Nullable String queue, @Nullable String kind, int most) {
        StoredText.require("the queue", queue);
        StoredText.require("the kind", kind);
        int attempts = positive("most", most);
        return Failures.wrapped(
                "cannot group the failed attempts", () -> new FailureGroups(database, attempts).newest(queue, kind));
    }

    private static int positive(String name, int number) {
        if (number < 1) {
            throw new InvalidJobException(name + " " + number + " is not valid: use 1 or more");
        }
        return number;
    }

    @Override
    public ChangeResult changeFailures(String group, JobChange change, LongConsumer progress) {
        GroupChange changes;
        if (change instanceof JobChange.Retry) {
            changes = new GroupChange(
                    database,
                    EnumSet.complementOf(EnumSet.of(JobState.RUNNING, JobState.COMPLETED, JobState.CANCELLED)),
                    job -> patiently(connection -> jobCommands.retryUnlessHeld(connection, job))
                            == RetryResult.AVAILABLE_NOW,
                    progress);
        } else if (change instanceof JobChange.Cancel) {
            changes = new GroupChange(
                    database,
                    EnumSet.copyOf(List.of(RowStates.waiting())),
                    job -> patiently(connection -> jobCommands.cancel(connection, job)) == CancelResult.CANCELLED,
                    progress);
        } else {
            throw new InvalidJobException("jobs that have failed for one cause can be retried and cancelled only");
        }
        return changing("cannot change the jobs of the group " + group + " of failures", () -> changes.make(group));
    }

    @Override
    public List<JobLogLine> log(long jobId) {
        return Failures.wrapped(
                "cannot read the log of job " + jobId,
                () -> database.autocommit(connection -> jobQueries.log(connection, jobId)));
    }

    @Override
    public JobStory story(long jobId, int attempts, int lines) {
        int mostAttempts = positive("attempts", attempts);
        int mostLines = positive("lines", lines);
        return Failures.wrapped(
                "cannot read what has happened to job " + jobId,
                () -> database.autocommit(connection -> jobQueries.story(connection, jobId, mostAttempts, mostLines)));
    }

    @Override
    public List<JobAssignment> assignments(long jobId) {
        return assignments(jobId, Integer.MAX_VALUE);
    }

    @Override
    public List<JobAssignment> assignments(long jobId, int most) {
        return Failures.wrapped(
                "cannot read the assignments of job " + jobId,
                () -> database.autocommit(connection -> notes.of(connection, jobId, most)));
    }

    @Override
    public StackRequest askForStack(long jobId) {
        return Failures.wrapped("cannot ask for the stack of job " + jobId, () -> {
            Job job = database.autocommit(connection -> jobQueries.find(connection, jobId))
                    .orElse(null);
            if (job == null) {
                return StackRequest.NOT_FOUND;
            }
            if (job.state() != JobState.RUNNING) {
                return StackRequest.NOT_RUNNING;
            }
            if (database.autocommit(connection -> notes.of(connection, jobId, Integer.MAX_VALUE)).stream()
                    .anyMatch(given -> given.attempt() == job.attempt())) {
                return StackRequest.ELSEWHERE;
            }
            stacks.ask(database, job);
            return StackRequest.ASKED;
        });
    }

    @Override
    public Optional<JobStack> stack(long jobId) {
        return Failures.wrapped(
                "cannot read the stack of job " + jobId,
                () -> database.autocommit(connection -> stacks.of(connection, jobId)));
    }

    @Override
    public Optional<String> result(long jobId) {
        return Failures.wrapped(
                "cannot read the result of job " + jobId,
                () -> database.autocommit(connection -> jobQueries.result(connection, jobId)));
    }

    @Override
    public List<BatchInfo> batches(long below, int limit) {
        return Failures.wrapped("cannot list the batches", () -> batches.list(below, limit));
    }

    @Override
    public List<BatchInfo> batchesIn(long parent, int limit) {
        return Failures.wrapped(
                "cannot list the batches within batch " + parent, () -> batches.children(parent, limit));
    }

    @Override
    public List<Job> batchJobs(long batch, long after, int limit) {
        return Failures.wrapped("cannot list the jobs of batch " + batch, () -> {
            List<Long> ids = batches.jobs(batch, after, limit);
            return List.copyOf(database.autocommit(connection -> jobQueries.findAll(connection, ids))
                    .values());
        });
    }

    @Override
    public long cancelBatch(long batch) {
        return changing("cannot cancel the jobs of batch " + batch, () -> batchChanges.cancel(batch));
    }

    @Override
    public List<BatchInfo> workflows(long below, int limit) {
        return Failures.wrapped("cannot list the workflows", () -> workflows.list(below, limit));
    }

    @Override
    public Optional<WorkflowInfo> workflow(long workflow) {
        return Failures.wrapped("cannot look at workflow " + workflow, () -> workflows.find(workflow));
    }

    @Override
    public OptionalLong workflowOf(Job job) {
        OptionalLong node = job.batch();
        return node.isEmpty()
                ? node
                : Failures.wrapped(
                        "cannot look for the workflow of job " + job.id(), () -> workflows.of(node.getAsLong()));
    }

    @Override
    public Optional<Instant> dueAt(long jobId) {
        return Failures.wrapped(
                "cannot read when job " + jobId + " is due",
                () -> database.autocommit(connection -> jobQueries.dueAt(connection, jobId)));
    }

    @Override
    public List<WaitReason> waitReasons(long jobId) {
        return Failures.wrapped("cannot find out why job " + jobId + " waits", () -> waits.of(jobId));
    }

    @Override
    public long cancelWorkflow(long workflow) {
        return changing("cannot cancel the jobs of workflow " + workflow, () -> batchChanges.cancelWorkflow(workflow));
    }

    @Override
    public CancelResult cancel(long jobId) {
        return changing(
                "cannot cancel job " + jobId, () -> patiently(connection -> jobCommands.cancel(connection, jobId)));
    }

    @Override
    public RetryResult retry(long jobId) {
        return changing(
                "cannot retry job " + jobId, () -> patiently(connection -> jobCommands.retry(connection, jobId)));
    }

    @Override
    public RetryResult retry(long jobId, String fromStep) {
        StoredText.require("the name of the step", fromStep);
        return changing(
                "cannot retry job " + jobId,
                () -> patiently(connection -> {
                    RetryResult result = jobCommands.retry(connection, jobId);
                    if (result == RetryResult.AVAILABLE_NOW && !steps.forgetFrom(connection, jobId, fromStep)) {
                        List<String> done = steps.list(connection, jobId).stream()
                                .map(JobStep::name)
                                .toList();
                        throw new InvalidJobException(
                                "job " + jobId + " has no step '" + fromStep + "' that is done, so it is not retried: "
                                        + (done.isEmpty() ? "it has none" : "it has " + String.join(", ", done)));
                    }
                    return result;
                }));
    }

    @Override
    public List<JobStep> steps(long jobId) {
        return Failures.wrapped(
                "cannot read the steps of job " + jobId,
                () -> database.autocommit(connection -> steps.list(connection, jobId)));
    }

    @Override
    public SignalResult signal(long jobId, String name, String value) {
        Signal.of(name, String.class); // checks the name
        int bytes = value.getBytes(StandardCharsets.UTF_8).length;
        String what = "the value of the signal '" + name + "' for job " + jobId;
        if (bytes > MOST_SIGNAL_BYTES) {
            throw new InvalidJobException(what + " has " + bytes + " bytes, the most is " + MOST_SIGNAL_BYTES
                    + ": store it elsewhere and give a reference");
        }
        StoredText.require(what, value);
        Signals.Sent sent = Failures.wrapped(
                "cannot tell job " + jobId + " of '" + name + "'",
                () -> patiently(connection -> signals.send(connection, jobId, name, value)));
        if (sent.result() == SignalResult.DELIVERED) {
            wakes.accept(Set.of(sent.queue()));
        }
        return sent.result();
    }

    @Override
    public EditResult edit(long jobId, JobEdit edit, String by) {
        if (by.isBlank() || by.length() > MOST_BY) {
            throw new InvalidJobException(
                    "who changes job " + jobId + " is not given in 1 to " + MOST_BY + " characters");
        }
        StoredText.require("the name of who changes job " + jobId, by);
        if (edit.payload() != null) {
            payloads.require("job " + jobId, edit.payload());
        }
        return changing(
                "cannot change job " + jobId,
                () -> patiently(connection -> jobCommands.edit(connection, jobId, edit, by)));
    }

    @Override
    public long countMatching(JobFilter which, JobChange change) {
        require(which);
        return Failures.wrapped(
                "cannot count the jobs that match", () -> matching(which).count(change));
    }

    @Override
    public JobCount countMatching(JobFilter which, JobChange change, int most) {
        require(which);
        int upTo = positive("most", most);
        return Failures.wrapped(
                "cannot count the jobs that match", () -> matching(which).count(change, upTo));
    }

    @Override
    public JobCount countMatching(JobFilter which, JobChange change, Duration atMost) {
        require(which);
        return Failures.wrapped(
                "cannot count the jobs that match", () -> matching(which).count(change, atMost));
    }

    private MatchingCount matching(JobFilter which) throws SQLException {
        return new MatchingCount(database, jobQueries, new MatchingJobs(database, jobQueries, which));
    }

    @Override
    public ChangeResult changeAll(JobFilter which, JobChange change, LongConsumer progress) {
        require(which);
        return changing("cannot change all jobs that match", () -> {
            BulkChanges changes = new BulkChanges(
                    database, jobQueries, jobCommands, linked, new MatchingJobs(database, jobQueries, which), progress);
            ChangeResult result = changes.make(change);
            if (!changes.woken().isEmpty()) {
                wakes.accept(changes.woken());
            }
            return result;
        });
    }

    private <T> T changing(String failure, Failures.Call<T> work) {
        T result = Failures.wrapped(failure, work);
        changed.run();
        return result;
    }

    /** A claim, another retry of it, or another job with its key, was faster, and is visible now. */
    private <T> T patiently(SqlWork<T> work) throws SQLException {
        return ConflictRetry.transaction(database, work);
    }

    @Override
    public List<QueueStats> queues() {
        return Failures.wrapped("cannot count the queues", () -> database.autocommit(queues::stats));
    }

    @Override
    public List<QueueStats> queues(int most) {
        int upTo = positive("most", most);
        return Failures.wrapped(
                "cannot count the queues", () -> database.autocommit(connection -> queues.stats(connection, upTo)));
    }

    @Override
    public List<FinishedJobs> finished(int most) {
        int upTo = positive("most", most);
        return Failures.wrapped(
                "cannot count the finished jobs",
                () -> database.autocommit(connection -> queues.finished(connection, upTo)));
    }

    @Override
    public List<TableSize> tables() {
        return Failures.wrapped(
                "cannot read the sizes of the tables",
                () -> database.autocommit(connection -> tables.sizes(connection, database.dialect())));
    }

    @Override
    public List<FinishedJobs> finished() {
        return Failures.wrapped("cannot count the finished jobs", () -> database.autocommit(queues::finished));
    }

    @Override
    public List<UnattendedJobs> unattended() {
        return Failures.wrapped("cannot look for jobs that no worker handles", () -> {
            List<UnattendedJobs> found = new ArrayList<>();
            for (QueueAndKind each : workers.uncovered()) {
                long jobs = database.autocommit(connection -> queues.waiting(connection, each.queue(), each.kind()));
                found.add(new UnattendedJobs(each.queue(), each.kind(), jobs));
            }
            return found;
        });
    }

    @Override
    public List<StalledJob> stalled() {
        return Failures.wrapped(
                "cannot look for runs that take too long",
                () -> database.autocommit(new LongRuns(database.dialect())::stalled));
    }

    @Override
    public void pause(String queue) {
        EnqueueOptions.DEFAULTS.queue(queue); // checks the name
        pause("cannot pause queue " + queue, queue);
    }

    @Override
    public void pauseAll() {
        pause("cannot pause all queues", QueuePause.ALL);
    }

    private void pause(String failure, String queue) {
        Failures.wrapped(failure, () -> {
            queues.create(database, queue);
            return database.transaction(connection -> {
                queues.pause(connection, queue);
                return true;
            });
        });
    }

    @Override
    public boolean resumeAll() {
        return changing(
                "cannot resume all queues",
                () -> database.transaction(connection -> queues.resume(connection, QueuePause.ALL)));
    }

    @Override
    public Optional<Instant> allPausedSince() {
        return Failures.wrapped(
                "cannot read whether all queues are paused", () -> database.autocommit(queues::allPausedSince));
    }

    @Override
    public boolean resume(String queue) {
        EnqueueOptions.DEFAULTS.queue(queue); // checks the name
        return changing(
                "cannot resume queue " + queue,
                () -> database.transaction(connection -> queues.resume(connection, queue)));
    }

    @Override
    public void setStrategy(String queue, Strategy strategy) {
        EnqueueOptions.DEFAULTS.queue(queue); // checks the name
        store.strategy(strategy); // refuses what this database does not support
        String text = strategy instanceof Strategy.Auto ? null : strategy.toString();
        Failures.wrapped("cannot set the strategy of queue " + queue, () -> {
            queues.create(database, queue);
            return database.transaction(connection -> {
                queues.setStrategy(connection, queue, text);
                if (strategy instanceof Strategy.Lanes || strategy instanceof Strategy.Auto) {
                    doors.open(connection, queue);
                } else {
                    doors.close(connection, queue);
                }
                return true;
            });
        });
    }

    @Override
    public List<WorkerInfo> workers() {
        return Failures.wrapped("cannot list the workers", () -> database.autocommit(workers::list));
    }

    @Override
    public boolean wish(long workerId, WorkerWish wish) {
        return changing("cannot tell worker " + workerId, () -> workers.wish(workerId, wish));
    }

    @Override
    public boolean scale(long workerId, int concurrency) {
        return changing(
                "cannot scale worker " + workerId, () -> new Scaling(database, workers).one(workerId, concurrency));
    }

    @Override
    public SortedMap<Long, Integer> scaleQueue(String queue, int concurrency) {
        return changing(
                "cannot scale the workers of queue " + queue,
                () -> new Scaling(database, workers).all(queue, concurrency));
    }

    @Override
    public List<RemoteWorkerInfo> remoteWorkers() {
        return Failures.wrapped(
                "cannot list the workers without a database",
                () -> database.autocommit(new RemoteWorkers(database)::list));
    }

    @Override
    public long prune(Retention retention) {
        return Failures.wrapped("cannot prune", () -> pruner.pruneAll(retention));
    }

    @Override
    public void setRetention(RetentionRule rule) {
        if (rule.completed() == null && rule.cancelled() == null && rule.discarded() == null) {
            throw new InvalidJobException(
                    "the retention of " + rule.subject()
                            + " says nothing: give completed(…), cancelled(…) or discarded(…); to remove it, call clearRetention(…)");
        }
        Failures.wrapped("cannot set the retention of " + rule.subject(), () -> {
            retentions.set(rule);
            return true;
        });
    }

    @Override
    public boolean clearRetention(Subject subject) {
        return Failures.wrapped("cannot remove the retention of " + subject, () -> retentions.remove(subject));
    }

    @Override
    public List<RetentionRule> retentions() {
        return Failures.wrapped("cannot list the retentions", retentions::list);
    }

    @Override
    public void tune(Tuning tuning) {
        Failures.wrapped(
                "cannot tune the tables",
                () -> database.transaction(connection -> {
                    tables.tune(connection, tuning);
                    return true;
                }));
    }

    @Override
    public Series series() {
        return series;
    }

    @Override
    public Duties duties() {
        return duties;
    }

    @Override
    public List<Finding> diagnose() {
        List<UnattendedJobs> unattended = unattended();
        List<StalledJob> stalled = stalled();
        List<ScheduleInfo> recurring = Failures.wrapped("cannot list the schedules", schedules::list);
        List<String> undeclared =
                Failures.wrapped("cannot look for schedules that are not there", schedules::undeclared);
        List<LimitInfo> limited = Failures.wrapped("cannot list the limits", limits::list);
        List<HeldKey> held = Failures.wrapped("cannot list the keys that are held back", new SqlKeys(database)::held);
        return Failures.wrapped(
                "cannot examine the database",
                () -> database.autocommit(connection -> Doctor.examine(
                        connection,
                        database.dialect(),
                        tables,
                        store.choice(),
                        new Doctor.Known(
                                unattended,
                                stalled,
                                recurring,
                                undeclared,
                                limited,
                                held,
                                database.unsuitedSettings()))));
    }
}

package dev.pawl.internal.store.sql;

import dev.pawl.CancelResult;
import dev.pawl.EnqueueOptions;
import dev.pawl.FailedAttempt;
import dev.pawl.Finding;
import dev.pawl.Job;
import dev.pawl.JobAdmin;
import dev.pawl.JobAssignment;
import dev.pawl.JobFilter;
import dev.pawl.JobLogLine;
import dev.pawl.QueueStats;
import dev.pawl.Retention;
import dev.pawl.RetryResult;
import dev.pawl.Strategy;
import dev.pawl.Tuning;
import dev.pawl.WorkerInfo;
import dev.pawl.internal.store.JobStore;
import java.util.List;
import java.util.Optional;

/** The admin's verbs over SQL. */
public final class SqlJobAdmin implements JobAdmin {
    private final Database database;
    private final Finders finders;
    private final Interventions interventions;
    private final Queues queues;
    private final WorkerRegistry workers;
    private final Assignments assignments;
    private final JobStore store;

    /**
     * @param database the pool and the dialect
     * @param retention which finished jobs are kept at all
     * @param store knows which strategies the database can do
     */
    public SqlJobAdmin(Database database, Retention retention, JobStore store) {
        this.store = store;
        this.database = database;
        this.finders = new Finders(database.dialect());
        this.interventions = new Interventions(database.dialect(), retention);
        this.queues = new Queues(database.dialect());
        this.workers = new WorkerRegistry(database);
        this.assignments = new Assignments(database.dialect());
    }

    @Override
    public Optional<Job> find(long jobId) {
        return Failures.wrapped(
                "cannot look for job " + jobId,
                () -> database.autocommit(connection -> finders.find(connection, jobId)));
    }

    @Override
    public List<Job> list(JobFilter filter) {
        return Failures.wrapped(
                "cannot list jobs", () -> database.autocommit(connection -> finders.list(connection, filter)));
    }

    @Override
    public List<FailedAttempt> failedAttempts(long jobId) {
        return Failures.wrapped(
                "cannot read the attempts of job " + jobId,
                () -> database.autocommit(connection -> finders.failedAttempts(connection, jobId)));
    }

    @Override
    public List<JobLogLine> log(long jobId) {
        return Failures.wrapped(
                "cannot read the log of job " + jobId,
                () -> database.autocommit(connection -> finders.log(connection, jobId)));
    }

    @Override
    public List<JobAssignment> assignments(long jobId) {
        return Failures.wrapped(
                "cannot read the assignments of job " + jobId,
                () -> database.autocommit(connection -> assignments.of(connection, jobId)));
    }

    @Override
    public CancelResult cancel(long jobId) {
        return Failures.wrapped(
                "cannot cancel job " + jobId,
                () -> database.transaction(connection -> interventions.cancel(connection, jobId)));
    }

    @Override
    public RetryResult retry(long jobId) {
        return Failures.wrapped(
                "cannot retry job " + jobId,
                () -> database.transaction(connection -> interventions.retry(connection, jobId)));
    }

    @Override
    public List<QueueStats> queues() {
        return Failures.wrapped("cannot count the queues", () -> database.autocommit(queues::stats));
    }

    @Override
    public void pause(String queue) {
        EnqueueOptions.DEFAULTS.queue(queue); // checks the name
        Failures.wrapped(
                "cannot pause queue " + queue,
                () -> database.transaction(connection -> {
                    queues.pause(connection, queue);
                    return true;
                }));
    }

    @Override
    public boolean resume(String queue) {
        EnqueueOptions.DEFAULTS.queue(queue); // checks the name
        return Failures.wrapped(
                "cannot resume queue " + queue,
                () -> database.transaction(connection -> queues.resume(connection, queue)));
    }

    @Override
    public void setStrategy(String queue, Strategy strategy) {
        EnqueueOptions.DEFAULTS.queue(queue); // checks the name
        store.claim(strategy); // refuses what this database cannot do
        String text = strategy instanceof Strategy.Auto ? null : strategy.toString();
        Failures.wrapped(
                "cannot set the strategy of queue " + queue,
                () -> database.transaction(connection -> {
                    queues.setStrategy(connection, queue, text);
                    return true;
                }));
    }

    @Override
    public List<WorkerInfo> workers() {
        return Failures.wrapped("cannot list the workers", () -> database.autocommit(workers::list));
    }

    @Override
    public long prune(Retention retention) {
        return Failures.wrapped("cannot prune", () -> new Pruner(database).prune(retention));
    }

    @Override
    public void tune(Tuning tuning) {
        Failures.wrapped(
                "cannot tune the tables",
                () -> database.transaction(connection -> {
                    database.dialect().tune(connection, tuning);
                    return true;
                }));
    }

    @Override
    public List<Finding> diagnose() {
        return Failures.wrapped(
                "cannot examine the database",
                () -> database.autocommit(
                        connection -> Doctor.examine(connection, database.dialect(), store.choice())));
    }
}

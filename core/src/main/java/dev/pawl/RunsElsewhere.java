package dev.pawl;

import dev.pawl.admin.RemoteWorkerStatus;
import dev.pawl.api.DatabaseException;
import dev.pawl.api.Job;
import dev.pawl.api.Outcome;
import dev.pawl.api.RetryPolicy;
import dev.pawl.api.RunElsewhere;
import dev.pawl.internal.QueueRuntime;
import dev.pawl.internal.cluster.RemoteWorkers;
import dev.pawl.internal.engine.ErrorText;
import dev.pawl.internal.engine.OutcomePolicy;
import dev.pawl.internal.jdbc.Failures;
import dev.pawl.internal.settle.AssignedRuns;
import dev.pawl.internal.store.ConcurrencyKeys;
import dev.pawl.internal.store.LogLine;
import dev.pawl.internal.store.Verdict;
import dev.pawl.limit.Subject;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Runs that were handed off to other processes: their handler has returned {@link Outcome#elsewhere}. Such a run is a
 * row that belongs to no process, so any process may renew it or record its outcome, and it survives all of them. It
 * ends when its outcome is recorded or its lease has expired. After that the job is retried, so the remote worker must
 * have stopped by then. Managers are built on this. Every call is fenced by the lease token and committed on return.
 * Thread-safe.
 */
public final class RunsElsewhere {
    /** Remote workers try another manager before this, so a longer call would only occupy a connection. */
    private static final Duration LONGEST_CALL = Duration.ofSeconds(5);

    private final QueueRuntime runtime;
    private final AssignedRuns runs;
    private final OutcomePolicy outcomePolicy = new OutcomePolicy(RetryPolicy.DEFAULT);

    RunsElsewhere(QueueRuntime runtime) {
        this.runtime = runtime;
        this.runs = new AssignedRuns(
                runtime.database().limited(LONGEST_CALL), runtime.ports().retention(), runtime.aftermath());
    }

    /**
     * Extends the lease of a run; never shortens it. The first renewal starts the run: it records the remote worker,
     * and fails if another one has started under the same lease.
     *
     * @param run the run
     * @param lease duration from now, by the database's clock
     * @param longest maximum duration of the run, from its first renewal
     * @param progress 0 to 100; null leaves it unchanged
     * @return whether the run may continue
     * @throws DatabaseException if the database fails; then the lease may or may not have been extended
     */
    public RunElsewhere.Renewal renew(RunElsewhere run, Duration lease, Duration longest, @Nullable Integer progress) {
        return Failures.wrapped("cannot renew job " + run.jobId(), () -> runs.renew(run, lease, longest, progress));
    }

    /**
     * Records the outcome of a run.
     *
     * @param run the run
     * @param outcome any except {@link Outcome#elsewhere}
     * @param log lines for the log of the job
     * @return the recorded end
     * @throws DatabaseException if the database fails; then the outcome may or may not have been recorded
     */
    public RunElsewhere.Ending end(RunElsewhere run, Outcome outcome, List<String> log) {
        return end(run, job -> outcomePolicy.decide(job, outcome), job -> hold(job, outcome), log);
    }

    /**
     * Records that a run failed. While attempts are left, the job is retried by the retry policy with which it was
     * enqueued, otherwise by {@link RetryPolicy#DEFAULT}.
     *
     * @param run the run
     * @param error the error
     * @param log lines for the log of the job
     * @return the recorded end
     * @throws DatabaseException if the database fails; then the failure may or may not have been recorded
     */
    public RunElsewhere.Ending fail(RunElsewhere run, String error, List<String> log) {
        return fail(run, error, log, kind -> null);
    }

    /**
     * Records that a run failed. While attempts are left, the job is retried by the retry policy with which it was
     * enqueued, otherwise by the policy of its kind.
     *
     * @param run the run
     * @param error the error
     * @param log lines for the log of the job
     * @param policies returns the retry policy of a kind; null for {@link RetryPolicy#DEFAULT}
     * @return the recorded end
     * @throws DatabaseException if the database fails; then the failure may or may not have been recorded
     */
    public RunElsewhere.Ending fail(
            RunElsewhere run, String error, List<String> log, Function<String, @Nullable RetryPolicy> policies) {
        return end(run, job -> outcomePolicy.failed(job, error, policies.apply(job.kind())), job -> {}, log);
    }

    /** An effect of an outcome beyond the job itself. */
    @FunctionalInterface
    private interface Effect {
        void of(Job job) throws SQLException;
    }

    /** Pauses the other jobs of the kind or key after an outage. */
    private void hold(Job job, Outcome outcome) throws SQLException {
        if (outcome instanceof Outcome.Unavailable unavailable) {
            runtime.ports()
                    .limits()
                    .unavailable(Subject.kind(job.kind()), unavailable.delay(), ErrorText.clean(unavailable.reason()));
        } else if (outcome instanceof Outcome.KeyUnavailable unavailable
                && job.key().isPresent()) {
            runtime.ports()
                    .keys()
                    .unavailable(
                            new ConcurrencyKeys.JobKey(job.queue(), job.key().get()),
                            unavailable.delay(),
                            ErrorText.clean(unavailable.reason()));
        }
    }

    private RunElsewhere.Ending end(
            RunElsewhere run, Function<Job, Verdict> judgement, Effect effect, List<String> log) {
        return Failures.wrapped("cannot record how job " + run.jobId() + " ended", () -> {
            AssignedRuns.Ended ended = runs.end(run, judgement).orElse(null);
            if (ended == null) {
                return RunElsewhere.Ending.REFUSED;
            }
            effect.of(ended.job());
            if (!log.isEmpty()) {
                runtime.ports()
                        .store()
                        .log(log.stream()
                                .map(line -> new LogLine(
                                        run.jobId(), ended.job().attempt(), Duration.ZERO, ErrorText.clean(line)))
                                .toList());
            }
            return switch (ended.verdict().kind()) {
                case COMPLETED -> RunElsewhere.Ending.COMPLETED;
                case RETRY -> RunElsewhere.Ending.FAILED;
                case SNOOZE, GIVE_BACK, PAUSE -> RunElsewhere.Ending.SNOOZED;
                case CANCELLED -> RunElsewhere.Ending.CANCELLED;
                case DISCARDED -> RunElsewhere.Ending.DISCARDED;
            };
        });
    }

    /**
     * Removes the remote worker from a run that it has certainly not started, so that another one may start under the
     * same lease.
     *
     * @param run the run
     * @return false if no remote worker was recorded
     * @throws DatabaseException if the database fails
     */
    public boolean withdraw(RunElsewhere run) {
        return Failures.wrapped("cannot withdraw job " + run.jobId(), () -> runs.withdraw(run));
    }

    /**
     * Lists runs that have started and not ended, oldest first.
     *
     * @param kinds of the jobs
     * @param limit the maximum number of runs
     * @return the runs
     * @throws DatabaseException if the database fails
     */
    public List<RunElsewhere> running(Collection<String> kinds, int limit) {
        return Failures.wrapped(
                "cannot list the runs that were handed off",
                () -> kinds.isEmpty() ? List.<RunElsewhere>of() : runs.running(kinds, limit));
    }

    /**
     * Records the state of a manager's remote workers, for {@link dev.pawl.admin.WorkerAdmin#remote}. Call it at
     * least once a minute.
     *
     * @param managerId the manager's id as a worker
     * @param workers all of them; empty when the manager stops
     * @throws DatabaseException if the database fails
     */
    public void note(long managerId, List<RemoteWorkerStatus> workers) {
        Failures.wrapped("cannot record the state of the remote workers", () -> {
            new RemoteWorkers(runtime.database()).write(managerId, workers);
            return true;
        });
    }

    /**
     * {@return a short text that identifies this installation} It distinguishes a call about a run of another
     * installation from a call about a run that has ended.
     *
     * @throws DatabaseException if the database fails
     */
    public String realm() {
        return Failures.wrapped("cannot read when the tables were created", runs::realm);
    }
}

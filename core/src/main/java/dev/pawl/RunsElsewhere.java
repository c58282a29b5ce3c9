package dev.pawl;

import dev.pawl.admin.RemoteWorkerStatus;
import dev.pawl.internal.QueueRuntime;
import dev.pawl.internal.cluster.RemoteWorkers;
import dev.pawl.internal.engine.ErrorText;
import dev.pawl.internal.engine.OutcomePolicy;
import dev.pawl.internal.jdbc.Failures;
import dev.pawl.internal.settle.AssignedRuns;
import dev.pawl.internal.store.KeyTurns;
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
 * Runs that go on outside the process that claimed them: their handler has returned {@link Outcome#elsewhere}. Such a
 * run is a row that belongs to no process, so any process may renew it or record how it ended, and it outlives them
 * all. It is over when its outcome is recorded or its lease has run out; after that the job is tried again, so the one
 * who does the work must have stopped by then. Managers are built on this. Every call is fenced by the lease token and
 * committed on return. Thread-safe.
 */
public final class RunsElsewhere {
    /** A worker asks another manager after less; a call that waits for longer only keeps a connection from others. */
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
     * Extends the lease of a run. The first renewal begins the run: it notes who does the work, and fails if somebody
     * else has begun under the same lease. A lease is never made shorter.
     *
     * @param run the run
     * @param lease from now, by the database's clock
     * @param longest how long the run may take in all, from its first renewal
     * @param progress 0 to 100; null leaves it as it is
     * @return what was found
     * @throws DatabaseException if the database fails; then the lease may have been extended all the same
     */
    public RunElsewhere.Renewal renew(RunElsewhere run, Duration lease, Duration longest, @Nullable Integer progress) {
        return Failures.wrapped("cannot renew job " + run.jobId(), () -> runs.renew(run, lease, longest, progress));
    }

    /**
     * Records how a run ended.
     *
     * @param run the run
     * @param outcome not {@link Outcome#elsewhere}
     * @param log lines to keep with the job
     * @return how the job stands now
     * @throws DatabaseException if the database fails; then it may have been recorded all the same
     */
    public RunElsewhere.Ending end(RunElsewhere run, Outcome outcome, List<String> log) {
        return end(run, job -> outcomePolicy.decide(job, outcome), job -> hold(job, outcome), log);
    }

    /**
     * Records that a run failed. While it has attempts, the job is tried again as it was enqueued to be, or else as
     * {@link RetryPolicy#DEFAULT} says.
     *
     * @param run the run
     * @param error why
     * @param log lines to keep with the job
     * @return how the job stands now
     * @throws DatabaseException if the database fails; then it may have been recorded all the same
     */
    public RunElsewhere.Ending fail(RunElsewhere run, String error, List<String> log) {
        return fail(run, error, log, kind -> null);
    }

    /**
     * Records that a run failed. While it has attempts, the job is tried again as it was enqueued to be, or else as the
     * policy of its kind says.
     *
     * @param run the run
     * @param error why
     * @param log lines to keep with the job
     * @param policies the retry policy of a kind; null for {@link RetryPolicy#DEFAULT}
     * @return how the job stands now
     * @throws DatabaseException if the database fails; then it may have been recorded all the same
     */
    public RunElsewhere.Ending fail(
            RunElsewhere run, String error, List<String> log, Function<String, @Nullable RetryPolicy> policies) {
        return end(run, job -> outcomePolicy.failed(job, error, policies.apply(job.kind())), job -> {}, log);
    }

    /** What else becomes of it when a run of a job has ended. */
    @FunctionalInterface
    private interface Effect {
        void of(Job job) throws SQLException;
    }

    /** What it needs is not available: the others that need it are held back. */
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
                            new KeyTurns.JobKey(job.queue(), job.key().get()),
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
            return ended.verdict().choose(ENDINGS);
        });
    }

    private static final Verdict.Cases<RunElsewhere.Ending> ENDINGS = new Verdict.Cases<>() {
        @Override
        public RunElsewhere.Ending completed() {
            return RunElsewhere.Ending.COMPLETED;
        }

        @Override
        public RunElsewhere.Ending retry(Verdict.Retry retry) {
            return RunElsewhere.Ending.FAILED;
        }

        @Override
        public RunElsewhere.Ending snooze(Verdict.Snooze snooze) {
            return RunElsewhere.Ending.SNOOZED;
        }

        @Override
        public RunElsewhere.Ending giveBack() {
            return RunElsewhere.Ending.SNOOZED;
        }

        @Override
        public RunElsewhere.Ending cancelled(Verdict.Cancelled cancelled) {
            return RunElsewhere.Ending.CANCELLED;
        }

        @Override
        public RunElsewhere.Ending discarded(Verdict.Discarded discarded) {
            return RunElsewhere.Ending.DISCARDED;
        }
    };

    /**
     * Removes the record of who does the work, when that worker certainly has not begun: another may begin under the same
     * lease.
     *
     * @param run the run
     * @return false if there was no such note
     * @throws DatabaseException if the database fails
     */
    public boolean withdraw(RunElsewhere run) {
        return Failures.wrapped("cannot withdraw job " + run.jobId(), () -> runs.withdraw(run));
    }

    /**
     * @param kinds of jobs
     * @param limit how many at most
     * @return the runs of these kinds that have begun and not ended, oldest first
     * @throws DatabaseException if the database fails
     */
    public List<RunElsewhere> running(Collection<String> kinds, int limit) {
        return Failures.wrapped(
                "cannot list the runs that go on elsewhere",
                () -> kinds.isEmpty() ? List.<RunElsewhere>of() : runs.running(kinds, limit));
    }

    /**
     * Records the state of a manager's workers, for {@link dev.pawl.admin.JobAdmin#remoteWorkers}. To be repeated at
     * least once a minute.
     *
     * @param managerId the manager's id as a worker
     * @param workers all of them; none when it stops
     * @throws DatabaseException if the database fails
     */
    public void note(long managerId, List<RemoteWorkerStatus> workers) {
        Failures.wrapped("cannot record the state of the workers", () -> {
            new RemoteWorkers(runtime.database()).write(managerId, workers);
            return true;
        });
    }

    /**
     * {@return a short text that identifies these tables among installations} With it a call about another
     * installation's run can be told from one about a run that is over.
     *
     * @throws DatabaseException if the database fails
     */
    public String realm() {
        return Failures.wrapped("cannot read when the tables were created", runs::realm);
    }
}

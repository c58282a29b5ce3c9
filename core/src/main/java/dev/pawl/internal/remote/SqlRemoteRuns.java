package dev.pawl.internal.remote;

import dev.pawl.admin.RemoteWorkerStatus;
import dev.pawl.api.Job;
import dev.pawl.api.Outcome;
import dev.pawl.api.RetryPolicy;
import dev.pawl.internal.engine.ErrorText;
import dev.pawl.internal.engine.OutcomePolicy;
import dev.pawl.internal.engine.Ports;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Failures;
import dev.pawl.internal.settle.CompletionHook;
import dev.pawl.internal.store.LogLine;
import dev.pawl.internal.store.Verdict;
import dev.pawl.spi.RemoteRun;
import dev.pawl.spi.RemoteRuns;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The runs of remote workers in {@code pawl_assignment}. Thread-safe. */
public final class SqlRemoteRuns implements RemoteRuns {
    /** By this time a remote worker has tried another manager, so a longer call would only occupy a connection. */
    private static final Duration LONGEST_CALL = Duration.ofSeconds(5);

    private final Database database;
    private final Ports ports;
    private final AssignedRuns runs;
    private final OutcomePolicy outcomePolicy = new OutcomePolicy(RetryPolicy.DEFAULT);

    /**
     * @param database of the queue
     * @param ports of the queue
     * @param completionHook writes results and the progress of batches when jobs finish
     */
    public SqlRemoteRuns(Database database, Ports ports, CompletionHook completionHook) {
        this.database = database;
        this.ports = ports;
        this.runs = new AssignedRuns(database.limited(LONGEST_CALL), ports.retention(), completionHook);
    }

    @Override
    public RemoteRun.Renewal renew(RemoteRun run, Duration lease, Duration longest, @Nullable Integer progress) {
        return Failures.wrapped("cannot renew job " + run.jobId(), () -> runs.renew(run, lease, longest, progress));
    }

    @Override
    public RemoteRun.Ending end(RemoteRun run, Outcome outcome, List<String> log) {
        return end(
                run,
                job -> outcomePolicy.decide(job, outcome),
                job -> ports.features().ran(job, outcome),
                log);
    }

    @Override
    public RemoteRun.Ending fail(
            RemoteRun run, String error, List<String> log, Function<String, @Nullable RetryPolicy> policies) {
        return end(run, job -> outcomePolicy.failed(job, error, policies.apply(job.kind())), job -> {}, log);
    }

    /** An effect of an outcome beyond the job itself. */
    @FunctionalInterface
    private interface Effect {
        void apply(Job job) throws SQLException;
    }

    private RemoteRun.Ending end(RemoteRun run, Function<Job, Verdict> judgement, Effect effect, List<String> log) {
        return Failures.wrapped("cannot record how job " + run.jobId() + " ended", () -> {
            AssignedRuns.Ended ended = runs.end(run, judgement).orElse(null);
            if (ended == null) {
                return RemoteRun.Ending.REFUSED;
            }
            effect.apply(ended.job());
            if (!log.isEmpty()) {
                ports.store()
                        .log(log.stream()
                                .map(line -> new LogLine(
                                        run.jobId(), ended.job().attempt(), Duration.ZERO, ErrorText.clean(line)))
                                .toList());
            }
            return switch (ended.verdict().kind()) {
                case COMPLETED -> RemoteRun.Ending.COMPLETED;
                case RETRY -> ended.cancelRequested() ? RemoteRun.Ending.CANCELLED : RemoteRun.Ending.FAILED;
                case SNOOZE, RELEASE, PAUSE ->
                    ended.cancelRequested() ? RemoteRun.Ending.CANCELLED : RemoteRun.Ending.SNOOZED;
                case CANCELLED -> RemoteRun.Ending.CANCELLED;
                case DISCARDED -> RemoteRun.Ending.DISCARDED;
            };
        });
    }

    @Override
    public boolean withdraw(RemoteRun run) {
        return Failures.wrapped("cannot withdraw job " + run.jobId(), () -> runs.withdraw(run));
    }

    @Override
    public List<RemoteRun> running(Collection<String> kinds, int limit) {
        return Failures.wrapped(
                "cannot list the runs that were handed off",
                () -> kinds.isEmpty() ? List.<RemoteRun>of() : runs.running(kinds, limit));
    }

    @Override
    public void note(long managerId, List<RemoteWorkerStatus> workers) {
        Failures.wrapped("cannot record the state of the remote workers", () -> {
            new RemoteWorkers(database).write(managerId, workers);
            return true;
        });
    }

    @Override
    public String realm() {
        return Failures.wrapped("cannot read when the tables were created", runs::realm);
    }
}

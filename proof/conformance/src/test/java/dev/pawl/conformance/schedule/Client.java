package dev.pawl.conformance.schedule;

import dev.pawl.admin.Admin;
import dev.pawl.admin.CancelResult;
import dev.pawl.admin.RetryResult;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.EnqueueResult;
import dev.pawl.api.Job;
import dev.pawl.api.JobRequest;
import dev.pawl.api.JobState;
import dev.pawl.api.Retention;
import dev.pawl.internal.admin.AdminCalls;
import dev.pawl.internal.admin.SqlAdmin;
import dev.pawl.internal.assembly.SqlJobStore;
import dev.pawl.internal.enqueue.PayloadLimit;
import dev.pawl.internal.feature.LinkedRows;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.retention.Pruner;
import dev.pawl.internal.store.AbandonedJob;
import dev.pawl.internal.store.ClaimRequest;
import dev.pawl.internal.store.ClaimStrategy;
import dev.pawl.internal.store.Grant;
import dev.pawl.internal.store.Lease;
import dev.pawl.internal.store.LeaseRenewal;
import dev.pawl.internal.store.Renewal;
import dev.pawl.internal.store.Rescue;
import dev.pawl.internal.store.Settled;
import dev.pawl.internal.store.Settlement;
import dev.pawl.internal.store.Verdict;
import dev.pawl.internal.wake.WakeHub;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The tools of one process: its own store and admin over the pool. Records each operation on a job in the history, and with it the states
 * of the job in which the operation's result would be wrong. For one thread.
 */
final class Client {
    static final String KIND = "k";
    private static final List<String> LEASES_END = List.of(
            "UPDATE pawl_lane_range SET lease_expires_at = claimed_at WHERE lease_expires_at IS NOT NULL",
            "UPDATE pawl_job SET lease_expires_at = started_at WHERE state = 1");
    private static final String COUNT_IS_DUE =
            "UPDATE pawl_lane_range SET recount_at = claimed_at WHERE recount_at IS NOT NULL";

    private final String name;
    private final History history;
    private final Retention retention;
    private final boolean mayVanish;
    private final Database database;
    private final SqlJobStore store;
    private final Admin admin;
    private final Pruner pruner;
    private long begun;

    /**
     * @param name of the actor
     * @param gate that its calls pass
     * @param fault changes statements
     * @param mayVanish whether completed jobs may be gone
     */
    Client(
            String name,
            ScheduleDatabase.Site site,
            History history,
            Gate gate,
            UnaryOperator<String> fault,
            Retention retention,
            boolean mayVanish) {
        this.name = name;
        this.history = history;
        this.retention = retention;
        this.mayVanish = mayVanish;
        this.database = new Database(
                GatedDataSource.of(site.pool(), timing(gate), fault),
                site.product().dialect());
        this.store = new SqlJobStore(site.product(), database, retention);
        LinkedRows linked = LinkedRows.installed(database.dialect());
        this.pruner = new Pruner(database, site.product().history(), linked);
        this.admin = SqlAdmin.of(
                new AdminCalls(database, new WakeHub(WakeHub.localMessenger())),
                new SqlAdmin.JobParts(
                        retention, store.completionHook(), store.workflows(), linked, new PayloadLimit(1 << 20)),
                store,
                pruner,
                site.product().tables());
    }

    /** Measures when an operation begins. This is the time at which the gate lets its first statement pass, after any delay. */
    private Gate timing(Gate gate) {
        return new Gate() {
            @Override
            public void before(Connection connection, String call) {
                gate.before(connection, call);
                if (begun < 0) {
                    begun = history.tick();
                }
            }

            @Override
            public void after(String outcome, boolean isContention) {
                gate.after(outcome, isContention);
            }
        };
    }

    private interface Doing<T> {
        T run() throws SQLException;
    }

    private <T> T timed(Doing<T> doing) throws SQLException {
        long asked = history.tick();
        begun = -1;
        T result = doing.run();
        if (begun < 0) { // the operation needed no statement
            begun = asked;
        }
        return result;
    }

    private void note(long job, String what, Function<JobStatus, List<JobStatus>> effect) {
        history.add(job, operation(what, effect));
    }

    private Operation operation(String what, Function<JobStatus, List<JobStatus>> effect) {
        return new Operation(begun, history.tick(), name + " " + what, effect);
    }

    private static Function<JobStatus, List<JobStatus>> nothingIf(java.util.function.Predicate<JobStatus> so) {
        return status -> status.provided(so.test(status));
    }

    SqlJobStore store() {
        return store;
    }

    Admin admin() {
        return admin;
    }

    /** Enqueues jobs in one transaction, which commits or rolls back. */
    void enqueue(List<EnqueueOptions> jobs, boolean commits) throws SQLException {
        List<JobRequest> requests = jobs.stream()
                .map(each -> new JobRequest(KIND, "\"hello\"", each))
                .toList();
        List<EnqueueResult> results = timed(() -> {
            try {
                return database.transaction(connection -> {
                    List<EnqueueResult> inserted = store.enqueue(connection, requests);
                    if (!commits) {
                        throw new ChangedItsMind();
                    }
                    return inserted;
                });
            } catch (ChangedItsMind e) {
                return List.of();
            }
        });
        for (EnqueueResult each : results) {
            note(
                    each.jobId(),
                    "enqueued it",
                    status -> status.state() == null ? List.of(status.enqueued()) : List.of());
        }
    }

    private static final class ChangedItsMind extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    List<Grant> claim(ClaimStrategy by, long worker, int limit, Duration lease) throws SQLException {
        ClaimRequest request = new ClaimRequest("default", List.of(KIND), limit, worker, lease, false);
        List<Grant> grants = timed(() -> by.claim(request));
        for (Grant grant : grants) {
            long token = grant.lease().token();
            history.granted(grant.lease());
            note(
                    grant.job().id(),
                    "claimed it under %d for %s".formatted(token, lease),
                    status -> status.state() == JobState.AVAILABLE && token > status.token()
                            ? List.of(status.claimed(token, lease.isZero()))
                            : List.of());
        }
        return grants;
    }

    Settled settle(ClaimStrategy by, List<Settlement> runs) throws SQLException {
        Settled settled = timed(() -> by.settle(runs));
        for (Settlement run : runs) {
            noteSettled(run, settled);
        }
        return settled;
    }

    private void noteSettled(Settlement run, Settled settled) {
        Lease lease = run.lease();
        String what = run.verdict().getClass().getSimpleName() + " under " + lease.token();
        if (settled.accepted().contains(lease)) {
            note(lease.jobId(), what + ": accepted", effect(lease.token(), run.verdict()));
        } else if (settled.locked().contains(lease)) {
            note(lease.jobId(), what + ": busy", nothingIf(status -> status.runsUnder(lease.token())));
        } else {
            note(lease.jobId(), what + ": refused", nothingIf(status -> !status.runsUnder(lease.token())));
        }
    }

    private static Function<JobStatus, List<JobStatus>> effect(long token, Verdict verdict) {
        return status -> status.runsUnder(token) ? List.of(after(verdict, status)) : List.of();
    }

    private static JobStatus after(Verdict verdict, JobStatus status) {
        return switch (verdict.kind()) {
            case COMPLETED -> status.ended(JobState.COMPLETED);
            case RETRY -> status.putBack(0);
            case SNOOZE, RELEASE, PAUSE -> status.putBack(1);
            case CANCELLED -> status.ended(JobState.CANCELLED);
            case DISCARDED -> status.ended(JobState.DISCARDED);
        };
    }

    /**
     * Releases a job. A job that is locked or has a requested cancel is not released, and the caller is not told which of the two applies.
     */
    void release(ClaimStrategy by, Lease lease) throws SQLException {
        boolean released = timed(() -> !by.release(List.of(lease)).isEmpty());
        note(
                lease.jobId(),
                "release of %d: %s".formatted(lease.token(), released),
                status -> !released
                        ? List.of(status)
                        : status.runsUnder(lease.token()) && !status.isCancelRequested()
                                ? List.of(status.putBack(1))
                                : List.of());
    }

    void renew(ClaimStrategy by, Lease lease, @Nullable Integer progress, Duration length) throws SQLException {
        Renewal renewal = timed(() -> by.renew(List.of(new LeaseRenewal(lease, progress)), length));
        long token = lease.token();
        if (renewal.renewed().contains(lease)) {
            boolean asked = renewal.cancelRequested().contains(lease);
            note(
                    lease.jobId(),
                    "renewed %d for %s%s".formatted(token, length, asked ? ", and was told to stop" : ""),
                    status -> status.runsUnder(token) && status.isCancelRequested() == asked
                            ? List.of(status.lease(status.mayExpire() && length.isZero()))
                            : List.of());
        } else if (renewal.gone().contains(lease) || renewal.taken().contains(lease)) {
            note(lease.jobId(), "renewal of " + token + ": lost", nothingIf(status -> !status.runsUnder(token)));
        }
    }

    /** Completes a job as {@code run.transaction} does: detaches, locks, and completes in the caller's transaction. */
    void completeInTransaction(ClaimStrategy by, Lease lease) throws SQLException {
        long token = lease.token();
        boolean detached = timed(() -> by.detach(lease));
        if (!detached) {
            note(lease.jobId(), "detach of " + token + ": lost", nothingIf(status -> !status.runsUnder(token)));
            return;
        }
        boolean completed = timed(() -> store.inTransaction(connection -> store.lock(connection, lease)
                && store.complete(connection, new Settlement(lease, new Verdict.Completed()))));
        note(
                lease.jobId(),
                "completion of %d in a transaction: %s".formatted(token, completed ? "accepted" : "refused"),
                completed ? effect(token, new Verdict.Completed()) : nothingIf(status -> !status.runsUnder(token)));
    }

    void cancel(long job) throws SQLException {
        CancelResult result = timed(() -> admin.jobs().cancel(job));
        note(job, "cancel: " + result, status -> switch (result) {
            case CANCELLED ->
                status.state() == JobState.AVAILABLE ? List.of(status.ended(JobState.CANCELLED)) : List.of();
            case REQUESTED -> status.state() == JobState.RUNNING ? List.of(status.stopRequested()) : List.of();
            case IN_TRANSACTION -> status.provided(status.state() == JobState.RUNNING);
            case ALREADY_FINISHED -> status.provided(status.isFinished());
            case NOT_FOUND -> status.provided(mayBeAbsent(status));
        });
    }

    private boolean mayBeAbsent(JobStatus status) {
        return status.state() == null || (mayVanish && status.state() == JobState.COMPLETED);
    }

    void retry(long job) throws SQLException {
        RetryResult result = timed(() -> admin.jobs().retry(job));
        note(job, "retry: " + result, status -> switch (result) {
            case AVAILABLE_NOW ->
                status.isFinished()
                        ? List.of(status.ended(JobState.AVAILABLE))
                        : status.provided(status.state() == JobState.AVAILABLE);
            case RUNNING -> status.provided(status.state() == JobState.RUNNING);
            case KEY_TAKEN -> List.of();
            case NOT_FOUND -> status.provided(mayBeAbsent(status));
        });
    }

    /** Expires leases as time would. A job that moves at the same time may keep its lease. */
    void endLeases() throws SQLException {
        for (String sql : LEASES_END) {
            timed(() -> database.statement(connection -> execute(connection, sql)));
            history.addToAll(operation("ended all leases", status -> List.of(status, status.lease(true))));
        }
    }

    private int execute(Connection connection, String sql) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement(database.dialect().sql(sql))) {
            return statement.executeUpdate();
        }
    }

    /** Rescues abandoned jobs, as a worker does. */
    int rescue() throws SQLException {
        List<AbandonedJob> abandoned = timed(() -> store.abandoned(100, 0));
        if (abandoned.isEmpty()) {
            return 0;
        }
        List<Rescue> runs = abandoned.stream()
                .map(job -> new Rescue(
                        job.lease(),
                        job.expiredAt(),
                        job.mayHaveBegun() ? new Verdict.Retry(Duration.ZERO, "abandoned") : new Verdict.Release()))
                .toList();
        Set<Lease> rescued = timed(() -> store.rescue(runs));
        for (Rescue run : runs) {
            Lease lease = run.lease();
            if (rescued.contains(lease)) {
                Function<JobStatus, List<JobStatus>> effect = effect(lease.token(), run.verdict());
                note(
                        lease.jobId(),
                        "rescued it from " + lease.token(),
                        status -> status.mayExpire() ? effect.apply(status) : List.of());
                history.rescued(lease);
            }
        }
        return rescued.size();
    }

    /** Counts ranges to find late jobs, as if it were time for that. */
    void recount() throws SQLException {
        timed(() -> database.statement(connection -> execute(connection, COUNT_IS_DUE)));
        store.sweep();
    }

    void prune() throws SQLException {
        pruner.prune(retention.completed(Duration.ZERO));
    }

    /** Reads a job while no other actor runs. */
    Optional<Job> find(long id) throws SQLException {
        Optional<Job> found = timed(() -> admin.jobs().find(id));
        note(
                id,
                "found it "
                        + found.map(job -> "%s, attempt %d, token %d"
                                        .formatted(job.state(), job.attempt(), job.leaseToken()))
                                .orElse("nowhere"),
                nothingIf(status -> found.map(job -> isLike(job, status)).orElseGet(() -> mayBeAbsent(status))));
        return found;
    }

    private static boolean isLike(Job job, JobStatus status) {
        return job.state() == status.state()
                && job.attempt() == status.attempt()
                && (job.state() == JobState.RUNNING
                        ? job.leaseToken() == status.token()
                        : job.leaseToken() >= status.token());
    }

    /** Reads each job of the history while no other actor runs. */
    List<Job> findAll() throws SQLException {
        List<Job> found = new ArrayList<>();
        for (long id : history.jobs()) {
            find(id).ifPresent(found::add);
        }
        return found;
    }
}

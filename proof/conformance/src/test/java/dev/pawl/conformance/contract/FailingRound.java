package dev.pawl.conformance.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.JobQueue;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.JobRequest;
import dev.pawl.api.Retention;
import dev.pawl.api.Strategy;
import dev.pawl.internal.assembly.SqlJobStore;
import dev.pawl.internal.cluster.WorkerRegistry;
import dev.pawl.internal.database.DatabaseProduct;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.store.AbandonedJob;
import dev.pawl.internal.store.ClaimRequest;
import dev.pawl.internal.store.ClaimStrategy;
import dev.pawl.internal.store.Grant;
import dev.pawl.internal.store.Lease;
import dev.pawl.internal.store.Rescue;
import dev.pawl.internal.store.Settled;
import dev.pawl.internal.store.Settlement;
import dev.pawl.internal.store.StartedLeases;
import dev.pawl.internal.store.Verdict;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * A round of {@link FailingCallsTest}, with its own jobs. The database calls of a first worker may fail. Then a second worker rescues and
 * runs the remaining jobs. The first worker claims ahead, so an attempt is charged only for a reported start.
 */
final class FailingRound {
    private static final Duration WAIT = Duration.ofSeconds(30);
    private static final String FIRST = "the first worker";

    private final Fixture fixture;
    private final Ledger ledger;
    private final FailingCalls calls;
    private final JobQueue queue;
    private final long other;
    private final Database database;
    private final SqlJobStore store;
    private final ClaimStrategy strategy;
    private final Set<Lease> granted = new TreeSet<>();
    private final Set<Lease> announced = new LinkedHashSet<>();

    /**
     * @param queue over calls that may fail
     * @param product the database product of the fixture
     * @param other another worker
     */
    FailingRound(
            Fixture fixture, JobQueue queue, DatabaseProduct product, Ledger ledger, FailingCalls calls, long other) {
        this.fixture = fixture;
        this.queue = queue;
        this.ledger = ledger;
        this.calls = calls;
        this.other = other;
        database = new Database(calls.dataSource(), product.dialect());
        store = new SqlJobStore(product, database, Retention.DEFAULTS);
        strategy = store.strategy(fixture.strategy);
    }

    Fixture fixture() {
        return fixture;
    }

    Ledger ledger() {
        return ledger;
    }

    /** {@return the store over calls that may fail} */
    SqlJobStore store() {
        return store;
    }

    /** {@return the first worker's strategy; its calls may fail} */
    ClaimStrategy strategy() {
        return strategy;
    }

    /** {@return whether a call has failed} */
    boolean hasFailed() {
        return calls.lost() != null;
    }

    /** {@return whether a call of this name was executed and its reply was lost} */
    boolean lostTheReplyTo(String call) {
        return calls.when() == FailingCalls.When.AFTER && call.equals(calls.lost());
    }

    /** {@return the queue over calls that may fail} */
    JobQueue queue() {
        return queue;
    }

    /** From here on no call fails. */
    void nothingElseFails() {
        calls.disarm();
    }

    long enqueue(EnqueueOptions options) {
        return enqueue("greet", options);
    }

    long enqueue(String kind, EnqueueOptions options) {
        long id = fixture.queue
                .enqueue(new JobRequest(kind, "\"hello\"", options))
                .jobId();
        ledger.enqueued(id);
        return id;
    }

    /** Jobs in the lane, if there is one. */
    List<Long> enqueue(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> enqueue(EnqueueOptions.DEFAULTS))
                .toList();
    }

    /** A job in a row. */
    long enqueueRow() {
        long id = fixture.enqueueRow();
        ledger.enqueued(id);
        return id;
    }

    List<Grant> claim(int limit) throws SQLException {
        return claimBy(strategy, limit);
    }

    List<Grant> claimBy(ClaimStrategy by, int limit) throws SQLException {
        List<Grant> claimed =
                by.claim(new ClaimRequest("default", List.of("greet"), limit, fixture.worker, Fixture.LEASE, true));
        ledger.granted(claimed);
        claimed.forEach(one -> granted.add(one.lease()));
        return claimed;
    }

    /** {@return the leases of the first worker} */
    Set<Lease> granted() {
        return granted;
    }

    /** Claims jobs and starts them. */
    List<Lease> start(int jobs) throws SQLException {
        List<Lease> leases = claim(jobs).stream().map(Grant::lease).sorted().toList();
        assertThat(leases).hasSize(jobs);
        announce(fixture.database, leases);
        return leases;
    }

    /** Reports starts as workers do, together with those reported before. */
    void announce(Database by, Collection<Lease> leases) throws SQLException {
        announced.addAll(leases);
        leases.forEach(ledger::started);
        new WorkerRegistry(by).logStarts(fixture.worker, StartedLeases.encode(announced), WAIT);
    }

    void announce(Collection<Lease> leases) throws SQLException {
        announce(database, leases);
    }

    static List<Settlement> all(Collection<Lease> leases, Verdict verdict) {
        return leases.stream().map(lease -> new Settlement(lease, verdict)).toList();
    }

    /** Records outcomes as a worker does, which tries again in two halves after a failure. */
    Set<Lease> settle(List<Settlement> runs) throws SQLException {
        runs.forEach(ledger::ended);
        try {
            return settleOnce(runs);
        } catch (SQLException e) {
            assertFailed(e);
        }
        Set<Lease> accepted = settleOnce(runs.subList(0, runs.size() / 2));
        accepted.addAll(settleOnce(runs.subList(runs.size() / 2, runs.size())));
        return accepted;
    }

    private Set<Lease> settleOnce(List<Settlement> runs) throws SQLException {
        Settled settled = strategy.settle(runs);
        assertThat(settled.locked()).isEmpty();
        for (Settlement run : runs) {
            if (settled.accepted().contains(run.lease())) {
                ledger.accepted(run.lease(), run.verdict(), FIRST);
            }
        }
        return new TreeSet<>(settled.accepted());
    }

    /** An operation under test, which fails if one of its calls of the database fails. */
    interface Call {
        void run() throws Exception;
    }

    /** Retries after a failure, as all callers do. */
    void patiently(Call call) throws Exception {
        try {
            call.run();
        } catch (Exception e) {
            assertFailed(e);
            call.run();
        }
    }

    /** The error must come from the injected failure, and be one that callers retry. */
    void assertFailed(Exception e) {
        SQLException cause = (SQLException) (e instanceof SQLException ? e : e.getCause());
        if (!hasFailed() || cause == null || !store.isTransient(cause)) {
            throw new AssertionError("an error of its own", e);
        }
    }

    /** Rescues expired jobs, as a worker does. */
    void rescue(SqlJobStore by) throws SQLException {
        List<AbandonedJob> abandoned = by.abandoned(100, 0);
        List<Rescue> runs = new ArrayList<>();
        for (AbandonedJob job : abandoned) {
            ledger.found(job);
            Verdict verdict =
                    job.mayHaveBegun() ? new Verdict.Retry(Duration.ZERO, "abandoned") : new Verdict.Release();
            runs.add(new Rescue(job.lease(), job.expiredAt(), verdict));
        }
        if (!runs.isEmpty()) {
            runs.forEach(run -> ledger.ended(new Settlement(run.lease(), run.verdict())));
            Set<Lease> rescued = by.rescue(runs);
            runs.stream()
                    .filter(run -> rescued.contains(run.lease()))
                    .forEach(run -> ledger.accepted(run.lease(), run.verdict(), "the rescue"));
        }
    }

    void letLeasesExpire() throws SQLException {
        String now = fixture.database.dialect().now();
        fixture.execute("UPDATE pawl_job SET lease_expires_at = " + now + " WHERE state = 1");
        fixture.execute("UPDATE pawl_lane_range SET lease_expires_at = " + now + " WHERE lease_expires_at IS NOT NULL");
    }

    /** The first worker is gone, and another one finishes its jobs. Then the first one comes back: its outcomes must be rejected. */
    void finish() throws SQLException {
        ledger.check();
        letLeasesExpire();
        rescue(fixture.store);
        assertThat(fixture.store.abandoned(10, 0)).as("everything is rescued").isEmpty();
        fixture.store.sweep();
        ClaimStrategy others = fixture.store.strategy(fixture.strategy);
        List<Grant> claimed = claimAsOther(others);
        while (!claimed.isEmpty()) {
            List<Lease> leases = claimed.stream().map(Grant::lease).toList();
            new WorkerRegistry(fixture.database).logStarts(other, StartedLeases.encode(leases), WAIT);
            leases.forEach(ledger::started);
            comeBack();
            assertThat(others.settle(all(leases, new Verdict.Completed())).accepted())
                    .as("an undisturbed run")
                    .containsExactlyInAnyOrderElementsOf(leases);
            claimed = claimAsOther(others);
        }
        ledger.close();
    }

    private List<Grant> claimAsOther(ClaimStrategy others) throws SQLException {
        List<Grant> claimed =
                others.claim(new ClaimRequest("default", List.of("greet", "other"), 100, other, Fixture.LEASE, true));
        ledger.granted(claimed);
        return claimed;
    }

    private void comeBack() throws SQLException {
        for (Lease lease :
                strategy.settle(all(granted, new Verdict.Completed())).accepted()) {
            ledger.accepted(lease, new Verdict.Completed(), FIRST);
        }
    }

    /** {@return whether the strategy uses lanes} */
    boolean hasLanes() {
        return fixture.strategy instanceof Strategy.Lanes;
    }
}

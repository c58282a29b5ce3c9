package dev.pawl.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.api.JobState;
import dev.pawl.api.LeaseLostException;
import dev.pawl.api.Strategy;
import dev.pawl.internal.store.Grant;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Leases of zero length are always expired, and due for renewal. */
class LeaseRenewerTest extends PartsFixture {
    private final WorkerParts parts = parts();
    private final LeaseRenewer renewer = new LeaseRenewer(
            parts.heldJobs, new LeaseWatch(parts.heldJobs, parts.buffer, parts.completer), true, store.health());

    private List<HeldJob> due(int jobs) throws SQLException {
        lease = Duration.ZERO;
        return held(parts, jobs);
    }

    @Test
    void whatIsNotDueIsLeftAlone() throws Exception {
        held(parts);
        renewer.renew();
        assertThat(store.calls("renew")).isZero();
    }

    @Test
    void aRenewedLeaseLastsFromThenOn() throws Exception {
        lease = Duration.ofHours(1);
        HeldJob held = claimedAgo(Duration.ofMinutes(59));
        long before = System.nanoTime();
        assertThat(held.hasExpired(before + Duration.ofMinutes(30).toNanos())).isTrue();
        renewer.renew();
        assertThat(held.hasExpired(before + Duration.ofMinutes(59).toNanos())).isFalse();
        assertThat(held.stopped()).isNull();
        renewer.renew();
        assertThat(store.calls("renew")).isEqualTo(1);
    }

    /**
     * The database starts the new lease while it executes the renewal, so the worker must count the lease from the time when it sent the
     * request.
     */
    @Test
    void aRenewedLeaseCountsFromTheMomentWhenTheRenewalWasSent() throws Exception {
        HeldJob held = claimedAgo(Duration.ofMinutes(59));
        long answered = renewing();
        assertThat(held.hasExpired(answered + lease.toNanos())).isTrue();
        assertThat(held.wantsRenewal(answered + lease.toNanos() / 4)).isTrue();
    }

    @Test
    void theExtraTimeForALockedRowCountsFromWhenTheRenewalWasSent() throws Exception {
        HeldJob held = claimedAgo(Duration.ofMinutes(59));
        store.lockRow(1, true);
        assertThat(held.hasExpired(renewing() + lease.toNanos() / 2)).isTrue();
    }

    /** {@return a moment between the sending of a renewal and the end of its call} */
    private long renewing() throws SQLException {
        AtomicLong during = new AtomicLong();
        store.on("renew", () -> {
            during.set(System.nanoTime());
            while (System.nanoTime() == during.get()) { // clocks may be coarse
                Thread.onSpinWait();
            }
        });
        renewer.renew();
        assertThat(store.calls("renew")).isEqualTo(1);
        return during.get();
    }

    private HeldJob claimedAgo(Duration ago) throws SQLException {
        HeldJob fresh = held(parts);
        parts.heldJobs.remove(fresh);
        HeldJob held = new HeldJob(
                new Grant(fresh.job()),
                fresh.strategy(),
                false,
                System.nanoTime() - ago.toNanos(),
                new LeaseTerms(lease));
        parts.heldJobs.add(held);
        return held;
    }

    @Test
    void progressIsWrittenEvenIfNothingIsDue() throws Exception {
        HeldJob held = held(parts);
        held.progress(40);
        renewer.renew();
        assertThat(store.row(1).progress).isEqualTo(40);
        renewer.renew();
        assertThat(store.calls("renew")).isEqualTo(1);
    }

    @Test
    void progressThatCouldNotBeWrittenIsKept() throws Exception {
        HeldJob held = held(parts);
        held.progress(40);
        store.fail("renew", 1, FakeStore.away());
        assertThatThrownBy(renewer::renew).isInstanceOf(SQLException.class);
        renewer.renew();
        assertThat(store.row(1).progress).isEqualTo(40);
        held.progress(50);
        store.lockRow(1, true);
        renewer.renew();
        store.lockRow(1, false);
        assertThat(store.row(1).progress).isEqualTo(40);
        renewer.renew();
        assertThat(store.row(1).progress).isEqualTo(50);
    }

    @Test
    void aTakenLeaseIsLostAndAJobThatHasNotStartedIsDropped() throws Exception {
        List<HeldJob> jobs = due(2);
        parts.buffer.add(List.of(jobs.get(0)));
        jobs.get(1).begin(Thread.currentThread(), 0, null);
        store.steal(1);
        store.steal(2);
        renewer.renew();
        assertThat(jobs).allSatisfy(held -> assertThat(held.stopped()).isEqualTo(HeldJob.Stop.LEASE_LOST));
        assertThat(parts.heldJobs.all()).containsExactly(jobs.get(1));
        assertThat(parts.buffer.level().buffered()).isZero();
        parts.completer.publishLost();
        assertThat(parts.counters.leasesLost.sum()).isEqualTo(1);
    }

    @Test
    void aGoneLeaseIsLostUnlessItsTransactionIsOpen() throws Exception {
        List<HeldJob> jobs = held(parts, 2);
        jobs.forEach(held -> held.progress(1));
        jobs.get(1).clock().transaction(true);
        parts.buffer.add(List.of(jobs.get(0)));
        store.row(1).state = JobState.AVAILABLE;
        store.row(2).state = JobState.AVAILABLE;
        renewer.renew();
        assertThat(jobs.get(0).stopped()).isEqualTo(HeldJob.Stop.LEASE_LOST);
        assertThat(jobs.get(1).stopped()).isNull();
        assertThat(parts.heldJobs.all()).containsExactly(jobs.get(1));
    }

    /** The transaction's connection is dead, and another worker has claimed the job. The two handlers must not both run for long. */
    @Test
    void aTakenLeaseIsLostEvenIfItsTransactionIsOpen() throws Exception {
        HeldJob held = held(parts);
        held.begin(Thread.currentThread(), 0, null);
        assertThatThrownBy(() -> new Transactions(store, new Conflicts(store, new RunLog(store)), 1)
                        .run(held, connection -> {
                            held.progress(1);
                            store.steal(1);
                            renewer.renew();
                            assertThat(Thread.interrupted())
                                    .as("the handler is told")
                                    .isTrue();
                        }))
                .isInstanceOf(LeaseLostException.class);
        assertThat(held.stopped()).isEqualTo(HeldJob.Stop.LEASE_LOST);
        assertThat(held.isCommitted()).isFalse();
        assertThat(held.wantsRenewal(System.nanoTime() + LONG.toNanos())).isFalse();
    }

    @Test
    void aTransactionIsOverWhenTwoLeasesOfRenewalsHaveFailed() throws Exception {
        HeldJob held = claimedAgo(Duration.ofMinutes(59));
        held.clock().transaction(true);
        store.fail("renew", 1, FakeStore.away());
        long before = System.nanoTime();
        assertThatThrownBy(renewer::renew).isInstanceOf(SQLException.class);
        assertThat(held.hasExpired(before + 2 * lease.toNanos() - 1)).isFalse();
        assertThat(held.hasExpired(System.nanoTime() + 2 * lease.toNanos())).isTrue();
        renewer.renew();
        assertThat(held.hasExpired(System.nanoTime() + 2 * lease.toNanos())).isFalse();
    }

    /** The pool has only one connection, which the transaction itself holds. */
    @Test
    void aFailureWithoutAConnectionToSpareSaysNothingAboutTheTransaction() throws Exception {
        HeldJob held = claimedAgo(Duration.ofMinutes(59));
        held.clock().transaction(true);
        store.fail("renew", FakeStore.away());
        LeaseWatch watch = new LeaseWatch(parts.heldJobs, parts.buffer, parts.completer);
        assertThatThrownBy(new LeaseRenewer(parts.heldJobs, watch, false, store.health())::renew)
                .isInstanceOf(SQLException.class);
        assertThat(held.hasExpired(System.nanoTime() + 2 * lease.toNanos())).isFalse();
    }

    @Test
    void aLockedRowIsNeitherRenewedNorLost() throws Exception {
        HeldJob held = claimedAgo(Duration.ofMinutes(59));
        store.lockRow(1, true);
        long before = System.nanoTime();
        renewer.renew();
        assertThat(held.hasExpired(before + Duration.ofMinutes(29).toNanos())).isFalse();
        assertThat(held.hasExpired(before + Duration.ofMinutes(31).toNanos())).isTrue();
        renewer.renew();
        assertThat(store.calls("renew")).as("due again at once").isEqualTo(2);
    }

    @Test
    void aCancelledJobIsStopped() throws Exception {
        List<HeldJob> jobs = held(parts, 2);
        jobs.forEach(held -> held.progress(1));
        store.requestCancel(1);
        renewer.renew();
        assertThat(jobs.get(0).stopped()).isEqualTo(HeldJob.Stop.CANCELLED);
        assertThat(jobs.get(1).stopped()).isNull();
    }

    @Test
    void manyAreRenewedAThousandAtATimeAndOneFailureCostsNoOther() throws Exception {
        List<HeldJob> jobs = held(parts, 2500);
        jobs.forEach(held -> held.progress(1));
        store.fail("renew", 1, FakeStore.away());
        assertThatThrownBy(renewer::renew).isInstanceOf(SQLException.class);
        assertThat(store.calls("renew")).isEqualTo(3);
        List<Integer> written = new ArrayList<>();
        for (long id = 1; id <= 2500; id++) {
            if (store.row(id).progress != null) {
                written.add((int) id);
            }
        }
        assertThat(written.size()).isBetween(1500, 2000);
    }

    @Test
    void aBugInADriverIsToldToo() throws Exception {
        held(parts).progress(1);
        store.fail("renew", 1, new IllegalStateException("of a driver"));
        assertThatThrownBy(renewer::renew).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void eachLeaseIsRenewedByItsOwnLength() throws Exception {
        held(parts).progress(1);
        lease = Duration.ofHours(5);
        held(parts).progress(1);
        long before = System.nanoTime();
        store.expireAll();
        renewer.renew();
        assertThat(Duration.ofNanos(store.row(1).expiresNanos - before)).isBetween(LONG, LONG.plusMinutes(30));
        assertThat(Duration.ofNanos(store.row(2).expiresNanos - before)).isBetween(lease, lease.plusMinutes(30));
    }

    @Test
    void eachStrategyRenewsTheJobsThatItHasClaimed() throws Exception {
        held(parts).progress(1);
        strategy = Strategy.SKIP_LOCKED;
        held(parts).progress(1);
        renewer.renew();
        assertThat(store.calls("renew")).isEqualTo(2);
    }
}

package dev.pawl.conformance.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.admin.Admin;
import dev.pawl.admin.CancelResult;
import dev.pawl.admin.JobAssignment;
import dev.pawl.admin.RetryResult;
import dev.pawl.api.Job;
import dev.pawl.api.JobState;
import dev.pawl.internal.store.Lease;
import dev.pawl.internal.store.LeaseRenewal;
import dev.pawl.internal.store.Renewal;
import dev.pawl.internal.store.Rescue;
import dev.pawl.internal.store.Settlement;
import dev.pawl.internal.store.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A stale token changes nothing, in any operation. */
@WhiteBox
interface FenceContract extends Contract {
    static Stream<Verdict> verdicts() {
        return Stream.of(
                new Verdict.Completed(),
                new Verdict.Retry(Duration.ZERO, "late"),
                new Verdict.Snooze(Duration.ofHours(1)),
                new Verdict.Release(),
                new Verdict.Cancelled("late"),
                new Verdict.Discarded("late", "late"));
    }

    @ParameterizedTest
    @MethodSource("verdicts")
    default void aStaleFinishChangesNothing(Verdict verdict, Fixture fixture) throws Exception {
        Lease stale = fixture.staleLease();
        Job before = fixture.job(stale.jobId());
        assertThat(fixture.finish(stale, verdict)).isFalse();
        assertThat(fixture.store.rescue(List.of(new Rescue(stale, expiresAt(before), verdict))))
                .isEmpty();
        assertThat(fixture.job(stale.jobId())).isEqualTo(before);
        assertThat(fixture.count("pawl_job_history")).isZero();
        assertThat(fixture.count("pawl_attempt")).isEqualTo(1);
    }

    private static Instant expiresAt(Job job) {
        return Objects.requireNonNull(job.leaseExpiresAt());
    }

    @ParameterizedTest
    @MethodSource("verdicts")
    default void aFinishIsAcceptedOnce(Verdict verdict, Fixture fixture) throws Exception {
        fixture.enqueue();
        Lease lease = fixture.claimOne().lease();
        assertThat(fixture.finish(lease, verdict)).isTrue();
        assertThat(fixture.finish(lease, verdict)).isFalse();
        assertThat(fixture.finish(lease, new Verdict.Completed())).isFalse();
    }

    @Test
    default void aBatchAcceptsValidLeasesAndRefusesStaleOnes(Fixture fixture) throws Exception {
        Lease stale = fixture.staleLease();
        fixture.enqueue();
        Lease valid = fixture.claimOne().lease();
        for (Verdict verdict : List.of(new Verdict.Retry(Duration.ZERO, "again"), new Verdict.Completed())) {
            assertThat(fixture.finish(List.of(
                            new Settlement(stale, verdict),
                            new Settlement(valid, verdict),
                            new Settlement(new Lease(999_999, 1), verdict))))
                    .containsExactly(valid);
            if (verdict instanceof Verdict.Retry) {
                valid = fixture.claimOne().lease();
            }
        }
    }

    @Test
    default void aStaleRenewalReportsTheLeaseAsLost(Fixture fixture) throws Exception {
        Lease stale = fixture.staleLease();
        Job before = fixture.job(stale.jobId());
        Renewal renewal = fixture.rows().renew(List.of(new LeaseRenewal(stale, 50)), Duration.ofHours(1));
        assertThat(renewal.renewed()).isEmpty();
        assertThat(renewal.taken()).containsExactly(stale);
        assertThat(fixture.job(stale.jobId())).isEqualTo(before);
    }

    @Test
    default void aStaleAssignChangesNothing(Fixture fixture) throws Exception {
        fixture.enqueueRow();
        Lease lease = fixture.claimOne().lease();
        assertThat(fixture.store.assign(lease, "first")).isTrue();
        assertThat(fixture.store.assign(lease, "second")).isTrue();
        assertThat(fixture.finish(lease, new Verdict.Retry(Duration.ZERO, "again")))
                .isTrue();
        Lease next = fixture.claimOne().lease();
        assertThat(fixture.store.assign(lease, "third"))
                .as("although it was assigned before")
                .isFalse();
        assertThat(fixture.admin.runs().assignments(lease.jobId(), Admin.UNLIMITED))
                .extracting(JobAssignment::worker)
                .containsExactly("second");
        assertThat(fixture.store.assign(next, "third")).isTrue();
    }

    @Test
    default void aStaleReleaseChangesNothing(Fixture fixture) throws Exception {
        Lease stale = fixture.staleLease();
        Job before = fixture.job(stale.jobId());
        assertThat(fixture.rows().release(List.of(stale))).isEmpty();
        assertThat(fixture.job(stale.jobId())).isEqualTo(before);
    }

    @Test
    default void aStaleLeaseNeitherLocksNorCompletesInATransaction(Fixture fixture) throws Exception {
        Lease stale = fixture.staleLease();
        Job before = fixture.job(stale.jobId());
        fixture.database.transaction(connection -> {
            assertThat(fixture.store.lock(connection, stale)).isFalse();
            assertThat(fixture.store.complete(connection, new Settlement(stale, new Verdict.Completed())))
                    .isFalse();
            return true;
        });
        assertThat(fixture.job(stale.jobId())).isEqualTo(before);
    }

    @Test
    default void aStaleMarkChangesNothing(Fixture fixture) throws Exception {
        Lease stale = fixture.staleLease();
        Job before = fixture.job(stale.jobId());
        assertThat(fixture.mark(stale)).isEmpty();
        assertThat(fixture.job(stale.jobId())).isEqualTo(before);
    }

    @Test
    default void aMarkedJobIsFinalAndSweptIntoTheHistory(Fixture fixture) throws Exception {
        long id = fixture.enqueueRow();
        Lease lease = fixture.claimOne().lease();
        assertThat(fixture.mark(lease)).containsExactly(lease);
        assertThat(fixture.mark(lease)).isEmpty();
        assertThat(fixture.finish(lease, new Verdict.Retry(Duration.ZERO, "late")))
                .isFalse();
        assertThat(fixture.claim(5)).isEmpty();
        assertThat(fixture.admin.jobs().cancel(id)).isEqualTo(CancelResult.ALREADY_FINISHED);
        assertThat(fixture.store.abandoned(10, 0)).isEmpty();
        assertThat(fixture.job(id).state()).isEqualTo(JobState.COMPLETED);
        assertThat(fixture.count("pawl_job")).isEqualTo(1);
        fixture.store.sweep();
        assertThat(fixture.count("pawl_job")).isZero();
        assertThat(fixture.job(id).state()).isEqualTo(JobState.COMPLETED);
        assertThat(fixture.job(id).leaseToken()).isEqualTo(lease.token());
    }

    @Test
    default void aMarkedJobCanBeRetriedByHandBeforeItIsSwept(Fixture fixture) throws Exception {
        long id = fixture.enqueueRow();
        Lease marked = fixture.claimOne().lease();
        fixture.mark(marked);
        assertThat(fixture.admin.jobs().retry(id)).isEqualTo(RetryResult.AVAILABLE_NOW);
        assertThat(fixture.claimOne().lease().token()).isGreaterThan(marked.token());
    }

    @Test
    default void theTokenKeepsGrowingAfterARetryByHand(Fixture fixture) throws Exception {
        fixture.enqueue();
        Lease first = fixture.claimOne().lease();
        fixture.finish(first, new Verdict.Discarded("given up", "boom"));
        fixture.admin.jobs().retry(first.jobId());
        Lease second = fixture.claimOne().lease();
        assertThat(second.token()).isGreaterThan(first.token());
        assertThat(fixture.finish(first, new Verdict.Completed())).isFalse();
        assertThat(fixture.job(first.jobId()).state()).isEqualTo(JobState.RUNNING);
    }

    @Test
    default void theSchemaRefusesImpossibleStates(Fixture fixture) throws Exception {
        fixture.enqueueRow();
        for (String impossible : List.of(
                "UPDATE pawl_job SET state = 1",
                "UPDATE pawl_job SET leased_by = 1",
                "UPDATE pawl_job SET state = 2",
                "UPDATE pawl_job SET state = 3",
                "UPDATE pawl_job SET attempt = max_attempts",
                "UPDATE pawl_job SET attempt = -1")) {
            org.assertj.core.api.Assertions.assertThatThrownBy(() -> fixture.execute(impossible))
                    .as(impossible)
                    .isInstanceOf(java.sql.SQLException.class);
        }
    }
}

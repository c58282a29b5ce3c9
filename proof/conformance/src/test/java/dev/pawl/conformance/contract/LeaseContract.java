package dev.pawl.conformance.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.admin.Admin;
import dev.pawl.admin.FailedAttempt;
import dev.pawl.admin.JobLogLine;
import dev.pawl.api.Job;
import dev.pawl.api.JobState;
import dev.pawl.api.Retention;
import dev.pawl.api.Strategy;
import dev.pawl.conformance.RunsOn;
import dev.pawl.conformance.TestedStrategies;
import dev.pawl.internal.cluster.WorkerRegistry;
import dev.pawl.internal.store.AbandonedJob;
import dev.pawl.internal.store.ClaimRequest;
import dev.pawl.internal.store.ClaimStrategy;
import dev.pawl.internal.store.Grant;
import dev.pawl.internal.store.Lease;
import dev.pawl.internal.store.LeaseRenewal;
import dev.pawl.internal.store.LogLine;
import dev.pawl.internal.store.Renewal;
import dev.pawl.internal.store.Rescue;
import dev.pawl.internal.store.RunMode;
import dev.pawl.internal.store.Settlement;
import dev.pawl.internal.store.StartedLeases;
import dev.pawl.internal.store.Verdict;
import dev.pawl.servers.Capability;
import dev.pawl.servers.Product;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

@WhiteBox
interface LeaseContract extends Contract {
    Duration SHORT = Duration.ofMillis(5);

    @Test
    default void aCompletedJobMovesToTheHistory(Fixture fixture) throws Exception {
        long id = fixture.enqueue();
        Lease lease = fixture.claimOne().lease();
        assertThat(fixture.finish(lease, new Verdict.Completed())).isTrue();
        fixture.sweepMarked();
        Job job = fixture.job(id);
        assertThat(job.state()).isEqualTo(JobState.COMPLETED);
        assertThat(job.finishedAt()).isAfterOrEqualTo(job.startedAt());
        assertThat(job.leasedBy()).isEqualTo(fixture.worker);
        assertThat(job.leaseToken()).isEqualTo(lease.token());
        assertThat(fixture.count("pawl_job")).isZero();
    }

    @Test
    default void withoutRetentionOnlyDiscardedJobsAreKept(Fixture fixture) throws Exception {
        Retention none = Retention.DEFAULTS.completed(Duration.ZERO).cancelled(Duration.ZERO);
        try (Fixture own = fixture.another(4, none)) {
            for (Verdict verdict : List.of(
                    new Verdict.Completed(), new Verdict.Cancelled("no"), new Verdict.Discarded("no", "boom"))) {
                own.enqueue();
                assertThat(own.finish(own.claimOne().lease(), verdict)).isTrue();
            }
            own.sweepMarked();
            assertThat(own.count("pawl_job")).isZero();
            assertThat(own.count("pawl_job_history")).isEqualTo(1);
            assertThat(own.longOf("SELECT state FROM pawl_job_history")).isEqualTo(JobState.DISCARDED.code());
        }
    }

    @Test
    default void aFailedAttemptIsRecordedAndTheJobWaits(Fixture fixture) throws Exception {
        long id = fixture.enqueue();
        fixture.finish(fixture.claimOne().lease(), new Verdict.Retry(Duration.ofHours(1), "boom\nat line 1"));
        Job job = fixture.job(id);
        assertThat(job.state()).isEqualTo(JobState.AVAILABLE);
        assertThat(job.attempt()).isEqualTo(1);
        assertThat(job.leasedBy()).isNull();
        assertThat(fixture.claim(1)).isEmpty();
        assertThat(fixture.admin.runs().failedAttempts(id, Admin.UNLIMITED))
                .singleElement()
                .satisfies(attempt -> {
                    assertThat(attempt.attempt()).isEqualTo(1);
                    assertThat(attempt.error()).isEqualTo("boom\nat line 1");
                    assertThat(attempt.leasedBy()).isEqualTo(fixture.worker);
                    assertThat(attempt.failedAt()).isAfterOrEqualTo(attempt.startedAt());
                });
    }

    @Test
    default void aDiscardedJobKeepsEveryError(Fixture fixture) throws Exception {
        long id = fixture.enqueue();
        fixture.finish(fixture.claimOne().lease(), new Verdict.Retry(Duration.ZERO, "one"));
        fixture.finish(fixture.claimOne().lease(), new Verdict.Discarded("given up", "two"));
        assertThat(fixture.job(id).state()).isEqualTo(JobState.DISCARDED);
        assertThat(fixture.job(id).reason()).isEqualTo("given up");
        assertThat(fixture.admin.runs().failedAttempts(id, Admin.UNLIMITED))
                .extracting(FailedAttempt::error)
                .containsExactly("one", "two");
    }

    @Test
    default void aSnoozeDoesNotCountAsAnAttempt(Fixture fixture) throws Exception {
        long id = fixture.enqueue();
        fixture.finish(fixture.claimOne().lease(), new Verdict.Snooze(Duration.ofHours(1)));
        assertThat(fixture.job(id).attempt()).isZero();
        assertThat(fixture.admin.runs().failedAttempts(id, Admin.UNLIMITED)).isEmpty();
        assertThat(fixture.claim(1)).isEmpty();
    }

    @Test
    default void aReleasedJobIsAvailableAndTheAttemptIsNotCounted(Fixture fixture) throws Exception {
        long id = fixture.enqueue();
        assertThat(fixture.rows().release(List.of(fixture.claimOne().lease()))).hasSize(1);
        assertThat(fixture.job(id).attempt()).isZero();
        assertThat(fixture.claimOne().job().attempt()).isEqualTo(1);
    }

    @Test
    default void aRenewalExtendsTheLeaseAndWritesProgress(Fixture fixture) throws Exception {
        long id = fixture.enqueue();
        Lease lease = fixture.claimOne().lease();
        Renewal renewal = fixture.rows().renew(List.of(new LeaseRenewal(lease, 42)), Duration.ofHours(1));
        assertThat(renewal).isEqualTo(new Renewal(Set.of(lease), Set.of(), Set.of(), Set.of()));
        Job job = fixture.job(id);
        assertThat(Duration.between(job.startedAt(), job.leaseExpiresAt())).isGreaterThan(Duration.ofMinutes(59));
        assertThat(job.progress()).isEqualTo(42);
    }

    /** A remote run may have been promised a longer lease. */
    @Test
    default void aRenewalNeverMakesALeaseShorter(Fixture fixture) throws Exception {
        long id = fixture.enqueue();
        Lease lease = fixture.claimOne(Duration.ofHours(1)).lease();
        Job before = fixture.job(id);
        fixture.rows().renew(List.of(new LeaseRenewal(lease, null)), Duration.ofSeconds(1));
        assertThat(fixture.job(id)).isEqualTo(before);
    }

    /** A claim does not check for a requested cancel, so the job must not become available again. */
    @Test
    default void aJobThatIsToBeCancelledIsNotReleased(Fixture fixture) throws Exception {
        long id = fixture.enqueue();
        Lease lease = fixture.claimOne().lease();
        fixture.admin.jobs().cancel(id);
        assertThat(fixture.rows().release(List.of(lease))).isEmpty();
        assertThat(fixture.job(id).state()).isEqualTo(JobState.RUNNING);
        assertThat(fixture.finish(lease, new Verdict.Release()))
                .as("as a rescue does")
                .isTrue();
        assertThat(fixture.job(id).state()).isEqualTo(JobState.CANCELLED);
    }

    @Test
    default void anExpiredLeaseIsFoundAndRescuedOnce(Fixture fixture) throws Exception {
        long id = fixture.enqueue();
        Lease lease = fixture.claimOne(SHORT).lease();
        fixture.letLeasesExpire(SHORT);
        List<AbandonedJob> abandoned = fixture.store.abandoned(10, 0);
        Instant expiredAt = abandoned.get(0).expiredAt();
        assertThat(abandoned)
                .containsExactly(
                        new AbandonedJob(lease, expiredAt, "greet", null, 1, 20, fixture.worker, "test", true));
        List<Rescue> rescue = List.of(new Rescue(lease, expiredAt, new Verdict.Retry(Duration.ZERO, "gone")));
        assertThat(fixture.store.rescue(rescue)).containsExactly(lease);
        assertThat(fixture.store.rescue(rescue)).isEmpty();
        assertThat(fixture.job(id).state()).isEqualTo(JobState.AVAILABLE);
        assertThat(fixture.finish(lease, new Verdict.Completed())).isFalse();
    }

    /**
     * A job that was claimed ahead has started only if its worker has reported the start. If the worker's row is gone, every job may have
     * started.
     */
    @Test
    default void jobsClaimedAheadHaveStartedIfReported(Fixture fixture) throws Exception {
        fixture.assumeOneServer("a node leaves jobs behind a gap of ids for a moment");
        for (int i = 0; i < 3; i++) {
            fixture.enqueue();
        }
        List<Lease> ahead =
                fixture
                        .rows()
                        .claim(new ClaimRequest("default", List.of("greet"), 2, fixture.worker, SHORT, true))
                        .stream()
                        .map(Grant::lease)
                        .toList();
        Lease atOnce = fixture.claimOne(SHORT).lease();
        assertThat(ahead).hasSize(2);
        new WorkerRegistry(fixture.database)
                .logStarts(fixture.worker, StartedLeases.encode(ahead.subList(1, 2)), Duration.ofSeconds(10));
        fixture.letLeasesExpire(SHORT);
        List<AbandonedJob> abandoned = fixture.store.abandoned(10, 0);
        assertThat(abandoned)
                .hasSize(3)
                .allSatisfy(job -> assertThat(job.workerName()).isEqualTo("test"))
                .filteredOn(AbandonedJob::mayHaveBegun)
                .extracting(AbandonedJob::lease)
                .containsExactlyInAnyOrder(ahead.get(1), atOnce);
        assertThat(fixture.store.abandoned(2, 0)).isEqualTo(abandoned.subList(0, 2));
        assertThat(fixture.store.abandoned(10, 2)).isEqualTo(abandoned.subList(2, 3));
        fixture.execute("DELETE FROM pawl_worker WHERE id = " + fixture.worker);
        assertThat(fixture.store.abandoned(10, 0)).hasSize(3).allSatisfy(job -> {
            assertThat(job.mayHaveBegun()).isTrue();
            assertThat(job.workerName()).isNull();
        });
    }

    /**
     * The lock on the job's row protects a run in a transaction. If the transaction is cut off and loses this lock, a short lease makes the
     * job available soon.
     */
    @Test
    default void onlyARunInItsTransactionHasAShorterLeaseThanConfigured(Fixture fixture) {
        Duration second = Duration.ofSeconds(1);
        for (Strategy strategy : TestedStrategies.all()) {
            ClaimStrategy rows = fixture.store.strategy(strategy);
            boolean transactional = strategy instanceof Strategy.Transactional;
            assertThat(rows.mode()).isEqualTo(transactional ? RunMode.IN_TRANSACTION : RunMode.BUFFERED);
            assertThat(rows.lease(Fixture.LEASE)).isEqualTo(transactional ? second.multipliedBy(3) : Fixture.LEASE);
            assertThat(rows.lease(second)).isEqualTo(second);
        }
    }

    @Test
    default void aLiveLeaseIsNotRescued(Fixture fixture) throws Exception {
        long id = fixture.enqueue();
        Lease lease = fixture.claimOne().lease();
        assertThat(fixture.store.abandoned(10, 0)).isEmpty();
        Instant expiresAt = Objects.requireNonNull(fixture.job(id).leaseExpiresAt());
        assertThat(fixture.store.rescue(List.of(new Rescue(lease, expiresAt, new Verdict.Completed()))))
                .isEmpty();
    }

    /** While the rescuer hung, the owner, which was late but alive, renewed its lease, started the job, and let the lease expire again. */
    @Test
    default void aStalledRescuerDoesNotEndARenewedRun(Fixture fixture) throws Exception {
        fixture.enqueueRow();
        ClaimRequest ahead = new ClaimRequest("default", List.of("greet"), 1, fixture.worker, SHORT, true);
        Lease lease = fixture.rows().claim(ahead).get(0).lease();
        fixture.letLeasesExpire(SHORT);
        AbandonedJob found = fixture.store.abandoned(10, 0).get(0);
        assertThat(found.mayHaveBegun()).isFalse();
        fixture.rows().renew(List.of(new LeaseRenewal(lease, null)), SHORT);
        new WorkerRegistry(fixture.database)
                .logStarts(fixture.worker, StartedLeases.encode(List.of(lease)), Duration.ofSeconds(10));
        fixture.letLeasesExpire(SHORT);
        assertThat(fixture.store.rescue(List.of(new Rescue(lease, found.expiredAt(), new Verdict.Release()))))
                .as("given back as if it had not begun")
                .isEmpty();
        assertThat(fixture.store.abandoned(10, 0))
                .singleElement()
                .satisfies(now -> assertThat(now.mayHaveBegun()).isTrue());
    }

    /** A worker that dies before it hands off jobs of unknown kinds from a lane does not use up their attempts. */
    @Test
    default void aJobOfAKindThatItsWorkerDoesNotHandleHasNotBegun(Fixture fixture) throws Exception {
        long other = new WorkerRegistry(fixture.database)
                .register("other", List.of("default"), List.of("mail"), 1, 1, Map.of());
        fixture.enqueueRow();
        fixture.rows().claim(new ClaimRequest("default", List.of("greet"), 1, other, SHORT, false));
        fixture.letLeasesExpire(SHORT);
        assertThat(fixture.store.abandoned(10, 0))
                .singleElement()
                .satisfies(job -> assertThat(job.mayHaveBegun()).isFalse());
    }

    @Test
    @RunsOn({Product.POSTGRESQL, Product.MARIADB, Product.MYSQL})
    default void aJobInAnOpenTransactionIsNeitherRescuedNorLost(Fixture fixture) throws Exception {
        fixture.assumeCan(Capability.ROW_LOCKS);
        fixture.enqueueRow();
        Lease lease = fixture.claimOne(SHORT).lease();
        fixture.letLeasesExpire(SHORT);
        fixture.database.transaction(connection -> {
            AbandonedJob found = fixture.store.abandoned(10, 0).get(0);
            assertThat(fixture.store.lock(connection, lease)).isTrue();
            Verdict verdict = new Verdict.Retry(Duration.ZERO, "gone");
            assertThat(fixture.store.rescue(List.of(new Rescue(lease, found.expiredAt(), verdict))))
                    .isEmpty();
            Renewal renewal = fixture.rows().renew(List.of(new LeaseRenewal(lease, null)), Fixture.LEASE);
            assertThat(renewal.taken()).isEmpty();
            assertThat(renewal.gone()).isEmpty();
            assertThat(renewal.renewed()).isEmpty();
            assertThat(fixture.store.complete(connection, new Settlement(lease, new Verdict.Completed())))
                    .isTrue();
            return true;
        });
        assertThat(fixture.job(lease.jobId()).state()).isEqualTo(JobState.COMPLETED);
    }

    @Test
    default void completionAndWritesCommitTogetherOrNotAtAll(Fixture fixture) throws Exception {
        fixture.execute("CREATE TABLE pawl_effect (job_id bigint)");
        long id = fixture.enqueueRow();
        Lease lease = fixture.claimOne().lease();
        try (java.sql.Connection connection = fixture.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            fixture.execute(connection, "INSERT INTO pawl_effect VALUES (" + id + ")");
            assertThat(fixture.store.complete(connection, new Settlement(lease, new Verdict.Completed())))
                    .isTrue();
            connection.rollback();
            assertThat(fixture.count("pawl_effect")).isZero();
            assertThat(fixture.job(id).state()).isEqualTo(JobState.RUNNING);
            fixture.execute(connection, "INSERT INTO pawl_effect VALUES (" + id + ")");
            assertThat(fixture.store.complete(connection, new Settlement(lease, new Verdict.Completed())))
                    .isTrue();
            connection.commit();
        }
        assertThat(fixture.count("pawl_effect")).isEqualTo(1);
        assertThat(fixture.job(id).state()).isEqualTo(JobState.COMPLETED);
    }

    @Test
    default void logLinesAreKeptInOrder(Fixture fixture) throws Exception {
        long id = fixture.enqueue();
        fixture.store.log(
                List.of(new LogLine(id, 1, Duration.ofSeconds(2), "one"), new LogLine(id, 1, Duration.ZERO, "two")));
        List<JobLogLine> log = fixture.admin.runs().log(id, Admin.UNLIMITED);
        assertThat(log).extracting(JobLogLine::line).containsExactly("one", "two");
        assertThat(Duration.between(log.get(0).loggedAt(), log.get(1).loggedAt()))
                .as("when they were written, by the database's clock")
                .isGreaterThanOrEqualTo(Duration.ofSeconds(2));
    }
}

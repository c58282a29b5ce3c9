package dev.pawl.testkit.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.FailedAttempt;
import dev.pawl.Job;
import dev.pawl.JobState;
import dev.pawl.Retention;
import dev.pawl.internal.store.AbandonedJob;
import dev.pawl.internal.store.FinishedRun;
import dev.pawl.internal.store.Held;
import dev.pawl.internal.store.Lease;
import dev.pawl.internal.store.LogLine;
import dev.pawl.internal.store.Renewal;
import dev.pawl.internal.store.Verdict;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

interface LeaseContract extends Contract {
    Duration SHORT = Duration.ofMillis(5);

    @Test
    default void aCompletedJobMovesToTheHistory() throws Exception {
        long id = fixture().enqueue();
        Lease lease = fixture().claimOne().lease();
        assertThat(fixture().finish(lease, new Verdict.Completed())).isTrue();
        Job job = fixture().job(id);
        assertThat(job.state()).isEqualTo(JobState.COMPLETED);
        assertThat(job.finishedAt()).isAfterOrEqualTo(job.startedAt());
        assertThat(job.leasedBy()).isEqualTo(fixture().worker);
        assertThat(job.leaseToken()).isEqualTo(lease.token());
        assertThat(fixture().count("pawl_job")).isZero();
    }

    @Test
    default void withoutRetentionNothingIsKeptButDiscardedJobs() throws Exception {
        Retention none = Retention.DEFAULTS.completed(Duration.ZERO).cancelled(Duration.ZERO);
        try (Fixture own = new Fixture(testDatabase(), 4, none)) {
            for (Verdict verdict : List.of(
                    new Verdict.Completed(), new Verdict.Cancelled("no"), new Verdict.Discarded("no", "boom"))) {
                own.enqueue();
                assertThat(own.finish(own.claimOne().lease(), verdict)).isTrue();
            }
            assertThat(own.count("pawl_job")).isZero();
            assertThat(own.count("pawl_job_history")).isEqualTo(1);
            assertThat(own.longOf("SELECT state FROM pawl_job_history")).isEqualTo(JobState.DISCARDED.code());
        }
    }

    @Test
    default void aFailedAttemptIsNotedAndTheJobWaits() throws Exception {
        long id = fixture().enqueue();
        fixture().finish(fixture().claimOne().lease(), new Verdict.Retry(Duration.ofHours(1), "boom\nat line 1"));
        Job job = fixture().job(id);
        assertThat(job.state()).isEqualTo(JobState.AVAILABLE);
        assertThat(job.attempt()).isEqualTo(1);
        assertThat(job.leasedBy()).isNull();
        assertThat(fixture().claim(1)).isEmpty();
        assertThat(fixture().admin.failedAttempts(id)).singleElement().satisfies(attempt -> {
            assertThat(attempt.attempt()).isEqualTo(1);
            assertThat(attempt.error()).isEqualTo("boom\nat line 1");
            assertThat(attempt.leasedBy()).isEqualTo(fixture().worker);
            assertThat(attempt.failedAt()).isAfterOrEqualTo(attempt.startedAt());
        });
    }

    @Test
    default void aDiscardedJobKeepsEveryError() throws Exception {
        long id = fixture().enqueue();
        fixture().finish(fixture().claimOne().lease(), new Verdict.Retry(Duration.ZERO, "one"));
        fixture().finish(fixture().claimOne().lease(), new Verdict.Discarded("given up", "two"));
        assertThat(fixture().job(id).state()).isEqualTo(JobState.DISCARDED);
        assertThat(fixture().job(id).reason()).isEqualTo("given up");
        assertThat(fixture().admin.failedAttempts(id))
                .extracting(FailedAttempt::error)
                .containsExactly("one", "two");
    }

    @Test
    default void aSnoozeDoesNotCountAsAnAttempt() throws Exception {
        long id = fixture().enqueue();
        fixture().finish(fixture().claimOne().lease(), new Verdict.Snooze(Duration.ofHours(1)));
        assertThat(fixture().job(id).attempt()).isZero();
        assertThat(fixture().admin.failedAttempts(id)).isEmpty();
        assertThat(fixture().claim(1)).isEmpty();
    }

    @Test
    default void aReleasedJobIsAvailableAtOnceAndWasNotCounted() throws Exception {
        long id = fixture().enqueue();
        assertThat(fixture().store.release(List.of(fixture().claimOne().lease())))
                .isEqualTo(1);
        assertThat(fixture().job(id).attempt()).isZero();
        assertThat(fixture().claimOne().job().attempt()).isEqualTo(1);
    }

    @Test
    default void aRenewalExtendsTheLeaseAndWritesProgress() throws Exception {
        long id = fixture().enqueue();
        Lease lease = fixture().claimOne(Duration.ofSeconds(1)).lease();
        Renewal renewal = fixture().store.renew(List.of(new Held(lease, 42)), Duration.ofHours(1));
        assertThat(renewal).isEqualTo(new Renewal(java.util.Set.of(lease), java.util.Set.of(), java.util.Set.of()));
        Job job = fixture().job(id);
        assertThat(Duration.between(job.startedAt(), job.leaseExpiresAt())).isGreaterThan(Duration.ofMinutes(59));
        assertThat(job.progress()).isEqualTo(42);
    }

    @Test
    default void anExpiredLeaseIsFoundAndRescuedOnce() throws Exception {
        long id = fixture().enqueue();
        Lease lease = fixture().claimOne(SHORT).lease();
        fixture().letLeasesExpire(SHORT);
        List<AbandonedJob> abandoned = fixture().store.abandoned(10);
        assertThat(abandoned).containsExactly(new AbandonedJob(lease, "greet", 1, 20, fixture().worker, "test"));
        List<FinishedRun> rescue = List.of(new FinishedRun(lease, new Verdict.Retry(Duration.ZERO, "gone")));
        assertThat(fixture().store.rescue(rescue)).containsExactly(lease);
        assertThat(fixture().store.rescue(rescue)).isEmpty();
        assertThat(fixture().job(id).state()).isEqualTo(JobState.AVAILABLE);
        assertThat(fixture().finish(lease, new Verdict.Completed())).isFalse();
    }

    @Test
    default void aLiveLeaseIsNotRescued() throws Exception {
        fixture().enqueue();
        Lease lease = fixture().claimOne().lease();
        assertThat(fixture().store.abandoned(10)).isEmpty();
        assertThat(fixture().store.rescue(List.of(new FinishedRun(lease, new Verdict.Completed()))))
                .isEmpty();
    }

    /** Not on SQLite, where the open transaction holds the only write lock and the rescue waits for it. */
    @Test
    default void aJobInAnOpenTransactionIsNeitherRescuedNorLost() throws Exception {
        if (fixture().database.dialect().product().equals("sqlite")) {
            return;
        }
        fixture().enqueue();
        Lease lease = fixture().claimOne(SHORT).lease();
        fixture().letLeasesExpire(SHORT);
        fixture().database.transaction(connection -> {
            assertThat(fixture().store.lock(connection, lease)).isTrue();
            assertThat(fixture()
                            .store
                            .rescue(List.of(new FinishedRun(lease, new Verdict.Retry(Duration.ZERO, "gone")))))
                    .isEmpty();
            Renewal renewal = fixture().store.renew(List.of(new Held(lease, null)), Fixture.LEASE);
            assertThat(renewal.lost()).isEmpty();
            assertThat(renewal.renewed()).isEmpty();
            assertThat(fixture().store.complete(connection, lease)).isTrue();
            return true;
        });
        assertThat(fixture().job(lease.jobId()).state()).isEqualTo(JobState.COMPLETED);
    }

    @Test
    default void completionAndWritesCommitTogetherOrNotAtAll() throws Exception {
        fixture().execute("CREATE TABLE pawl_effect (job_id bigint)");
        long id = fixture().enqueue();
        Lease lease = fixture().claimOne().lease();
        try (java.sql.Connection connection = fixture().dataSource().getConnection()) {
            connection.setAutoCommit(false);
            fixture().execute(connection, "INSERT INTO pawl_effect VALUES (" + id + ")");
            assertThat(fixture().store.complete(connection, lease)).isTrue();
            connection.rollback();
            assertThat(fixture().count("pawl_effect")).isZero();
            assertThat(fixture().job(id).state()).isEqualTo(JobState.RUNNING);
            fixture().execute(connection, "INSERT INTO pawl_effect VALUES (" + id + ")");
            assertThat(fixture().store.complete(connection, lease)).isTrue();
            connection.commit();
        }
        assertThat(fixture().count("pawl_effect")).isEqualTo(1);
        assertThat(fixture().job(id).state()).isEqualTo(JobState.COMPLETED);
    }

    @Test
    default void logLinesAreKeptInOrder() throws Exception {
        long id = fixture().enqueue();
        fixture()
                .store
                .log(List.of(
                        new LogLine(id, 1, Duration.ofSeconds(2), "one"), new LogLine(id, 1, Duration.ZERO, "two")));
        assertThat(fixture().admin.log(id)).extracting("line").containsExactly("one", "two");
    }
}

package dev.pawl.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.api.HandlerOptions;
import dev.pawl.api.JobState;
import dev.pawl.api.RetryPolicy;
import dev.pawl.internal.store.Duty;
import dev.pawl.internal.store.Verdict;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Which jobs a worker rescues, when, and by which policy. */
class RecoveryTest extends PartsFixture {
    private static void rescue(WorkerParts parts) throws SQLException {
        for (Duty duty : parts.duties) {
            if (duty.name().equals("rescue abandoned jobs")) {
                duty.work().run();
            }
        }
    }

    /** Jobs of another worker, which is running an attempt of each. */
    private void othersRun(int jobs, int attempt) {
        store.add(jobs, 20);
        for (long id = 1; id <= jobs; id++) {
            store.steal(id);
            store.row(id).attempt = attempt;
        }
    }

    /** Regression: two live handlers of one job in the same worker, after the database's clock had been set. */
    @Test
    void aWorkerDoesNotRescueWhatItRuns() throws Exception {
        WorkerParts parts = experienced();
        HeldJob held = held(parts);
        assertThat(held.begin(Thread.currentThread(), 0, null)).isTrue();
        store.expireAll();
        rescue(parts);
        assertThat(store.row(1).state).isEqualTo(JobState.RUNNING);
        held.end();
    }

    /** Regression: after an outage longer than a lease, the completer was waiting and the rescuer came first. */
    @Test
    void aRunThatHasEndedHereIsRecordedAndNotRescued() throws Exception {
        lease = Duration.ofMillis(1);
        WorkerParts parts = experienced();
        HeldJob held = held(parts);
        assertThat(held.begin(Thread.currentThread(), 0, null) || held.hasExpired(System.nanoTime()))
                .isTrue();
        held.end();
        parts.completer.submit(held, new Verdict.Completed());
        store.expireAll();
        rescue(parts);
        assertThat(store.row(1).state).isEqualTo(JobState.RUNNING);
        parts.completer.stop();
        parts.completer.run();
        assertThat(store.row(1).state).isEqualTo(JobState.COMPLETED);
    }

    /** Regression: a job waited for an hour although its worker's policy says 150 ms. */
    @Test
    void anAbandonedJobWaitsAsItsWorkerSays() throws Exception {
        WorkerParts parts = experienced();
        othersRun(1, 18);
        store.expireAll();
        rescue(parts);
        assertThat(store.row(1).wait).isEqualTo(Duration.ofSeconds(7));
    }

    @Test
    void anAbandonedJobWaitsAsItsKindSays() throws Exception {
        options = HandlerOptions.DEFAULTS.retryPolicy(RetryPolicy.fixed(Duration.ofMillis(150)));
        WorkerParts parts = experienced();
        othersRun(1, 18);
        store.expireAll();
        rescue(parts);
        assertThat(store.row(1).wait).isEqualTo(Duration.ofMillis(150));
    }

    /** A worker that handles the kind knows its policy; without such a worker, the job must not block its key for an hour. */
    @Test
    void anAbandonedJobOfAKindThatIsNotHandledHereIsLeftToOthersAndThenWaitsAMinuteAtMost() throws Exception {
        WorkerParts parts = experienced();
        parts.strategies.readAgain();
        othersRun(1, 18);
        store.row(1).kind = "others";
        store.expireAll();
        rescue(parts);
        assertThat(store.row(1).state).isEqualTo(JobState.RUNNING);
        store.row(1).expiresNanos -= Duration.ofSeconds(6).toNanos();
        rescue(parts);
        assertThat(store.row(1).state).isEqualTo(JobState.AVAILABLE);
        assertThat(store.row(1).wait).isEqualTo(Duration.ofMinutes(1));
    }

    /** Regression: all running jobs of all workers were run a second time concurrently. */
    @Test
    void nothingIsRescuedWhenTheClockOfTheDatabaseWasSetForward() throws Exception {
        WorkerParts parts = experienced();
        parts.strategies.readAgain();
        othersRun(3, 1);
        store.jump(Duration.ofHours(2));
        rescue(parts);
        assertThat(store.count(JobState.RUNNING)).isEqualTo(3);
        assertThat(store.calls("rescue")).isZero();
        assertThat(store.calls("open ranges"))
                .as("what others hold of ranges gets no rows")
                .isZero();
        int looks = store.calls("abandoned");
        rescue(parts);
        assertThat(store.calls("abandoned")).as("not even looked for").isEqualTo(looks);
    }

    @Test
    void rescuesResumeOneLeaseAfterTheClockWasSetForward() throws Exception {
        lease = Duration.ofMillis(20);
        WorkerParts parts = experienced();
        parts.strategies.readAgain();
        othersRun(3, 1);
        store.jump(Duration.ofHours(2));
        EngineFixture.await(() -> {
            try {
                rescue(parts);
            } catch (SQLException e) {
                throw new AssertionError(e);
            }
            return store.count(JobState.AVAILABLE) == 3;
        });
    }

    /** Regression: all running jobs of all workers were taken by a worker that started during a failover. */
    @Test
    void aWorkerThatStartsAfterTheClockWasSetForwardRescuesNothing() throws Exception {
        othersRun(3, 1);
        store.jump(Duration.ofHours(2));
        WorkerParts fresh = parts();
        rescue(fresh);
        assertThat(store.count(JobState.RUNNING)).isEqualTo(3);
        assertThat(store.calls("open ranges")).isZero();
    }

    /** Otherwise the jobs of the only worker would wait forever after its crash. */
    @Test
    void aNewWorkerRescuesJobsWithExpiredLeasesWithinOneLease() throws Exception {
        lease = Duration.ofMillis(20);
        othersRun(3, 1);
        store.expireAll();
        WorkerParts fresh = parts();
        EngineFixture.await(() -> {
            try {
                rescue(fresh);
            } catch (SQLException e) {
                throw new AssertionError(e);
            }
            return store.count(JobState.AVAILABLE) == 3;
        });
    }

    /** Jobs whose leases have expired by both clocks have no live worker. */
    @Test
    void leasesExpireAsUsualWhileTheClocksAgree() throws Exception {
        WorkerParts parts = experienced();
        parts.strategies.readAgain();
        othersRun(3, 1);
        store.expireAll();
        rescue(parts);
        assertThat(store.count(JobState.AVAILABLE)).isEqualTo(3);
    }

    /** Other workers hold outcomes, too, and record them as soon as the database is back. */
    @Test
    void rightAfterAnOutageNothingIsRescued() throws Exception {
        WorkerParts parts = experienced();
        othersRun(3, 1);
        store.expireAll();
        parts.health.failed("claim jobs", FakeStore.away());
        rescue(parts);
        parts.health.wrote(System.nanoTime());
        rescue(parts);
        assertThat(store.calls("abandoned")).isZero();
        assertThat(store.count(JobState.RUNNING)).isEqualTo(3);
    }

    /** For example, some connections of a pool lead to a read-only server: other workers go on, and so must rescues. */
    @Test
    void outagesThatComeAndGoAllTheTimeDoNotKeepJobsFromBeingRescued() throws Exception {
        WorkerParts parts = experienced();
        othersRun(3, 1);
        store.expireAll();
        for (int look = 0; look < 20; look++) {
            parts.health.failed("claim jobs", FakeStore.away());
            parts.health.wrote(System.nanoTime());
            rescue(parts);
        }
        assertThat(store.count(JobState.AVAILABLE)).isEqualTo(3);
    }

    /** Two lease lengths have passed and the handler still runs: the rescue no longer waits for it. */
    @Test
    void aRunThatDoesNotEndIsRescuedAtLast() throws Exception {
        lease = Duration.ofSeconds(1);
        WorkerParts parts = experienced();
        HeldJob held = held(parts);
        assertThat(held.begin(Thread.currentThread(), 0, null)).isTrue();
        store.expireAll();
        EngineFixture.await(() -> {
            try {
                rescue(parts);
            } catch (SQLException e) {
                throw new AssertionError(e);
            }
            return store.row(1).state == JobState.AVAILABLE;
        });
        assertThat(held.isGivenUp(System.nanoTime())).isTrue();
        held.end();
    }
}

package dev.pawl.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.api.JobState;
import dev.pawl.api.Outcome;
import dev.pawl.api.WorkerEvent;
import dev.pawl.internal.store.Duty;
import dev.pawl.internal.store.Grant;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** The parts together. A missing duty is noticed late, and not by the test of any single part. */
class WorkerPartsTest extends PartsFixture {
    /** Runs every duty once. */
    private static void everyDuty(WorkerParts parts) throws SQLException {
        for (Duty duty : parts.duties) {
            duty.work().run();
        }
    }

    private HeldJob claimedAgo(WorkerParts parts, Duration ago) throws SQLException {
        HeldJob fresh = held(parts);
        parts.heldJobs.remove(fresh);
        long then = System.nanoTime() - ago.toNanos();
        HeldJob held = new HeldJob(new Grant(fresh.job()), fresh.strategy(), false, then, new LeaseTerms(lease));
        parts.heldJobs.add(held);
        return held;
    }

    @Test
    void theDutiesLookAfterTheTables() throws Exception {
        everyDuty(parts());
        for (String verb : List.of("abandoned", "tidy", "heartbeat", "uncovered", "sweep", "prune")) {
            assertThat(store.calls(verb)).as(verb).isEqualTo(1);
        }
    }

    @Test
    void theDutiesLookAfterTheJobsThatAreHeld() throws Exception {
        WorkerParts parts = parts();
        HeldJob late = held(parts);
        late.begin(Thread.currentThread(), 0, Duration.ofNanos(1));
        HeldJob due = claimedAgo(parts, Duration.ofMinutes(59));
        parts.log.add(due.job(), "line");
        parts.completer.forget(held(parts));
        everyDuty(parts);
        assertThat(late.stopped()).isEqualTo(HeldJob.Stop.TIMED_OUT);
        assertThat(due.wantsRenewal(System.nanoTime())).isFalse();
        assertThat(store.calls("renew")).isEqualTo(1);
        assertThat(store.logged()).containsExactly("line");
        assertThat(events).hasSize(1).first().isInstanceOf(WorkerEvent.LeaseLost.class);
    }

    @Test
    void threadsThatTheSystemDidNotGiveAreAskedForAgain() throws Exception {
        maxConcurrency = 4;
        WorkerParts parts = parts();
        int before = parts.runners.all().size();
        parts.scale(before + 1);
        assertThat(parts.runners.all()).hasSize(before + 1);
        parts.buffer.notStarted(1);
        parts.scale(before + 1);
        assertThat(parts.runners.all()).hasSize(before + 2);
        parts.scale(before + 1);
        assertThat(parts.runners.all()).as("nothing is missing").hasSize(before + 2);
    }

    /** The worker that has rescued the jobs looks for them at once, because it is awake. Other workers find them when they poll. */
    @Test
    void rescuedJobsAreSearchedForAtOnce() throws Exception {
        WorkerParts parts = experienced();
        everyDuty(parts);
        assertThat(parts.signal.awaitJobs(0)).isEqualTo(FetchSignal.News.NONE);
        claim(false, Duration.ZERO);
        store.add(1, 20);
        claim(false, Duration.ZERO);
        everyDuty(parts);
        assertThat(store.count(JobState.AVAILABLE)).isEqualTo(1);
        assertThat(parts.signal.awaitJobs(0)).isEqualTo(FetchSignal.News.JOBS);
    }

    @Test
    void aBufferThatRunsLowIsNews() throws Exception {
        WorkerParts parts = parts();
        parts.buffer.add(held(parts, 1));
        parts.signal.clear();
        assertThat(take(parts.buffer)).isNotNull();
        parts.signal.awaitCapacity(LONG.toNanos()); // otherwise the test takes a minute, and fails
    }

    /** If the pool has one connection, the transaction itself holds it, so a failed renewal says nothing about the database. */
    @Test
    void renewalsThatFailEndATransactionUnlessThePoolHasOneConnection() throws Exception {
        for (OptionalInt each : List.of(OptionalInt.empty(), OptionalInt.of(1), OptionalInt.of(2))) {
            connections = each;
            WorkerParts parts = parts();
            HeldJob held = claimedAgo(parts, Duration.ofMinutes(59));
            held.clock().transaction(true);
            store.fail("renew", FakeStore.away());
            assertThatThrownBy(() -> everyDuty(parts)).isInstanceOf(SQLException.class);
            store.fail("renew", null);
            assertThat(held.hasExpired(System.nanoTime() + 2 * lease.toNanos()))
                    .as("%s", each)
                    .isEqualTo(!each.equals(OptionalInt.of(1)));
        }
    }

    @Test
    void transactionsLeaveAConnectionForRenewals() {
        WorkerConfig config = config(7, (payload, run) -> Outcome.completed());
        assertThat(config.transactionsAtOnce(OptionalInt.of(5))).isEqualTo(4);
        assertThat(config.transactionsAtOnce(OptionalInt.of(2))).isEqualTo(1);
        assertThat(config.transactionsAtOnce(OptionalInt.of(1)))
                .as("or none could ever run")
                .isEqualTo(1);
        assertThat(config.transactionsAtOnce(OptionalInt.empty())).isEqualTo(7);
    }
}

package dev.pawl.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.api.JobState;
import dev.pawl.api.Outcome;
import dev.pawl.api.WorkerCommand;
import dev.pawl.internal.Delay;
import dev.pawl.internal.store.Allocation;
import dev.pawl.internal.store.JobKey;
import dev.pawl.limit.Subject;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The jobs that a worker claims while it releases keys. */
class ReleaseClaimsTest extends EngineFixture {
    /** Releases one key again and again. */
    @BeforeEach
    void turnsGoOn() {
        store.keyed = true;
        store.key = "k";
        store.keyWaits.put(new JobKey("default", "k"), Duration.ofMillis(2));
    }

    /** So slow that nothing is prefetched. */
    private static Outcome slow() throws InterruptedException {
        Delay.work(150); // a slow handler is the point
        return Outcome.completed();
    }

    private void awaitTurns(int more) throws InterruptedException {
        int before = store.turns.size();
        await(() -> store.turns.size() >= before + more);
    }

    @Test
    void releasesClaimWhereNoOtherJobIsAvailable() throws Exception {
        store.parked = 50;
        store.add("{}", 3);
        start(4, (payload, run) -> Outcome.completed());
        awaitCompleted(51);
        assertThat(store.claimedInTurns).isEqualTo(50);
    }

    /** The jobs run for long: there is capacity for one job per handler, and for none once all handlers are busy. */
    @Test
    void noMoreThanThereAreIdleHandlers() throws Exception {
        store.parked = 50;
        store.add("{}", 3);
        start(4, (payload, run) -> run.job().id() == 1 ? slow() : block());
        await(() -> begun.size() == 5);
        awaitTurns(5);
        assertThat(store.claimedInTurns).isEqualTo(4);
    }

    /** Available jobs go first. */
    @Test
    void releasesClaimNothingWhereOtherJobsAreAvailable() throws Exception {
        store.parked = 50;
        store.add(100, 3);
        start(4, (payload, run) -> run.job().id() == 1 ? slow() : block());
        awaitTurns(5);
        assertThat(store.claimedInTurns).isZero();
        released.countDown();
        awaitCompleted(150);
    }

    @Test
    void aWorkerWithLimitsClaimsFromTheLine() throws Exception {
        store.limit(Subject.queue("default"), Allocation.UNLIMITED);
        store.parked = 1;
        store.add("{}", 3);
        start(4, (payload, run) -> Outcome.completed());
        awaitCompleted(1);
        awaitTurns(5);
        assertThat(store.claimedInTurns).isZero();
    }

    @Test
    void aQuietWorkerClaimsNothing() throws Exception {
        store.add("{}", 3);
        start(4, (payload, run) -> Outcome.completed());
        awaitCompleted(1);
        await(() -> store.turns.stream().anyMatch(limit -> limit > 0));
        store.command = WorkerCommand.QUIET;
        await(() -> {
            List<Integer> turns = List.copyOf(store.turns);
            return turns.size() > 20
                    && turns.subList(turns.size() - 20, turns.size()).stream().allMatch(limit -> limit == 0);
        });
        store.parked = 10;
        awaitTurns(5);
        assertThat(store.claimedInTurns).isZero();
    }

    /** Jobs claimed during the stop are released, and their attempt is not counted. */
    @Test
    void whatIsClaimedWhileItStopsIsGivenBack() throws Exception {
        shutdownTimeouts = ShutdownTimeouts.USUAL;
        store.add("{}", 3);
        Engine engine = start(4, (payload, run) -> Outcome.completed());
        awaitCompleted(1);
        await(() -> store.turns.stream().anyMatch(limit -> limit > 0));
        store.on("releaseJobs", () -> {
            if (store.turns.get(store.turns.size() - 1) > 0) {
                store.parked = 3;
            }
        });
        await(() -> store.claimedInTurns > 0);
        engine.stop(Duration.ofSeconds(5));
        assertThat(store.count(JobState.RUNNING)).isZero();
        assertThat(List.of(store.count(JobState.AVAILABLE) + store.count(JobState.COMPLETED)))
                .containsExactly(1L + store.claimedInTurns);
    }
}

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
    void releaseRepeatedly() {
        store.keyed = true;
        store.key = "k";
        store.keyWaits.put(new JobKey("default", "k"), Duration.ofMillis(2));
    }

    /** So slow that nothing is prefetched. */
    private static Outcome slow() throws InterruptedException {
        Delay.work(150); // a slow handler is the point
        return Outcome.completed();
    }

    private void awaitReleases(int more) throws InterruptedException {
        int before = store.releases.size();
        await(() -> store.releases.size() >= before + more);
    }

    @Test
    void releasesClaimWhereNoOtherJobIsAvailable() throws Exception {
        store.blocked = 50;
        store.add("{}", 3);
        start(4, (payload, run) -> Outcome.completed());
        awaitCompleted(51);
        assertThat(store.claimedInReleases).isEqualTo(50);
    }

    /** The jobs run for long, so a release claims one job for each idle handler, and none once all handlers are busy. */
    @Test
    void releasesClaimNoMoreJobsThanThereAreIdleHandlers() throws Exception {
        store.blocked = 50;
        store.add("{}", 3);
        start(4, (payload, run) -> run.job().id() == 1 ? slow() : block());
        await(() -> begun.size() == 5);
        awaitReleases(5);
        assertThat(store.claimedInReleases).isEqualTo(4);
    }

    /** Available jobs go first. */
    @Test
    void releasesClaimNothingWhereOtherJobsAreAvailable() throws Exception {
        store.blocked = 50;
        store.add(100, 3);
        start(4, (payload, run) -> run.job().id() == 1 ? slow() : block());
        awaitReleases(5);
        assertThat(store.claimedInReleases).isZero();
        released.countDown();
        awaitCompleted(150);
    }

    @Test
    void releasesOfAWorkerWithLimitsClaimNothing() throws Exception {
        store.limit(Subject.queue("default"), Allocation.UNLIMITED);
        store.blocked = 1;
        store.add("{}", 3);
        start(4, (payload, run) -> Outcome.completed());
        awaitCompleted(1);
        awaitReleases(5);
        assertThat(store.claimedInReleases).isZero();
    }

    @Test
    void aQuietWorkerClaimsNothing() throws Exception {
        store.add("{}", 3);
        start(4, (payload, run) -> Outcome.completed());
        awaitCompleted(1);
        await(() -> store.releases.stream().anyMatch(limit -> limit > 0));
        store.command = WorkerCommand.QUIET;
        await(() -> {
            List<Integer> releases = List.copyOf(store.releases);
            return releases.size() > 20
                    && releases.subList(releases.size() - 20, releases.size()).stream()
                            .allMatch(limit -> limit == 0);
        });
        store.blocked = 10;
        awaitReleases(5);
        assertThat(store.claimedInReleases).isZero();
    }

    /** Jobs claimed during the stop are released, and their attempt is not counted. */
    @Test
    void jobsThatAKeyReleaseClaimsDuringTheStopAreReleased() throws Exception {
        shutdownTimeouts = ShutdownTimeouts.USUAL;
        store.add("{}", 3);
        Engine engine = start(4, (payload, run) -> Outcome.completed());
        awaitCompleted(1);
        await(() -> store.releases.stream().anyMatch(limit -> limit > 0));
        store.on("releaseJobs", () -> {
            if (store.releases.get(store.releases.size() - 1) > 0) {
                store.blocked = 3;
            }
        });
        await(() -> store.claimedInReleases > 0);
        engine.stop(Duration.ofSeconds(5));
        assertThat(store.count(JobState.RUNNING)).isZero();
        assertThat(List.of(store.count(JobState.AVAILABLE) + store.count(JobState.COMPLETED)))
                .containsExactly(1L + store.claimedInReleases);
    }
}

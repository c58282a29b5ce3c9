package dev.pawl.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.api.JobState;
import dev.pawl.api.Strategy;
import dev.pawl.api.WorkerEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReleaserTest extends PartsFixture {
    private final WorkerParts parts = parts();

    @Test
    void jobsGoBackToTheStrategiesThatClaimedThem() throws Exception {
        List<HeldJob> jobs = new ArrayList<>(held(parts, 2));
        strategy = Strategy.SKIP_LOCKED;
        jobs.addAll(held(parts, 3));
        parts.releaser.unstarted(jobs);
        assertThat(store.calls("release")).isEqualTo(2);
        assertThat(store.count(JobState.AVAILABLE)).isEqualTo(5);
        assertThat(parts.counters.released.sum()).isEqualTo(5);
        assertThat(parts.heldJobs.isEmpty()).isTrue();
    }

    /** Otherwise the jobs would keep their leases until a rescue, which costs an attempt. */
    @Test
    void jobsThatCannotBeDelayedNowAreReleasedByTheCompleter() throws Exception {
        HeldJob locked = held(parts);
        store.lockRow(locked.job().id(), true);
        parts.releaser.later(Map.of(locked, LONG));
        assertThat(parts.heldJobs.holds(locked)).isTrue();
        store.lockRow(locked.job().id(), false);
        complete();
        assertThat(store.count(JobState.AVAILABLE)).isEqualTo(1);
        assertThat(parts.counters.released.sum()).isEqualTo(1);
        assertThat(events).isEmpty();
    }

    @Test
    void onlyReleasedJobsAreCounted() throws Exception {
        List<HeldJob> jobs = held(parts, 2);
        store.steal(1);
        parts.releaser.unstarted(jobs);
        complete();
        assertThat(parts.counters.released.sum()).isEqualTo(1);
        assertThat(events).containsExactly(new WorkerEvent.LeaseLost(jobs.get(0).job()));
    }

    /** Otherwise the jobs would wait for the end of their leases. */
    @Test
    void jobsWhoseReleaseFailsAreReleasedByTheCompleter() throws Exception {
        List<HeldJob> jobs = held(parts, 2);
        store.fail("release", FakeStore.away());
        parts.releaser.unstarted(jobs);
        assertThat(parts.heldJobs.all()).hasSize(2);
        complete();
        assertThat(store.count(JobState.AVAILABLE)).isEqualTo(2);
        assertThat(parts.counters.released.sum()).isEqualTo(2);
        assertThat(events).isEmpty();
    }

    @Test
    void lockedJobsAreReleasedByTheCompleter() throws Exception {
        List<HeldJob> jobs = held(parts, 2);
        store.lockRow(jobs.get(0).job().id(), true);
        parts.releaser.unstarted(jobs);
        assertThat(parts.heldJobs.all()).containsExactly(jobs.get(0));
        store.lockRow(jobs.get(0).job().id(), false);
        complete();
        assertThat(store.count(JobState.AVAILABLE)).isEqualTo(2);
        assertThat(parts.counters.released.sum()).isEqualTo(2);
    }

    @Test
    void aWorkerThatStopsWaitsForNoDatabaseThatIsAway() throws Exception {
        List<HeldJob> jobs = held(parts, 2);
        store.fail("release", FakeStore.away());
        parts.releaser.unstartedAtTheEnd(jobs);
        assertThat(parts.heldJobs.isEmpty()).isTrue();
        assertThat(parts.counters.released.sum()).isZero();
    }

    @Test
    void anErrorOfTheJvmLeavesNoJobHeldForEver() throws Exception {
        List<HeldJob> jobs = held(parts, 2);
        store.on("release", () -> {
            throw new OutOfMemoryError("on purpose");
        });
        assertThatThrownBy(() -> parts.releaser.unstarted(jobs)).isInstanceOf(OutOfMemoryError.class);
        assertThat(parts.heldJobs.isEmpty()).isTrue();
    }

    private void complete() {
        parts.completer.stop();
        parts.completer.run();
        assertThat(parts.heldJobs.isEmpty()).isTrue();
    }
}

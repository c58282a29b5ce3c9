package dev.pawl.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.api.WorkerEvent;
import dev.pawl.internal.Delay;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LongRunsTest extends PartsFixture {
    private static final int MUCH_MILLIS = 20;
    private static final long MUCH = TimeUnit.MILLISECONDS.toNanos(MUCH_MILLIS);

    private final WorkerParts parts = parts();
    private final List<WorkerEvent> told = new ArrayList<>();
    private final LongRuns runs =
            new LongRuns(parts.heldJobs, new Events(new Counters(), List.of(told::add), new EventLog()), MUCH);

    private HeldJob running() throws Exception {
        HeldJob held = held(parts);
        assertThat(held.begin(Thread.currentThread(), 0, null)).isTrue();
        return held;
    }

    @Test
    void aRunThatTakesFarLongerThanTheLongestIsReportedOnce() throws Exception {
        HeldJob held = running();
        runs.completed(held.job().kind(), 2_000);
        runs.completed(held.job().kind(), 1_000);
        Delay.work(2 * MUCH_MILLIS); // the length of the run is the point
        runs.check();
        runs.check();
        assertThat(told).singleElement().isInstanceOfSatisfying(WorkerEvent.Stalled.class, stalled -> {
            assertThat(stalled.job()).isEqualTo(held.job());
            assertThat(stalled.running().toNanos()).isGreaterThan(MUCH);
            assertThat(stalled.usual().toNanos()).isEqualTo(2_000);
        });
    }

    @Test
    void aRunIsNotComparedWithNothingOrWithSlowOnes() throws Exception {
        HeldJob held = running();
        Delay.work(2 * MUCH_MILLIS); // the length of the run is the point
        runs.check();
        runs.completed(held.job().kind(), 10 * MUCH);
        runs.check();
        held.end();
        runs.completed(held.job().kind(), 1);
        runs.check();
        assertThat(told).isEmpty();
    }
}

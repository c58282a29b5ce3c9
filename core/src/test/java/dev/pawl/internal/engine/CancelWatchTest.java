package dev.pawl.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class CancelWatchTest extends PartsFixture {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final HeldJobs jobs = new HeldJobs();
    private final CancelWatch watch = new CancelWatch(jobs, store);

    private List<HeldJob> running(int count) throws Exception {
        store.add(count, 20);
        List<HeldJob> held = claim(false, LONG);
        for (HeldJob one : held) {
            jobs.add(one);
            one.begin(new Thread(), 0, null);
        }
        return held;
    }

    @Test
    void noStatementIsSentWhileAllRunsAreShort() throws Exception {
        running(1);
        watch.check(System.nanoTime());
        assertThat(store.calls("asked")).isZero();
        watch.check(System.nanoTime() + SECOND);
        assertThat(store.calls("asked")).isEqualTo(1);
    }

    /** A worker with virtual threads may have ten thousand runs. */
    @Test
    void allCancelledRunsAreStoppedEvenIfThereAreThousands() throws Exception {
        List<HeldJob> held = running(2_001);
        held.forEach(one -> store.cancelled.add(one.lease()));
        watch.check(System.nanoTime() + SECOND);
        assertThat(held).allSatisfy(one -> assertThat(one.stopped()).isEqualTo(HeldJob.Stop.CANCELLED));
        assertThat(store.calls("asked")).isEqualTo(3);
    }
}

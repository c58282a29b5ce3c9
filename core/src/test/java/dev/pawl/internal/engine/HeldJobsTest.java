package dev.pawl.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class HeldJobsTest extends PartsFixture {
    private final HeldJobs jobs = new HeldJobs();

    @Test
    void aJobIsLetGoOfOnce() throws Exception {
        store.add(1, 20);
        HeldJob held = claim(false, LONG).get(0);
        assertThat(jobs.holds(held)).isFalse();
        jobs.add(held);
        assertThat(jobs.holds(held)).isTrue();
        assertThat(jobs.isEmpty()).isFalse();
        assertThat(jobs.remove(held)).isTrue();
        assertThat(jobs.remove(held)).isFalse();
        assertThat(jobs.isEmpty()).isTrue();
    }

    @Test
    void droppedJobsThatHaveNotStartedAreNotRemembered() throws Exception {
        store.add(1, 20);
        HeldJob held = claim(false, LONG).get(0);
        jobs.add(held);
        assertThat(jobs.drop(held)).isTrue();
        assertThat(jobs.unrecorded()).isEmpty();
    }

    @Test
    void theLatestDroppedJobsThatHaveStartedAreRemembered() throws Exception {
        List<HeldJob> begun = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            store.add(5_001, 20);
            begun.addAll(claim(false, LONG));
        }
        for (HeldJob held : begun) {
            jobs.add(held);
            held.begin(Thread.currentThread(), 0, null);
            assertThat(jobs.drop(held)).isTrue();
            assertThat(jobs.drop(held)).isFalse();
        }
        assertThat(jobs.unrecorded())
                .isEqualTo(begun.stream().skip(2).map(HeldJob::lease).toList());
    }
}

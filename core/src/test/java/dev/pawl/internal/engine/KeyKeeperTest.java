package dev.pawl.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.api.Job;
import dev.pawl.internal.key.KeyKeeper;
import dev.pawl.internal.store.JobKey;
import dev.pawl.internal.store.JobStore;
import dev.pawl.internal.store.WorkerContext;
import java.time.Duration;
import java.util.Collections;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** When the key keeper lets its worker be suspended. */
@Timeout(30)
class KeyKeeperTest {
    private final FakeStore store = new FakeStore();
    private final FakeHost host = new FakeHost();
    private final KeyKeeper keys = new KeyKeeper(new WorkerContext("test", Set.of("default")), host, store);

    /** The settings say that there are jobs with keys. */
    private void exist() {
        JobStore.Settings.Builder settings = new JobStore.Settings.Builder();
        settings.keyed();
        keys.read(settings.build());
    }

    private void ended(String key, int jobs) {
        Job job = Job.builder(1, "greet", "default").key(key).build();
        keys.recorded(Collections.nCopies(jobs, job));
    }

    @Test
    void withoutKeyedJobsNothingIsSwept() {
        assertThat(keys.isSettledSince(System.nanoTime())).isTrue();
        assertThat(keys.watched()).isEmpty();
        exist();
        assertThat(keys.watched()).containsExactly("default");
        assertThat(keys.isSettledSince(System.nanoTime())).isFalse();
    }

    /** The key's jobs may be available in the year 9000, and the time until then overflows a number of nanoseconds. */
    @Test
    void aKeyThatIsDueInThousandsOfYearsIsLeftToTheSweep() throws Exception {
        store.keyWaits.put(new JobKey("default", "far"), Duration.ofDays(365L * 7_000));
        long before = System.nanoTime();
        Thread thread = new Thread(keys::run);
        thread.start();
        try {
            ended("far", 1);
            EngineFixture.await(() -> store.calls("releaseJobs") > 0 && keys.isSettledSince(before));
            assertThat(store.calls("releaseJobs")).isEqualTo(1);
        } finally {
            keys.stop();
            thread.join();
        }
    }

    /**
     * Without the wait, the same keys would need another release a moment later. The wait is bounded, because the expected jobs may not
     * finish.
     */
    @Test
    void aReleaseWaitsForManyJobsThatAreAboutToFinishAndNotForever() throws Exception {
        AtomicLong taken = new AtomicLong();
        store.on("releaseJobs", () -> taken.compareAndSet(0, System.nanoTime()));
        host.coming.set(500);
        Thread thread = new Thread(keys::run);
        thread.start();
        try {
            long since = System.nanoTime();
            exist();
            EngineFixture.await(
                    () -> keys.isSettledSince(since)); // the first sweep releases all keys with finished jobs
            long before = System.nanoTime();
            ended("some", 10);
            EngineFixture.await(() -> taken.get() != 0);
            assertThat(taken.get() - before).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(20));
        } finally {
            keys.stop();
            thread.join();
        }
    }

    /** A sweep in progress may have passed the position where a job was blocked. */
    @Test
    void onlyASweepThatBeganAfterTheMomentCounts() throws Exception {
        AtomicLong during = new AtomicLong();
        store.on("ready", () -> during.compareAndSet(0, System.nanoTime()));
        long before = System.nanoTime();
        Thread thread = new Thread(keys::run);
        thread.start();
        try {
            exist();
            EngineFixture.await(() -> keys.isSettledSince(before));
            assertThat(keys.isSettledSince(during.get())).isFalse();
            EngineFixture.await(() -> keys.isSettledSince(during.get())); // by the next sweep
            assertThat(store.calls("ready")).isEqualTo(2);
        } finally {
            keys.stop();
            thread.join();
        }
    }
}

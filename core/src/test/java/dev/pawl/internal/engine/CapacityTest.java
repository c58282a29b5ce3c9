package dev.pawl.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.api.Job;
import dev.pawl.api.JobState;
import dev.pawl.api.Strategy;
import dev.pawl.internal.quota.LocalLimits;
import dev.pawl.internal.store.Grant;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Jobs with a weight above 1, in the buffer where they wait for capacity. */
@Timeout(60)
class CapacityTest {
    private final FakeStore store = new FakeStore();
    private final AtomicInteger room = new AtomicInteger();
    private final Capacity capacity = new Capacity(4, Map.of("large", 3, "larger", 4));
    private final Buffer buffer = new Buffer(
            room::incrementAndGet, () -> {}, new LocalLimits(subject -> 4, queue -> false, Set.of()), capacity);
    private long ids;

    private HeldJob job(String kind) {
        Job job = Job.builder(++ids, kind, "default")
                .state(JobState.RUNNING)
                .attempt(1)
                .maxAttempts(20)
                .leaseToken(1)
                .payload("{}")
                .build();
        return new HeldJob(
                new Grant(job),
                store.strategy(Strategy.AUTO),
                false,
                System.nanoTime(),
                new LeaseTerms(Duration.ofHours(1)));
    }

    private List<HeldJob> add(String... kinds) {
        List<HeldJob> jobs = new ArrayList<>();
        for (String kind : kinds) {
            jobs.add(job(kind));
        }
        buffer.add(jobs);
        return jobs;
    }

    /** Lets a thread take its next job, if there is one. */
    private CompletableFuture<@Nullable HeldJob> taking(@Nullable HeldJob ended) throws InterruptedException {
        CompletableFuture<@Nullable HeldJob> taken = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                taken.complete(PartsFixture.take(buffer, ended));
            } catch (InterruptedException e) {
                taken.completeExceptionally(e);
            }
        });
        thread.setDaemon(true);
        thread.start();
        EngineFixture.await(() -> taken.isDone() || thread.getState() == Thread.State.WAITING);
        return taken;
    }

    @Test
    void aLargeJobTakesSeveralUnitsOfCapacity() throws Exception {
        List<HeldJob> jobs = add("large", "small", "small");
        assertThat(PartsFixture.take(buffer)).isSameAs(jobs.get(0));
        assertThat(capacity.free()).isEqualTo(1);
        assertThat(PartsFixture.take(buffer)).isSameAs(jobs.get(1));
        CompletableFuture<@Nullable HeldJob> third = taking(null);
        assertThat(third).as("no capacity is free").isNotDone();
        assertThat(PartsFixture.take(buffer, jobs.get(1)))
                .as("in place of the one that has ended")
                .isSameAs(jobs.get(2));
        assertThat(third).isNotDone();
        CompletableFuture<@Nullable HeldJob> last = taking(jobs.get(0));
        add("small", "small");
        assertThat(List.of(third.get(), last.get())).doesNotContainNull().doesNotHaveDuplicates();
    }

    /** One thread frees three units of capacity, which three threads must use. */
    @Test
    void allUnitsThatALargeJobFreesAreUsedAtOnce() throws Exception {
        List<HeldJob> jobs = add("large", "small", "small", "small", "small");
        PartsFixture.take(buffer);
        PartsFixture.take(buffer);
        List<CompletableFuture<@Nullable HeldJob>> waiting = List.of(taking(null), taking(null));
        assertThat(PartsFixture.take(buffer, jobs.get(0))).isNotNull();
        for (CompletableFuture<@Nullable HeldJob> each : waiting) {
            assertThat(each.get()).isNotNull();
        }
        assertThat(capacity.free()).isZero();
    }

    @Test
    void capacityIsReservedForALargeJobAfterSmallJobsHaveOvertakenIt() throws Exception {
        add("small", "small");
        HeldJob first = PartsFixture.take(buffer);
        HeldJob second = PartsFixture.take(buffer);
        List<HeldJob> jobs = add("large", "small", "small", "small", "small", "small", "small");
        assertThat(buffer.level().kept()).isFalse();
        assertThat(buffer.level().idle()).as("no thread is idle").isZero();
        HeldJob passing = null;
        for (int i = 1; i <= 4; i++) {
            passing = PartsFixture.take(buffer, passing);
            assertThat(passing).isSameAs(jobs.get(i));
        }
        CompletableFuture<@Nullable HeldJob> fifth = taking(passing);
        assertThat(fifth).as("two units are free, but reserved").isNotDone();
        assertThat(buffer.level())
                .isEqualTo(new Buffer.Level(5, 0, buffer.level().bytes(), 3, true, 0));
        assertThat(PartsFixture.take(buffer, first)).isSameAs(jobs.get(0));
        assertThat(fifth).isNotDone();
        assertThat(PartsFixture.take(buffer, second)).isSameAs(jobs.get(5));
        assertThat(capacity.mayPass()).as("counted from the beginning").isTrue();
    }

    /**
     * When a large job is released, the buffer remembers how much has passed it. Otherwise a worker that releases the large job each time
     * would never run it.
     */
    @Test
    void theCountOfJobsThatOvertookALargeJobSurvivesItsRelease() throws Exception {
        add("small", "small");
        PartsFixture.take(buffer);
        PartsFixture.take(buffer);
        List<HeldJob> jobs = add("large", "small", "small", "small", "small", "small");
        HeldJob passing = null;
        for (int i = 0; i < 4; i++) {
            passing = PartsFixture.take(buffer, passing);
        }
        assertThat(buffer.emptyBehind())
                .as("capacity is reserved for the first one")
                .containsExactly(jobs.get(5));
        assertThat(buffer.empty()).containsExactly(jobs.get(0));
        buffer.add(List.of(jobs.get(0), jobs.get(5)));
        assertThat(buffer.level().kept()).isTrue();
        assertThat(taking(passing)).isNotDone();
    }

    @Test
    void aWorkerScaledBelowTheWeightOfAJobRunsItAlone() throws Exception {
        assertThat(buffer.scale(2)).isZero();
        List<HeldJob> jobs = add("larger", "small");
        assertThat(taking(null).get())
                .as("there are more threads than capacity")
                .isNull();
        assertThat(taking(null).get()).isNull();
        assertThat(PartsFixture.take(buffer)).isSameAs(jobs.get(0));
        CompletableFuture<@Nullable HeldJob> next = taking(null);
        assertThat(next).isNotDone();
        assertThat(buffer.scale(4)).as("two threads are missing").isEqualTo(2);
        assertThat(next.get()).isSameAs(jobs.get(1));
    }

    @Test
    void capacityIsFreedOnce() throws Exception {
        HeldJob large = add("large").get(0);
        assertThat(PartsFixture.take(buffer)).isSameAs(large);
        assertThat(buffer.putBack(List.of(large))).isTrue();
        assertThat(capacity.free()).isEqualTo(4);
        capacity.leave(large);
        assertThat(capacity.free()).isEqualTo(4);
    }

    @Test
    void jobsBeyondTheCapacityAreRemovedFromTheEnd() {
        List<HeldJob> jobs = add("large", "small", "larger", "small");
        assertThat(buffer.beyond(9)).isEmpty();
        assertThat(buffer.beyond(5)).containsExactly(jobs.get(2), jobs.get(3));
        assertThat(buffer.beyond(1)).containsExactly(jobs.get(1));
        assertThat(buffer.beyond(1)).as("never all").isEmpty();
    }

    @Test
    void onlyJobsThatFitTheCapacityAreNext() {
        List<HeldJob> jobs = add("small", "large", "small");
        assertThat(buffer.next(4)).containsExactly(jobs.get(0), jobs.get(1));
        assertThat(buffer.next(3)).containsExactly(jobs.get(0));
    }
}

package dev.pawl.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.api.Strategy;
import dev.pawl.internal.quota.LocalLimits;
import dev.pawl.internal.store.Allocation;
import dev.pawl.limit.Subject;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class BufferTest {
    private final FakeStore store = new FakeStore();
    private final List<Buffer.Level> whenLow = new ArrayList<>();
    private final LocalLimits localLimits = new LocalLimits(subject -> 2, queue -> true, Set.of());
    private final Buffer buffer = new Buffer(this::low, () -> {}, localLimits, new Capacity(1, Map.of()));
    private boolean addWhenLow;

    private void low() {
        whenLow.add(buffer.level());
        if (addWhenLow) {
            addWhenLow = false;
            buffer.add(jobs(1));
        }
    }

    private List<HeldJob> jobs(int count) {
        try {
            store.add(count, "12345", 20);
            return PartsFixture.claim(store, Strategy.AUTO, true, Duration.ofHours(1));
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void jobsAreTakenInTheirOrder() throws Exception {
        List<HeldJob> jobs = jobs(3);
        assertThat(buffer.add(jobs)).isTrue();
        assertThat(buffer.level()).isEqualTo(new Buffer.Level(3, 0, 15, 0));
        assertThat(buffer.next(2)).containsExactly(jobs.get(0), jobs.get(1));
        assertThat(PartsFixture.take(buffer)).isSameAs(jobs.get(0));
        assertThat(PartsFixture.take(buffer)).isSameAs(jobs.get(1));
        assertThat(buffer.level()).isEqualTo(new Buffer.Level(1, 0, 5, 0));
    }

    @Test
    void jobsArePutBackUnlessItIsClosed() {
        List<HeldJob> jobs = jobs(2);
        assertThat(buffer.putBack(jobs)).isTrue();
        assertThat(buffer.close()).containsExactlyElementsOf(jobs);
        assertThat(buffer.putBack(jobs)).isFalse();
    }

    @Test
    void aThreadThatFindsNoJobAsksForMoreAndIsIdleUntilOneArrives() throws Exception {
        addWhenLow = true;
        assertThat(PartsFixture.take(buffer)).isNotNull();
        assertThat(whenLow.get(0)).isEqualTo(new Buffer.Level(0, 1, 0, 0));
        assertThat(buffer.level().idle()).isZero();
    }

    @Test
    void moreJobsAreRequestedOnceWhenHalfOfTheJobsAreTaken() throws Exception {
        buffer.add(jobs(10));
        for (int i = 0; i < 4; i++) {
            PartsFixture.take(buffer);
        }
        assertThat(whenLow).isEmpty();
        PartsFixture.take(buffer);
        assertThat(whenLow).containsExactly(new Buffer.Level(5, 0, 25, 0));
        PartsFixture.take(buffer);
        assertThat(whenLow).hasSize(1);
    }

    @Test
    void aWaitingHandlerGetsTheNextJob() throws Exception {
        CompletableFuture<HeldJob> taken = new CompletableFuture<>();
        Thread taking = taking(taken);
        List<HeldJob> jobs = jobs(1);
        buffer.add(jobs);
        taking.join();
        assertThat(taken.get()).isSameAs(jobs.get(0));
    }

    @Test
    void closingEndsTheWaitsOfHandlersAndRefusesNewJobs() throws Exception {
        CompletableFuture<HeldJob> taken = new CompletableFuture<>();
        Thread taking = taking(taken);
        assertThat(buffer.isClosed()).isFalse();
        assertThat(buffer.close()).isEmpty();
        taking.join();
        assertThat(taken.get()).isNull();
        assertThat(buffer.isClosed()).isTrue();
        assertThat(buffer.add(jobs(1))).isFalse();
        assertThat(buffer.level()).isEqualTo(new Buffer.Level(0, 0, 0, 0));
        int asked = whenLow.size();
        assertThat(PartsFixture.take(buffer)).isNull();
        assertThat(whenLow).hasSize(asked);
    }

    @Test
    void closingReturnsTheJobsThatHaveNotStarted() throws Exception {
        List<HeldJob> jobs = jobs(2);
        buffer.add(jobs);
        assertThat(buffer.close()).isEqualTo(jobs);
        assertThat(PartsFixture.take(buffer)).isNull();
    }

    private Thread taking(CompletableFuture<HeldJob> taken) throws InterruptedException {
        Thread thread = new Thread(() -> {
            try {
                taken.complete(PartsFixture.take(buffer));
            } catch (InterruptedException e) {
                taken.completeExceptionally(e);
            }
        });
        thread.start();
        PartsFixture.awaitWaiting(thread);
        return thread;
    }

    private void limit(int atOnce) {
        Subject queue = Subject.queue(jobs(1).get(0).job().queue());
        assertThat(localLimits.limited(Set.of(queue))).isTrue();
        Allocation.Permits capacity = new Allocation.Permits(atOnce, atOnce, 0);
        Allocation dealt = new Allocation(true, capacity, null, Duration.ZERO, false);
        assertThat(localLimits.allocated(queue, dealt, System.nanoTime())).isTrue();
    }

    @Test
    void takingTheNextJobReleasesTheLimiterOfThePreviousJob() throws Exception {
        limit(1);
        List<HeldJob> jobs = jobs(3);
        buffer.add(jobs);
        assertThat(PartsFixture.take(buffer)).isSameAs(jobs.get(0));
        assertThat(buffer.waiting()).isZero();
        assertThat(PartsFixture.take(buffer, jobs.get(0))).isSameAs(jobs.get(1));
        assertThat(jobs.get(0).limiter()).isNull();
        assertThat(PartsFixture.take(buffer, jobs.get(1))).isSameAs(jobs.get(2));
    }

    @Test
    void takingTheNextJobReleasesTheLimitersOfAllJobsOfAChunk() throws Exception {
        limit(2);
        List<HeldJob> jobs = jobs(4);
        buffer.add(jobs);
        List<HeldJob> chunk = new ArrayList<>(buffer.take(List.of()));
        chunk.addAll(buffer.take(List.of()));
        assertThat(buffer.waiting()).isZero();
        assertThat(buffer.take(chunk)).containsExactly(jobs.get(2));
        assertThat(PartsFixture.take(buffer)).isSameAs(jobs.get(3));
    }

    /** The handler is still running, so its limit must count it although its thread was replaced. */
    @Test
    void aStuckHandlerKeepsItsLimiterWhenItsCapacityIsReleased() throws Exception {
        limit(1);
        List<HeldJob> jobs = jobs(2);
        buffer.add(jobs);
        HeldJob stuckJob = Objects.requireNonNull(PartsFixture.take(buffer));
        buffer.releaseCapacity(stuckJob);
        assertThat(buffer.waiting()).isZero();
        buffer.leave(stuckJob);
        buffer.leave(stuckJob);
        assertThat(buffer.waiting()).isEqualTo(1);
        assertThat(PartsFixture.take(buffer)).isSameAs(jobs.get(1));
        assertThat(buffer.waiting()).as("only one unit became free").isZero();
    }

    @Test
    void aFreedPermitWakesAThreadThatWaitsForIt() throws Exception {
        limit(1);
        List<HeldJob> jobs = jobs(2);
        buffer.add(jobs);
        HeldJob first = Objects.requireNonNull(PartsFixture.take(buffer));
        CompletableFuture<HeldJob> taken = new CompletableFuture<>();
        Thread taking = taking(taken);
        buffer.leave(first);
        taking.join();
        assertThat(taken.get()).isSameAs(jobs.get(1));
    }

    @Test
    void aJobIsDroppedOnceAndTheOtherJobsAreRemovedTogether() {
        List<HeldJob> jobs = jobs(3);
        buffer.add(jobs);
        assertThat(buffer.drop(jobs.get(1))).isTrue();
        assertThat(buffer.drop(jobs.get(1))).isFalse();
        assertThat(buffer.level()).isEqualTo(new Buffer.Level(2, 0, 10, 0));
        assertThat(buffer.empty()).containsExactly(jobs.get(0), jobs.get(2));
        assertThat(buffer.level()).isEqualTo(new Buffer.Level(0, 0, 0, 0));
    }
}

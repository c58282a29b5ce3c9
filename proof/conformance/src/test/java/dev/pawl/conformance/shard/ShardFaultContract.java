package dev.pawl.conformance.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.pawl.api.DatabaseException;
import dev.pawl.api.EnqueueResult;
import dev.pawl.api.SchemaException;
import dev.pawl.servers.Delay;
import dev.pawl.shard.Fleet;
import dev.pawl.shard.Shard;
import dev.pawl.shard.ShardedQueue;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A database that hangs, and programs that name or start the wrong things. */
abstract class ShardFaultContract extends ShardFixture {
    private final List<Thread> threads = new CopyOnWriteArrayList<>();

    final Thread started(Runnable work) {
        Thread thread = new Thread(work);
        thread.setDaemon(true);
        thread.start();
        threads.add(thread);
        return thread;
    }

    /** When the database begins to hang, its worker has claimed many jobs, and uses the whole capacity of the fleet. */
    @Test
    void aDatabaseThatHangsDelaysOnlyItsOwnJobs() {
        startQuick(4);
        b.queue().enqueueAll(GREET, names(3_000));
        await().atMost(LONG).until(() -> ran(b).size() > 100);
        second.hang();
        await().atMost(LONG).until(() -> second.waiting() > 0);
        long begun = System.nanoTime();
        for (int i = 1; i <= 5; i++) {
            int jobs = 20 * i;
            a.queue().enqueueAll(GREET, names(20));
            await().atMost(LONG).until(() -> ran(a).size() == jobs);
        }
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(3));
        second.goOn();
        await().atMost(LONG).until(() -> ran(b).size() == 3_000);
        assertThat(most).hasValueLessThanOrEqualTo(4);
    }

    @Test
    void databasesInAnotherOrderAreRefusedBeforeTheirFirstJob() {
        a.queue();
        b.queue();
        ShardedQueue swapped = newQueue("b", second, "a", first);
        assertThatThrownBy(() -> swapped.shard("a").queue())
                .isInstanceOf(SchemaException.class)
                .hasMessageContaining("ids of shard 0");
        assertThatThrownBy(() -> swapped.shard("b").queue()).isInstanceOf(SchemaException.class);
        ShardedQueue same = newQueue("a", first, "b", second);
        assertThat(same.shard("a").queue().enqueue(GREET, "one").jobId()).isLessThan(1L << 43);
        assertThat(same.shard("b").queue().enqueue(GREET, "two").jobId()).isGreaterThan(1L << 43);
    }

    @Test
    void aShardThatIsOpenOrHasANumberGetsNoOther() {
        Shard early = Shard.of("early", builder(0, first));
        opened.add(0, early);
        early.queue();
        Shard late = Shard.of("late", builder(1, second));
        assertThatThrownBy(() -> ShardedQueue.of(late, early))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'early'")
                .hasMessageContaining("opened before");
        assertThatThrownBy(() -> ShardedQueue.of(b, a))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'b' cannot become number 0");
        assertThat(ShardedQueue.of(a, b).shards()).containsExactly(a, b);
        assertThat(ShardedQueue.of(late).shards()).containsExactly(late);
    }

    @Test
    void threadsThatNeedAShardWaitForOneTryTogether() throws Exception {
        second.hang();
        List<RuntimeException> failures = new CopyOnWriteArrayList<>();
        for (int i = 0; i < 4; i++) {
            started(() -> {
                try {
                    b.queue();
                } catch (RuntimeException e) {
                    failures.add(e);
                }
            });
        }
        await().atMost(LONG)
                .until(() -> threads.stream().allMatch(thread -> thread.getState() != Thread.State.RUNNABLE)
                        && second.waiting() == 1);
        assertThat(a.queue().enqueue(GREET, "one").jobId()).isPositive();
        second.down(true);
        second.goOn();
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(failures)
                .hasSize(4)
                .allSatisfy(failure -> assertThat(failure)
                        .isInstanceOf(DatabaseException.class)
                        .hasMessageStartingWith("shard 'b': "));
        assertThat(second.refused()).isEqualTo(1);
        second.down(false);
        assertThat(b.queue().enqueue(GREET, "two").jobId()).isGreaterThan(1L << 43);
    }

    @Test
    void anInterruptOfTheThreadThatOpensAShardIsNoFailureOfTheOthers() throws Exception {
        second.hang();
        List<RuntimeException> failures = new CopyOnWriteArrayList<>();
        Runnable open = () -> {
            try {
                b.queue();
            } catch (RuntimeException e) {
                failures.add(e);
            }
        };
        Thread first = started(open);
        await().atMost(LONG).until(() -> second.waiting() == 1);
        Thread other = started(open);
        await().atMost(LONG).until(() -> other.getState() == Thread.State.WAITING);
        first.interrupt();
        first.join();
        await().atMost(LONG).until(() -> second.waiting() == 1);
        second.goOn();
        other.join();
        assertThat(failures).singleElement().isInstanceOf(DatabaseException.class);
        assertThat(b.isOpen()).isTrue();
    }

    @Test
    void aShardThatHangsWhileItOpensCanBeClosed() throws Exception {
        second.hang();
        List<RuntimeException> failures = new CopyOnWriteArrayList<>();
        Thread opening = started(() -> {
            try {
                b.queue();
            } catch (RuntimeException e) {
                failures.add(e);
            }
        });
        await().atMost(LONG).until(() -> second.waiting() == 1);
        queue.close();
        second.goOn();
        opening.join();
        assertThat(failures).singleElement().isInstanceOf(IllegalStateException.class);
        assertThat(b.isOpen()).isFalse();
    }

    @Test
    void aShardThatIsOutOfReachDoesNotKeepOthersFromUniquePayloads() {
        first.down(true);
        int inserted = 0;
        for (String name : names(20)) {
            try {
                EnqueueResult result = queue.enqueue(GREET, name, PLAIN.uniqueByPayload());
                assertThat(queue.shardOf(result.jobId())).isSameAs(b);
                inserted++;
            } catch (DatabaseException e) {
                assertThat(e).hasMessageStartingWith("shard 'a': ");
            }
        }
        assertThat(inserted).isBetween(1, 19);
    }

    /** For example, a pool cannot be created. */
    @Test
    void aWorkerIsTriedAgainWhateverThePoolThrows() {
        second.broken(new RuntimeException("the pool cannot be made"));
        Fleet fleet = startQuick(4);
        assertThat(fleet.worker(a)).isPresent();
        assertThat(fleet.worker(b)).isEmpty();
        second.broken(null);
        await().atMost(LONG).until(() -> fleet.worker(b).isPresent());
    }

    @Test
    void aWorkerIsTriedAgainIfItCannotBeDescribedYet() {
        AtomicInteger tries = new AtomicInteger();
        second.down(true);
        Fleet fleet = start(4, (shard, worker) -> {
            if (shard == b && tries.incrementAndGet() < 3) {
                throw new RuntimeException("there is no secret yet");
            }
            worker.handle(GREET, (name, run) -> {});
        });
        second.down(false);
        await().atMost(LONG).until(() -> fleet.worker(b).isPresent());
        assertThat(tries).hasValue(3);
    }

    @Test
    void aFleetThatDrainsStartsNoWorker() throws Exception {
        second.down(true);
        Fleet fleet = startQuick(4);
        fleet.drain();
        second.down(false);
        b.queue().enqueue(GREET, "one");
        Delay.quiet(1_500);
        assertThat(fleet.worker(b)).isEmpty();
        assertThat(ran(b)).isEmpty();
    }

    @Test
    void aHandlerMayStopItsFleet() throws Exception {
        CountDownLatch returned = new CountDownLatch(1);
        CountDownLatch mayStop = new CountDownLatch(1);
        List<Fleet> fleets = new CopyOnWriteArrayList<>();
        Fleet fleet = start(
                4,
                (shard, worker) -> worker.handle(GREET, (name, run) -> {
                    mayStop.await();
                    fleets.get(0).stop(LONG);
                    returned.countDown();
                }));
        fleets.add(fleet);
        a.queue().enqueue(GREET, "one");
        long begun = System.nanoTime();
        mayStop.countDown();
        returned.await();
        fleet.worker(a).orElseThrow().join();
        fleet.worker(b).orElseThrow().join();
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(LONG.dividedBy(2));
    }

    @Test
    void aFleetWaitsForeverIfItShall() throws Exception {
        Fleet fleet = startQuick(4);
        queue.enqueueAll(GREET, names(4));
        assertThat(fleet.awaitIdle(Duration.ofSeconds(Long.MAX_VALUE))).isTrue();
        assertThat(ran(a).size() + ran(b).size()).isEqualTo(4);
    }

    @Test
    void shardsOfAFleetHaveNamesOfTheirOwn() {
        List<Shard> twice = List.of(Shard.of("x", builder(0, first)), Shard.of("x", builder(1, second)));
        assertThatThrownBy(() -> Fleet.start(4, twice, (shard, worker) -> worker.handle(GREET, (name, run) -> {})))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'x'");
    }
}

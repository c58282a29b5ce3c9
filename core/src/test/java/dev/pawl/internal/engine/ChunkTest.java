package dev.pawl.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.api.Chunk;
import dev.pawl.api.ChunkHandler;
import dev.pawl.api.ChunkOptions;
import dev.pawl.api.HandlerOptions;
import dev.pawl.api.JobState;
import dev.pawl.api.JobType;
import dev.pawl.api.Outcome;
import dev.pawl.api.PayloadCodec;
import dev.pawl.api.RetryPolicy;
import dev.pawl.api.RunInterceptor;
import dev.pawl.api.TypeToken;
import dev.pawl.api.WorkerEvent;
import dev.pawl.internal.Delay;
import dev.pawl.internal.store.Lease;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Chunk handlers, over the store in memory. */
class ChunkTest extends EngineFixture {
    private static final JobType<String> GREET = JobType.of("greet", String.class);

    private final Queue<Integer> sizes = new ConcurrentLinkedQueue<>();
    private final Queue<WorkerEvent> events = new ConcurrentLinkedQueue<>();

    /** A codec that keeps strings unchanged. */
    private static final class AsItIs implements PayloadCodec {
        @Override
        public <T> String encode(T payload, TypeToken<T> type) {
            return payload.toString();
        }

        @Override
        @SuppressWarnings("unchecked") // the only type here is String
        public <T> T decode(String text, TypeToken<T> type) {
            if (text.startsWith("bad")) {
                throw new IllegalStateException("cannot read " + text);
            }
            return (T) text;
        }
    }

    private Engine startChunks(int handlers, ChunkOptions chunk, ChunkHandler<String> work) {
        Handlers kinds = new Handlers(new AsItIs());
        kinds.addChunk(
                GREET,
                chunk,
                all -> {
                    sizes.add(all.items().size());
                    work.handle(all);
                },
                options);
        listeners.add(events::add);
        return start(handlers, kinds);
    }

    private <E extends WorkerEvent> Set<Long> told(Class<E> of) {
        return events.stream()
                .filter(of::isInstance)
                .map(event -> event.job().id())
                .collect(Collectors.toSet());
    }

    @Test
    void oneCallHandlesAllWaitingJobsUpToTheMaximum() throws Exception {
        store.add(250, 3);
        startChunks(1, ChunkOptions.of(100), chunk -> {});
        awaitCompleted(250);
        assertThat(sizes).containsExactly(100, 100, 50);
        assertThat(told(WorkerEvent.Started.class)).hasSize(250);
        await(() -> told(WorkerEvent.Completed.class).size() == 250);
    }

    @Test
    void eachJobHasAnOutcomeOfItsOwn() throws Exception {
        store.add("good", 1);
        store.add("fails", 1);
        store.add("cancelled", 3);
        store.add("bad payload", 1);
        startChunks(1, ChunkOptions.of(10), chunk -> {
            for (Chunk.Item<String> item : chunk.items()) {
                switch (item.payload()) {
                    case "fails" -> item.fails(new IllegalStateException("this one"));
                    case "cancelled" -> item.ends(Outcome.cancel("not wanted"));
                    default -> {}
                }
            }
        });
        await(() -> store.count(JobState.COMPLETED) == 1
                && store.count(JobState.CANCELLED) == 1
                && store.count(JobState.DISCARDED) == 2);
        assertThat(sizes).containsExactly(3);
        assertThat(store.errors())
                .hasSize(2)
                .anyMatch(error -> error.contains("this one"))
                .anyMatch(error -> error.contains("cannot read bad payload"));
    }

    @Test
    void aFailedCallFailsEachJobWithoutAnOutcome() throws Exception {
        store.add("said", 1);
        for (int i = 0; i < 4; i++) {
            store.add("unsaid", 1);
        }
        startChunks(1, ChunkOptions.of(10), chunk -> {
            chunk.items().get(0).ends(Outcome.completed());
            throw new IllegalStateException("the service is down");
        });
        await(() -> store.count(JobState.COMPLETED) == 1 && store.count(JobState.DISCARDED) == 4);
        assertThat(store.errors()).hasSize(4).allMatch(error -> error.contains("the service is down"));
    }

    @Test
    void onlyTheJobsThatFailAreTriedAgain() throws Exception {
        store.add(20, 3);
        AtomicInteger calls = new AtomicInteger();
        Set<Long> seen = new HashSet<>();
        startChunks(1, ChunkOptions.of(20), chunk -> {
            calls.incrementAndGet();
            for (Chunk.Item<String> item : chunk.items()) {
                if (item.run().attempt() == 1 && item.run().job().id() % 5 == 0) {
                    item.fails(new IllegalStateException("at first"));
                } else {
                    assertThat(seen.add(item.run().job().id())).isTrue();
                }
            }
        });
        awaitCompleted(20);
        assertThat(seen).hasSize(20);
    }

    @Test
    void aCancelledJobDoesNotInterruptTheOthersOfItsCall() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch seen = new CountDownLatch(1);
        lease = Duration.ofSeconds(30);
        store.add(3, 1);
        startChunks(1, ChunkOptions.of(3), chunk -> {
            begun.countDown();
            while (!chunk.items().get(1).run().isCancelled()) {
                Delay.work(5); // an interrupt would end this
            }
            assertThat(chunk.isCancelled()).isFalse();
            seen.countDown();
            throw new IllegalStateException("after it was cancelled");
        });
        assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
        store.cancelled.add(new Lease(2, 1));
        assertThat(seen.await(30, TimeUnit.SECONDS)).isTrue();
        await(() -> store.count(JobState.CANCELLED) == 1 && store.count(JobState.DISCARDED) == 2);
        assertThat(store.errors()).hasSize(2).allMatch(error -> error.contains("after it was cancelled"));
    }

    @Test
    void whenAllAreCancelledTheCallIsInterrupted() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        lease = Duration.ofSeconds(30);
        store.add(3, 1);
        startChunks(1, ChunkOptions.of(3), chunk -> {
            begun.countDown();
            released.await();
        });
        assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
        for (long id = 1; id <= 3; id++) {
            store.cancelled.add(new Lease(id, 1));
        }
        await(() -> store.count(JobState.CANCELLED) == 3);
    }

    @Test
    void aTimeoutEndsTheCallAndEachAttempt() throws Exception {
        options = options.timeout(Duration.ofMillis(50));
        store.add(5, 1);
        startChunks(1, ChunkOptions.of(5), chunk -> released.await());
        await(() -> store.count(JobState.DISCARDED) == 5);
        assertThat(sizes).containsExactly(5);
        assertThat(store.errors()).hasSize(5).allMatch(error -> error.contains("timed out"));
    }

    @Test
    void theThreadOfACallThatIgnoresItsInterruptIsReplacedOnce() throws Exception {
        options = options.timeout(Duration.ofMillis(50));
        store.add(5, 1);
        CountDownLatch end = new CountDownLatch(1);
        AtomicInteger calls = new AtomicInteger();
        Engine engine = startChunks(1, ChunkOptions.of(5), chunk -> {
            if (calls.incrementAndGet() == 1) {
                while (end.getCount() > 0) {
                    Thread.onSpinWait();
                }
            }
        });
        await(() -> store.count(JobState.DISCARDED) == 5);
        store.add(5, 1);
        awaitCompleted(5);
        end.countDown();
        assertThat(engine.isAlive()).isTrue();
        assertThat(sizes).containsExactly(5, 5);
    }

    @Test
    void oneTransactionCompletesAll() throws Exception {
        store.add(6, 1);
        List<Integer> written = new ArrayList<>();
        startChunks(1, ChunkOptions.of(6), chunk -> {
            chunk.items().get(0).ends(Outcome.cancel("not this one"));
            chunk.transaction((connection, items) -> written.add(items.size()));
            assertThatThrownBy(() -> chunk.transaction((connection, items) -> written.add(-1)))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("completed already");
            throw new IllegalStateException("afterwards");
        });
        await(() -> store.count(JobState.COMPLETED) == 5 && store.count(JobState.CANCELLED) == 1);
        await(() -> told(WorkerEvent.Completed.class).size() == 5);
        assertThat(written).containsExactly(5);
    }

    @Test
    void aJobThatItsTransactionLeavesOutIsNotCompletedWithIt() throws Exception {
        store.add(3, 1);
        store.unlockable.add(2L);
        List<Long> written = new ArrayList<>();
        startChunks(
                1,
                ChunkOptions.of(3),
                chunk -> chunk.transaction((connection, items) ->
                        items.forEach(item -> written.add(item.run().job().id()))));
        await(() -> store.count(JobState.COMPLETED) == 2 && store.count(JobState.DISCARDED) == 1);
        assertThat(written).containsExactly(1L, 3L);
        assertThat(store.errors()).singleElement().asString().contains("LeaseLostException");
    }

    @Test
    void anOutcomeSetWithinATransactionRollsItBack() throws Exception {
        store.add(4, 1);
        startChunks(
                1,
                ChunkOptions.of(4),
                chunk -> chunk.transaction((connection, items) -> {
                    items.get(0).ends(Outcome.cancel("not this one"));
                    items.get(1).ends(Outcome.completed()); // the transaction is rolled back, so the job cannot be
                    // completed
                    items.get(2).fails(new IllegalStateException("nor this one"));
                }));
        await(() -> store.count(JobState.CANCELLED) == 1 && store.count(JobState.DISCARDED) == 3);
        assertThat(store.errors())
                .hasSize(3)
                .anyMatch(error -> error.contains("nor this one"))
                .filteredOn(error -> error.contains("was set within chunk.transaction"))
                .hasSize(2);
    }

    @Test
    void anOutcomeSetWithinATransactionOfASingleJobRollsItBack() throws Exception {
        store.add(1, 1);
        startChunks(
                1,
                ChunkOptions.of(4),
                chunk -> chunk.transaction((connection, items) -> items.get(0).ends(Outcome.completed())));
        await(() -> store.count(JobState.DISCARDED) == 1);
        assertThat(store.errors()).singleElement().asString().contains("was set within chunk.transaction");
    }

    @Test
    void stepsAreRefused() throws Exception {
        store.add(2, 1);
        startChunks(1, ChunkOptions.of(2), chunk -> chunk.items().get(0).run().step("one", () -> {}));
        await(() -> store.count(JobState.DISCARDED) == 2);
        store.add(1, 1); // a single job is handled like any other
        await(() -> store.count(JobState.DISCARDED) == 3);
        assertThat(store.errors()).hasSize(3).allMatch(error -> error.contains("takes no steps"));
    }

    private static Outcome deeply(int frames, RunInterceptor.Handling handler) throws Exception {
        return frames == 0 ? handler.proceed() : deeply(frames - 1, handler);
    }

    /** Each attempt halves the chunk until it fits. */
    @Test
    void interceptorsThatOverflowTheStackAreReportedAsTooMany() throws Exception {
        interceptors.add((run, handler) -> deeply(300, handler));
        options = HandlerOptions.DEFAULTS.retryPolicy(RetryPolicy.fixed(Duration.ZERO));
        store.add(200, 20);
        startChunks(1, ChunkOptions.of(200), chunk -> {});
        awaitCompleted(200);
        assertThat(store.errors())
                .hasSizeGreaterThanOrEqualTo(200)
                .allMatch(error -> error.contains("do not fit on the stack of a thread"));
        assertThat(sizes).first().satisfies(size -> assertThat(size).isLessThanOrEqualTo(100));
    }

    @Test
    void interceptorsStandAroundEachRun() throws Exception {
        Set<Long> around = ConcurrentHashMap.newKeySet();
        interceptors.add((run, handler) -> {
            around.add(run.job().id());
            return handler.proceed();
        });
        for (int i = 0; i < 8; i++) {
            interceptors.add((run, handler) -> handler.proceed());
        }
        interceptors.add(
                (run, handler) -> run.job().id() == 2 ? Outcome.cancel("by an interceptor") : handler.proceed());
        store.add(1_000, 1);
        startChunks(1, ChunkOptions.of(1_000), chunk -> {});
        await(() -> store.count(JobState.COMPLETED) == 999 && store.count(JobState.CANCELLED) == 1);
        assertThat(around).hasSize(1_000);
        // some chunks are smaller, because a chunk does not wait for more jobs by default
        assertThat(sizes).allMatch(size -> size <= 40).contains(40);
    }

    /** A chunk interceptor runs inside the run interceptors, sees the handler's chunk, and also surrounds a job that runs alone. */
    @Test
    void interceptorsOfACallStandAroundItOnce() throws Exception {
        Queue<String> order = new ConcurrentLinkedQueue<>();
        interceptors.add((run, handler) -> {
            order.add("job " + run.job().id());
            return handler.proceed();
        });
        chunkInterceptors.add((chunk, handler) -> {
            order.add("outer " + chunk.items().size());
            handler.proceed();
            order.add("over");
        });
        chunkInterceptors.add((chunk, handler) -> {
            order.add("inner");
            if (chunk.items().size() == 2) {
                throw new IllegalStateException("no room");
            }
            handler.proceed();
            handler.proceed();
        });
        store.add("bad payload", 1);
        store.add("fine", 1);
        store.add("fine", 1);
        startChunks(1, ChunkOptions.of(3), chunk -> order.add("handler"));
        await(() -> store.count(JobState.DISCARDED) == 3);
        assertThat(order).containsExactly("job 1", "job 2", "job 3", "outer 2", "inner");
        assertThat(store.errors())
                .filteredOn(error -> error.contains("no room"))
                .hasSize(2);
        order.clear();
        store.add("fine", 1);
        await(() -> store.count(JobState.DISCARDED) == 4);
        assertThat(order).containsExactly("job 4", "outer 1", "inner", "handler");
        assertThat(store.errors()).anyMatch(error -> error.contains("proceed() was called a second time"));
    }

    @Test
    void jobsWaitForOthersAsLongAsTheyMay() throws Exception {
        lease = Duration.ofSeconds(30);
        startChunks(2, ChunkOptions.of(3).linger(Duration.ofSeconds(60)), chunk -> {});
        store.add(2, 1);
        await(() -> store.calls("claim") > 3);
        assertThat(sizes).isEmpty();
        store.add(1, 1);
        awaitCompleted(3);
        assertThat(sizes).containsExactly(3);
    }

    @Test
    void aChunkThatHasWaitedLongEnoughRunsIncomplete() throws Exception {
        startChunks(1, ChunkOptions.of(3).linger(Duration.ofMillis(100)), chunk -> {});
        store.add(2, 1);
        awaitCompleted(2);
        assertThat(sizes).containsExactly(2);
    }

    @Test
    void sizesAndWaitsHaveARange() {
        assertThatThrownBy(() -> ChunkOptions.of(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ChunkOptions.of(1_001)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ChunkOptions.of(2).linger(Duration.ofSeconds(61)))
                .isInstanceOf(IllegalArgumentException.class);
    }
}

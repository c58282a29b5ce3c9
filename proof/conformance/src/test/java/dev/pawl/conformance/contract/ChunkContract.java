package dev.pawl.conformance.contract;

import static dev.pawl.conformance.contract.Fixture.GREET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.pawl.Worker;
import dev.pawl.WorkerBuilder;
import dev.pawl.admin.Admin;
import dev.pawl.api.Chunk;
import dev.pawl.api.ChunkHandler;
import dev.pawl.api.ChunkOptions;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.HandlerOptions;
import dev.pawl.api.Handlers;
import dev.pawl.api.JobState;
import dev.pawl.api.Outcome;
import dev.pawl.api.WorkerEvent;
import dev.pawl.limit.Limit;
import dev.pawl.servers.Delay;
import java.sql.PreparedStatement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Handlers that take several jobs at once. */
interface ChunkContract extends Contract {
    private List<Long> enqueue(int jobs, EnqueueOptions options) {
        return new ArrayList<>(IntStream.range(0, jobs)
                .mapToObj(
                        i -> fixture().queue.enqueue(GREET, "job " + i, options).jobId())
                .toList());
    }

    private WorkerBuilder chunks(int size, ChunkHandler<String> handler) {
        return fixture().newWorker().handle(GREET, Handlers.chunked(size, handler));
    }

    @Test
    default void aCallGetsManyJobsAndListenersGetEventsOfEach() throws Exception {
        List<Long> ids = enqueue(120, EnqueueOptions.DEFAULTS);
        Queue<Long> seen = new ConcurrentLinkedQueue<>();
        Queue<Integer> sizes = new ConcurrentLinkedQueue<>();
        Queue<Long> started = new ConcurrentLinkedQueue<>();
        Queue<Long> completed = new ConcurrentLinkedQueue<>();
        Worker worker = chunks(50, chunk -> {
                    sizes.add(chunk.items().size());
                    chunk.items().forEach(item -> seen.add(item.run().job().id()));
                })
                .concurrency(1)
                .listener(event -> {
                    if (event instanceof WorkerEvent.Started) {
                        started.add(event.job().id());
                    } else if (event instanceof WorkerEvent.Completed) {
                        completed.add(event.job().id());
                    }
                })
                .start();
        try (worker) {
            await().atMost(Fixture.SOON).until(() -> completed.size() == 120);
        }
        assertThat(sizes).allMatch(size -> size <= 50).hasSizeLessThanOrEqualTo(6);
        assertThat(seen).containsExactlyInAnyOrderElementsOf(ids);
        assertThat(started).containsExactlyInAnyOrderElementsOf(ids);
        assertThat(completed).containsExactlyInAnyOrderElementsOf(ids);
    }

    @Test
    default void eachJobOfACallEndsByItself() throws Exception {
        List<Long> ids = enqueue(6, EnqueueOptions.DEFAULTS.maxAttempts(1));
        AtomicBoolean first = new AtomicBoolean(true);
        Worker worker = chunks(6, chunk -> {
                    for (Chunk.Item<String> item : chunk.items()) {
                        long id = item.run().job().id();
                        if (id == ids.get(1)) {
                            item.fails(new IllegalStateException("only this one"));
                        } else if (id == ids.get(2)) {
                            item.ends(Outcome.cancel("not wanted"));
                        } else if (id == ids.get(3) && first.getAndSet(false)) {
                            item.ends(Outcome.snoozeFor(Duration.ZERO));
                        } else if (id == ids.get(4)) {
                            item.run().result("a result");
                        }
                    }
                })
                .start();
        try (worker) {
            for (int i = 0; i < 6; i++) {
                JobState expected = i == 1 ? JobState.DISCARDED : i == 2 ? JobState.CANCELLED : JobState.COMPLETED;
                assertThat(fixture().queue.handle(ids.get(i), String.class).await(Fixture.SOON))
                        .contains(expected);
            }
        }
        assertThat(fixture().queue.handle(ids.get(4), String.class).result()).contains("a result");
        assertThat(fixture().queue.handle(ids.get(5), String.class).result()).isEmpty();
        assertThat(fixture()
                        .queue
                        .admin()
                        .runs()
                        .failedAttempts(ids.get(1), Admin.UNLIMITED)
                        .get(0)
                        .error())
                .contains("only this one");
    }

    @Test
    default void aFailedCallChargesEachJobOneAttempt() throws Exception {
        List<Long> ids = enqueue(10, EnqueueOptions.DEFAULTS.maxAttempts(2));
        Map<Long, Integer> attempts = new ConcurrentHashMap<>();
        Worker worker = fixture()
                .newWorker()
                .handle(
                        GREET,
                        Handlers.chunked(ChunkOptions.of(10), chunk -> {
                            chunk.items()
                                    .forEach(item -> attempts.put(
                                            item.run().job().id(), item.run().attempt()));
                            if (chunk.items().get(0).run().attempt() == 1) {
                                throw new IllegalStateException("the same cause");
                            }
                        }),
                        HandlerOptions.DEFAULTS.retryPolicy(attempt -> Duration.ZERO))
                .start();
        try (worker) {
            for (long id : ids) {
                assertThat(fixture().queue.handle(id, String.class).await(Fixture.SOON))
                        .contains(JobState.COMPLETED);
                assertThat(fixture().queue.admin().runs().failedAttempts(id, Admin.UNLIMITED))
                        .singleElement()
                        .satisfies(attempt -> assertThat(attempt.error()).contains("the same cause"));
            }
        }
        assertThat(attempts.values()).allMatch(attempt -> attempt == 2);
    }

    @Test
    default void oneTransactionWritesForAllAndCompletesAll() throws Exception {
        fixture().execute("CREATE TABLE pawl_written (id BIGINT PRIMARY KEY)");
        List<Long> ids = enqueue(20, EnqueueOptions.DEFAULTS);
        AtomicInteger calls = new AtomicInteger();
        Worker worker = fixture()
                .newWorker()
                .handle(
                        GREET,
                        Handlers.chunked(ChunkOptions.of(20), chunk -> {
                            boolean fails = calls.incrementAndGet() == 1;
                            chunk.transaction((connection, items) -> {
                                try (PreparedStatement insert = connection.prepareStatement(
                                        fixture().database.dialect().sql("INSERT INTO pawl_written (id) VALUES (?)"))) {
                                    for (Chunk.Item<String> item : items) {
                                        insert.setLong(1, item.run().job().id());
                                        insert.addBatch();
                                    }
                                    int[] unused = insert.executeBatch();
                                }
                                if (fails) {
                                    throw new IllegalStateException("rolled back");
                                }
                            });
                        }),
                        HandlerOptions.DEFAULTS.retryPolicy(attempt -> Duration.ZERO))
                .start();
        try (worker) {
            for (long id : ids) {
                assertThat(fixture().queue.handle(id, String.class).await(Fixture.SOON))
                        .contains(JobState.COMPLETED);
            }
        }
        assertThat(calls.get()).isGreaterThanOrEqualTo(2);
        assertThat(fixture().count("pawl_written")).isEqualTo(20);
    }

    @Test
    default void cancellingOneJobOfACallDoesNotStopTheOthers() throws Exception {
        List<Long> ids = enqueue(3, EnqueueOptions.DEFAULTS.maxAttempts(1));
        CountDownLatch begun = new CountDownLatch(1);
        AtomicBoolean interrupted = new AtomicBoolean();
        Worker worker = fixture()
                .newWorker()
                .handle(
                        GREET,
                        Handlers.chunked(ChunkOptions.of(3), chunk -> {
                            begun.countDown();
                            for (Chunk.Item<String> item : chunk.items()) {
                                if (item.run().job().id() == ids.get(1)) {
                                    try {
                                        while (!item.run().isCancelled()) {
                                            Delay.work(10); // an interrupt would end this
                                        }
                                        item.ends(Outcome.cancel("so it should"));
                                    } catch (InterruptedException e) {
                                        interrupted.set(true);
                                    }
                                }
                            }
                        }),
                        HandlerOptions.DEFAULTS)
                .start();
        try (worker) {
            assertThat(begun.await(Fixture.SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
            fixture().queue.admin().jobs().cancel(ids.get(1));
            assertThat(fixture().queue.handle(ids.get(1), String.class).await(Fixture.SOON))
                    .contains(JobState.CANCELLED);
            assertThat(fixture().queue.handle(ids.get(2), String.class).await(Fixture.SOON))
                    .contains(JobState.COMPLETED);
        }
        assertThat(interrupted).isFalse();
    }

    @Test
    default void aLimitCountsTheJobsOfACall() throws Exception {
        fixture().queue.limits().set(Limit.kind(GREET.kind()).atOnce(4));
        List<Long> ids = enqueue(60, EnqueueOptions.DEFAULTS);
        List<Integer> sizes = Collections.synchronizedList(new ArrayList<>());
        try (Worker worker = chunks(10, chunk -> {
                    sizes.add(chunk.items().size());
                    Delay.work(20); // gives the worker time to query for further kinds that it may run
                })
                .concurrency(1)
                .start()) {
            for (long id : ids) {
                assertThat(fixture().queue.handle(id, String.class).await(Fixture.SOON))
                        .contains(JobState.COMPLETED);
            }
            assertThat(worker.isAlive()).isTrue();
        }
        assertThat(sizes).allMatch(size -> size <= 4).anyMatch(size -> size > 1);
    }
}

package dev.pawl.conformance.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.pawl.Worker;
import dev.pawl.conformance.RunsOn;
import dev.pawl.servers.Product;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Enqueuing transactions that stay open while others enqueue and workers claim. */
interface LateCommitContract extends Contract {
    /** For each thread, how long its transactions stay open, one after the other. */
    List<List<Integer>> OPEN_MILLIS = List.of(List.of(2_500, 0, 30), List.of(1_200, 300, 900), List.of(100, 1_800, 5));
    /** Duties run once a second, but a busy machine delays them. */
    Duration SLACK = Duration.ofSeconds(20);

    /**
     * A finished transaction.
     *
     * @param name of its job
     * @param openNanos from the enqueue to the commit
     * @param endedAt by System.nanoTime
     */
    record Ended(String name, long openNanos, long endedAt) {
        /** The bound of docs/inside/lanes.md. */
        Duration bound() {
            return Duration.ofNanos(3 * openNanos).plusSeconds(1).plus(SLACK);
        }
    }

    @Test
    @RunsOn({Product.POSTGRESQL, Product.MARIADB, Product.MYSQL})
    default void jobsOfLongTransactionsRunOnceAndWithinTheStatedTime() throws Exception {
        assumeTrue(fixture().database.dialect().mayCommitLate());
        Map<String, Queue<Long>> starts = new ConcurrentHashMap<>();
        Queue<Ended> committed = new ConcurrentLinkedQueue<>();
        Queue<String> rolledBack = new ConcurrentLinkedQueue<>();
        AtomicInteger neighbours = new AtomicInteger();
        CountDownLatch over = new CountDownLatch(1);
        ExecutorService threads = Executors.newFixedThreadPool(OPEN_MILLIS.size() + 1);
        try (Worker worker = Worker.on(fixture().queue)
                .concurrency(4)
                .handle(
                        Fixture.GREET,
                        (name, run) -> starts.computeIfAbsent(name, each -> new ConcurrentLinkedQueue<>())
                                .add(System.nanoTime()))
                .start()) {
            Future<?> others = threads.submit(() -> {
                while (!over.await(3, TimeUnit.MILLISECONDS)) {
                    fixture().queue.enqueue(Fixture.GREET, "neighbour " + neighbours.incrementAndGet());
                }
                return null;
            });
            List<Future<?>> slow = new ArrayList<>();
            for (List<Integer> times : OPEN_MILLIS) {
                slow.add(threads.submit(() -> {
                    for (int millis : times) {
                        enqueueSlowly(millis, true, committed, rolledBack, over);
                        enqueueSlowly(millis / 3, false, committed, rolledBack, over);
                    }
                    return null;
                }));
            }
            for (Future<?> one : slow) {
                one.get();
            }
            over.countDown();
            others.get();
            await().atMost(committed.stream()
                            .map(Ended::bound)
                            .max(Duration::compareTo)
                            .orElseThrow()
                            .plus(SLACK))
                    .until(() -> committed.stream().allMatch(one -> starts.containsKey(one.name)));
            assertThat(worker.awaitIdle(Fixture.SOON)).isTrue();
        } finally {
            over.countDown();
            threads.shutdownNow();
        }
        assertThat(starts)
                .hasSize(neighbours.get() + committed.size())
                .doesNotContainKeys(rolledBack.toArray(String[]::new));
        assertThat(starts.entrySet().stream()
                        .filter(each -> each.getValue().size() > 1)
                        .map(Map.Entry::getKey)
                        .collect(Collectors.toSet()))
                .as("ran twice")
                .isEmpty();
        assertThat(committed)
                .hasSize(9)
                .allSatisfy(one -> assertThat(Duration.ofNanos(
                                Objects.requireNonNull(starts.get(one.name)).element() - one.endedAt))
                        .as("%s, open for %d ms", one.name, TimeUnit.NANOSECONDS.toMillis(one.openNanos))
                        .isLessThan(one.bound()));
    }

    private void enqueueSlowly(
            int millis, boolean commit, Queue<Ended> committed, Queue<String> rolledBack, CountDownLatch over)
            throws SQLException, InterruptedException {
        try (Connection connection = fixture().dataSource().getConnection()) {
            connection.setAutoCommit(false);
            String name = Thread.currentThread().getName() + (commit ? " commits" : " rolls back") + " after " + millis
                    + " ms";
            long begun = System.nanoTime();
            fixture().queue.within(connection).enqueue(Fixture.GREET, name);
            boolean unused = over.await(millis, TimeUnit.MILLISECONDS); // elapsed time is what this tests
            if (commit) {
                long now = System.nanoTime();
                connection.commit();
                committed.add(new Ended(name, now - begun, System.nanoTime()));
            } else {
                connection.rollback();
                rolledBack.add(name);
            }
        }
    }
}

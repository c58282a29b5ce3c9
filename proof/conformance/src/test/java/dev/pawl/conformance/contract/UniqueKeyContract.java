package dev.pawl.conformance.contract;

import static dev.pawl.conformance.contract.Fixture.GREET;
import static dev.pawl.conformance.contract.Fixture.SOON;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.Worker;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.EnqueueResult;
import dev.pawl.api.JobRequest;
import dev.pawl.api.JobState;
import dev.pawl.api.JobType;
import dev.pawl.api.OnDuplicate;
import dev.pawl.api.UniqueWhile;
import dev.pawl.conformance.RunsOn;
import dev.pawl.conformance.Specified;
import dev.pawl.servers.Capability;
import dev.pawl.servers.Product;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Unique keys beside workers and open transactions: a duplicate blocks no other transaction. */
@Specified
interface UniqueKeyContract extends Contract {
    EnqueueOptions KEYED = EnqueueOptions.DEFAULTS.uniqueKey("k");
    EnqueueOptions REPLACING = KEYED.onDuplicate(OnDuplicate.REPLACE);

    /** Begins a transaction as an application does: at the isolation level of its pool. */
    private static Connection begin(Fixture fixture) throws Exception {
        return begin(fixture.dataSource());
    }

    private static Connection begin(DataSource dataSource) throws Exception {
        Connection connection = dataSource.getConnection();
        connection.setAutoCommit(false);
        return connection;
    }

    private static void rollback(Connection connection) throws Exception {
        connection.rollback();
        connection.setAutoCommit(true);
    }

    /** If such options were accepted, the missing key would be noticed late, when there are two jobs instead of one. */
    @Test
    default void uniqueKeyOptionsAreRefusedWithoutAKey() throws Exception {
        EnqueueOptions replacing = EnqueueOptions.DEFAULTS.onDuplicate(OnDuplicate.REPLACE);
        EnqueueOptions kept = EnqueueOptions.DEFAULTS.uniqueWhile(UniqueWhile.KEPT);
        assertThatThrownBy(() -> fixture().queue.enqueue(GREET, "x", replacing))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("uniqueKey(…) or uniqueByPayload()");
        assertThatThrownBy(() -> fixture().queue.enqueueAll(GREET, List.of("x"), name -> kept))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("uniqueWhile KEPT");
        try (Connection connection = begin(fixture())) {
            assertThatThrownBy(() -> fixture().queue.within(connection).enqueue(GREET, "x", kept))
                    .isInstanceOf(IllegalArgumentException.class);
            rollback(connection);
        }
        assertThat(fixture().queue.enqueue(GREET, "x", replacing.uniqueByPayload()))
                .isInstanceOf(EnqueueResult.Inserted.class);
        assertThat(fixture().queue.enqueue(GREET, "x", replacing.uniqueByPayload()))
                .isInstanceOf(EnqueueResult.Replaced.class);
    }

    /** Calls all concurrently; the results are in the order of the calls. */
    private static <T> List<T> together(List<Callable<T>> calls) throws Exception {
        CyclicBarrier start = new CyclicBarrier(calls.size());
        ExecutorService threads = Executors.newFixedThreadPool(calls.size());
        try {
            List<Future<T>> futures = new ArrayList<>();
            for (Callable<T> call : calls) {
                futures.add(threads.submit(() -> {
                    start.await();
                    return call.call();
                }));
            }
            List<T> results = new ArrayList<>();
            for (Future<T> future : futures) {
                results.add(future.get(2 * SOON.toSeconds(), TimeUnit.SECONDS));
            }
            return results;
        } finally {
            threads.shutdownNow();
        }
    }

    static <T> List<T> together(int threads, Callable<T> call) throws Exception {
        return together(Collections.nCopies(threads, call));
    }

    @ParameterizedTest
    @RunsOn({Product.POSTGRESQL, Product.MARIADB, Product.MYSQL})
    @EnumSource
    default void aTransactionThatMetARunningJobDoesNotHoldItUp(OnDuplicate policy, Fixture fixture) throws Exception {
        fixture.assumeCan(Capability.ROW_LOCKS);
        Semaphore started = new Semaphore(0);
        CountDownLatch goOn = new CountDownLatch(1);
        Duration lease = Fixture.SAFE_LEASE;
        try (Worker worker = fixture.newWorker()
                        .lease(lease)
                        .handle(GREET, (name, run) -> {
                            started.release();
                            goOn.await();
                        })
                        .start();
                Connection open = begin(fixture)) {
            long job = fixture.enqueue(KEYED);
            assertThat(started.tryAcquire(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
            assertThat(fixture.queue.within(open).enqueue(GREET, "again", KEYED.onDuplicate(policy)))
                    .isEqualTo(new EnqueueResult.Duplicate(job));
            Instant end = Objects.requireNonNull(fixture.job(job).leaseExpiresAt());
            await().atMost(SOON) // if the transaction blocked the job's row, the lease could not be renewed
                    .until(() -> Objects.requireNonNull(fixture.job(job).leaseExpiresAt())
                            .isAfter(end));
            assertThat(started.availablePermits()).isZero();
            goOn.countDown();
            fixture.awaitState(job, JobState.COMPLETED);
            assertThat(worker.stats().leasesLost()).isZero();
            rollback(open);
        }
    }

    @Test
    @RunsOn({Product.POSTGRESQL, Product.MARIADB, Product.MYSQL})
    default void aTransactionThatMetAWaitingJobDoesNotHoldItUp(Fixture fixture) throws Exception {
        fixture.assumeCan(Capability.ROW_LOCKS);
        try (Connection open = begin(fixture)) {
            long job = fixture.enqueue(KEYED);
            assertThat(fixture.queue.within(open).enqueue(GREET, "again", KEYED))
                    .isEqualTo(new EnqueueResult.Duplicate(job));
            try (Worker worker =
                    fixture.newWorker().handle(GREET, (name, run) -> {}).start()) {
                fixture.awaitState(job, JobState.COMPLETED);
                long next = fixture.enqueue();
                fixture.awaitState(next, JobState.COMPLETED);
                assertThat(worker.stats().leasesLost()).isZero();
            }
            rollback(open);
        }
    }

    /** The run must see the other writes of the transaction. */
    @Test
    @RunsOn({Product.POSTGRESQL, Product.MARIADB, Product.MYSQL})
    default void aJobThatIsReplacedStartsAfterTheCommit(Fixture fixture) throws Exception {
        fixture.assumeCan(Capability.ROW_LOCKS);
        long job = fixture.enqueue(KEYED);
        try (Connection open = begin(fixture)) {
            assertThat(fixture.queue.within(open).enqueue(GREET, "new", REPLACING))
                    .isEqualTo(new EnqueueResult.Replaced(job));
            try (Worker worker =
                    fixture.newWorker().handle(GREET, (name, run) -> {}).start()) {
                long other = fixture.enqueue();
                fixture.awaitState(other, JobState.COMPLETED);
                assertThat(fixture.job(job).state()).isEqualTo(JobState.AVAILABLE);
                open.commit();
                fixture.awaitState(job, JobState.COMPLETED);
                assertThat(worker.stats().leasesLost()).isZero();
            }
            open.setAutoCommit(true);
        }
        assertThat(fixture.job(job).payload()).isEqualTo("\"new\"");
    }

    @ParameterizedTest
    @EnumSource
    default void aHandlerMayEnqueueItsOwnKeyInItsTransaction(OnDuplicate policy, Fixture fixture) throws Exception {
        AtomicReference<EnqueueResult> within = new AtomicReference<>();
        AtomicReference<EnqueueResult> beside = new AtomicReference<>();
        long job = fixture.enqueue(KEYED);
        try (Worker worker = fixture.newWorker()
                .handle(
                        GREET,
                        (name, run) -> run.transaction(connection -> {
                            within.set(fixture.queue
                                    .within(connection)
                                    .enqueue(GREET, "again", KEYED.onDuplicate(policy)));
                            if (fixture.product.can(Capability.ROW_LOCKS)) {
                                beside.set(fixture.queue.enqueue(GREET, "again", KEYED.onDuplicate(policy)));
                            }
                        }))
                .start()) {
            fixture.awaitState(job, JobState.COMPLETED);
            assertThat(worker.stats().leasesLost()).isZero();
        }
        assertThat(within.get()).isEqualTo(new EnqueueResult.Duplicate(job));
        if (fixture.product.can(Capability.ROW_LOCKS)) {
            assertThat(beside.get()).isEqualTo(new EnqueueResult.Duplicate(job));
        }
    }

    @Test
    @RunsOn({Product.POSTGRESQL, Product.MARIADB, Product.MYSQL})
    default void aTransactionThatMetADuplicateDoesNotHoldUpOtherEnqueues(Fixture fixture) throws Exception {
        fixture.assumeCan(Capability.ROW_LOCKS);
        fixture.enqueue(KEYED.delay(Duration.ofHours(1)));
        try (Connection open = begin(fixture)) {
            assertThat(fixture.queue.within(open).enqueue(GREET, "again", KEYED))
                    .isInstanceOf(EnqueueResult.Duplicate.class);
            List<Callable<EnqueueResult>> others = new ArrayList<>();
            for (String kind : List.of("a", "greet", "z")) {
                JobType<String> type = JobType.of(kind, String.class);
                others.add(() -> fixture.queue.enqueue(type, "keyless"));
                others.add(() -> fixture.queue.enqueue(type, "keyed", KEYED.uniqueKey("a")));
                others.add(() -> fixture.queue.enqueue(type, "keyed", KEYED.uniqueKey("z")));
            }
            assertThat(together(others)).allMatch(EnqueueResult.Inserted.class::isInstance);
            rollback(open);
        }
    }

    /** Writes the caller's own row, jobs of several kinds, and the job with the key in one transaction; returns the results for the key. */
    private static Callable<List<EnqueueResult>> business(
            Fixture fixture, DataSource callers, int rounds, EnqueueOptions keyed) {
        JobType<String> before = JobType.of("a", String.class);
        JobType<String> after = JobType.of("z", String.class);
        EnqueueOptions later = EnqueueOptions.DEFAULTS.delay(Duration.ofHours(1));
        return () -> {
            List<EnqueueResult> results = new ArrayList<>();
            for (int round = 0; round < rounds; round++) {
                try (Connection connection = begin(callers)) {
                    fixture.execute(connection, "INSERT INTO pawl_business (n) VALUES (1)");
                    fixture.queue.within(connection).enqueue(GREET, "keyless", later);
                    results.add(fixture.queue.within(connection).enqueue(GREET, "keyed", keyed));
                    fixture.queue.within(connection).enqueue(before, "keyless", later);
                    fixture.queue.within(connection).enqueue(after, "keyless", later);
                    fixture.execute(connection, "INSERT INTO pawl_business (n) VALUES (2)");
                    connection.commit();
                    connection.setAutoCommit(true);
                }
            }
            return results;
        };
    }

    @Test
    @RunsOn({Product.POSTGRESQL, Product.MARIADB, Product.MYSQL})
    default void aHotKeyFailsNoTransaction(Fixture fixture) throws Exception {
        fixture.assumeCan(Capability.ROW_LOCKS);
        fixture.execute("CREATE TABLE pawl_business (n int)");
        long job = fixture.enqueue(KEYED.delay(Duration.ofHours(1)));
        int rounds = 8;
        try (HikariDataSource callers = fixture.testDatabase.newDataSource(16)) {
            List<List<EnqueueResult>> results = together(16, business(fixture, callers, rounds, KEYED));
            assertThat(results.stream().flatMap(List::stream)).containsOnly(new EnqueueResult.Duplicate(job));
        }
        assertThat(fixture.count("pawl_business")).isEqualTo(16L * rounds * 2);
    }

    @Test
    @RunsOn({Product.POSTGRESQL, Product.MARIADB, Product.MYSQL})
    default void aHotKeyWhoseJobsFinishFailsNoTransaction(Fixture fixture) throws Exception {
        fixture.assumeOneServer("transactions of two nodes that change the same row conflict");
        fixture.assumeCan(Capability.ROW_LOCKS);
        fixture.execute("CREATE TABLE pawl_business (n int)");
        int rounds = 8;
        try (HikariDataSource callers = fixture.testDatabase.newDataSource(16);
                Worker worker = fixture.newWorker()
                        .pollInterval(Duration.ofMillis(5))
                        .handle(GREET, (name, run) -> {})
                        .start()) {
            List<List<EnqueueResult>> results = together(16, business(fixture, callers, rounds, KEYED));
            assertThat(worker.awaitIdle(SOON)).isTrue();
            assertThat(fixture.count("pawl_job_history"))
                    .as("every job that was inserted was run, and no other")
                    .isEqualTo(results.stream()
                            .flatMap(List::stream)
                            .filter(EnqueueResult.Inserted.class::isInstance)
                            .count());
        }
        assertThat(fixture.count("pawl_business")).isEqualTo(16L * rounds * 2);
    }

    @ParameterizedTest
    @EnumSource
    default void aHotKeyWhoseJobsFinishFailsNoEnqueue(OnDuplicate policy, Fixture fixture) throws Exception {
        try (Worker worker = fixture.newWorker()
                .pollInterval(Duration.ofMillis(5))
                .handle(GREET, (name, run) -> {})
                .start()) {
            List<Long> inserted = together(
                    16,
                    () -> IntStream.range(0, 40)
                            .mapToObj(i -> fixture.queue.enqueue(GREET, "keyed", KEYED.onDuplicate(policy)))
                            .filter(EnqueueResult.Inserted.class::isInstance)
                            .count());
            assertThat(worker.awaitIdle(SOON)).isTrue();
            assertThat(fixture.count("pawl_job_history"))
                    .isEqualTo(inserted.stream().mapToLong(Long::longValue).sum());
        }
    }

    @Test
    @RunsOn({Product.POSTGRESQL, Product.MARIADB, Product.MYSQL})
    default void transactionsThatReplaceAHotKeyDoNotFail(Fixture fixture) throws Exception {
        fixture.assumeCan(Capability.ROW_LOCKS);
        fixture.execute("CREATE TABLE pawl_business (n int)");
        long job = fixture.enqueue(KEYED.delay(Duration.ofHours(1)));
        EnqueueOptions replacing = REPLACING.delay(Duration.ofHours(1));
        try (HikariDataSource callers = fixture.testDatabase.newDataSource(8)) {
            List<List<EnqueueResult>> results = together(8, business(fixture, callers, 8, replacing));
            assertThat(results.stream().flatMap(List::stream)).containsOnly(new EnqueueResult.Replaced(job));
        }
        assertThat(fixture.count("pawl_business")).isEqualTo(8L * 8 * 2);
    }

    @Test
    @RunsOn({Product.POSTGRESQL, Product.MARIADB, Product.MYSQL})
    default void batchesWithTheSameKeysInAnyOrderDoNotDeadlock(Fixture fixture) throws Exception {
        fixture.assumeCan(Capability.ROW_LOCKS);
        for (int round = 0; round < 3; round++) {
            String prefix = "round " + round + " key ";
            List<JobRequest> ascending = IntStream.range(0, 40)
                    .mapToObj(i -> new JobRequest("greet", "\"" + i + "\"", KEYED.uniqueKey(prefix + i)))
                    .toList();
            List<JobRequest> descending = new ArrayList<>(ascending);
            Collections.reverse(descending);
            List<Callable<List<EnqueueResult>>> both = new ArrayList<>();
            for (List<JobRequest> batch : List.of(ascending, descending)) {
                both.add(() -> {
                    try (Connection connection = begin(fixture)) {
                        List<EnqueueResult> results =
                                fixture.queue.within(connection).enqueueEach(batch);
                        connection.commit();
                        connection.setAutoCommit(true);
                        return results;
                    }
                });
            }
            List<List<EnqueueResult>> results = together(both);
            List<Long> ids = results.get(0).stream().map(EnqueueResult::jobId).toList();
            List<Long> reversed = new ArrayList<>(
                    results.get(1).stream().map(EnqueueResult::jobId).toList());
            Collections.reverse(reversed);
            assertThat(ids).as("in the order of the requests").isEqualTo(reversed);
            assertThat(fixture.job(ids.get(7)).payload()).isEqualTo("\"7\"");
        }
    }

    @Test
    default void aKeyThatIsTwiceInABatchIsEnqueuedOnce(Fixture fixture) throws Exception {
        List<JobRequest> batch = List.of(
                new JobRequest("greet", "\"z\"", KEYED.uniqueKey("z")),
                new JobRequest("greet", "\"first\"", KEYED),
                new JobRequest("greet", "\"kept out\"", KEYED),
                new JobRequest("greet", "\"last\"", REPLACING));
        try (Connection connection = begin(fixture)) {
            List<EnqueueResult> results = fixture.queue.within(connection).enqueueEach(batch);
            long id = results.get(1).jobId();
            assertThat(results.subList(1, 4))
                    .containsExactly(
                            new EnqueueResult.Inserted(id),
                            new EnqueueResult.Duplicate(id),
                            new EnqueueResult.Replaced(id));
            connection.commit();
            connection.setAutoCommit(true);
            assertThat(fixture.job(id).payload()).isEqualTo("\"last\"");
        }
    }
}

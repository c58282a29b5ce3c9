package dev.pawl.conformance.contract;

import static dev.pawl.conformance.contract.Fixture.GREET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.pawl.JobQueue;
import dev.pawl.JobQueueBuilder;
import dev.pawl.Worker;
import dev.pawl.admin.JobFilter;
import dev.pawl.api.BulkResult;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.EnqueueResult;
import dev.pawl.api.Job;
import dev.pawl.api.JobRequest;
import dev.pawl.api.JobState;
import dev.pawl.api.OnDuplicate;
import dev.pawl.api.QueueFullException;
import dev.pawl.conformance.Specified;
import dev.pawl.internal.store.Verdict;
import dev.pawl.limit.Limit;
import dev.pawl.limit.Subject;
import dev.pawl.schedule.Recurrence;
import dev.pawl.schedule.Schedule;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

@Specified
@WhiteBox
interface EnqueueContract extends Contract {
    @Test
    default void everyFieldOfAJobIsStored(Fixture fixture) {
        String awkward = "Grüße, '日本' 🦀 \"; DROP TABLE pawl_job; -- \\ % _ \n\t";
        Instant at = Instant.parse("2031-02-03T04:05:06.789Z");
        EnqueueOptions options = EnqueueOptions.DEFAULTS
                .queue("mail.out")
                .priority(-7)
                .availableAt(at)
                .maxAttempts(3)
                .uniqueKey("Key 'x' 日本")
                .tags("a", "b \"c\"");
        long id = fixture.queue.enqueue(GREET, awkward, options).jobId();
        Job job = fixture.job(id);
        assertThat(job.kind()).isEqualTo("greet");
        assertThat(job.queue()).isEqualTo("mail.out");
        assertThat(job.state()).isEqualTo(JobState.AVAILABLE);
        assertThat(job.priority()).isEqualTo(-7);
        assertThat(job.availableAt()).isEqualTo(at);
        assertThat(job.maxAttempts()).isEqualTo(3);
        assertThat(job.uniqueKey()).isEqualTo("Key 'x' 日本");
        assertThat(job.tags()).containsExactly("a", "b \"c\"");
        assertThat(new dev.pawl.codec.JacksonCodec().decode(job.payload(), dev.pawl.api.TypeToken.of(String.class)))
                .isEqualTo(awkward);
    }

    @Test
    default void delaysUseTheDatabaseClock(Fixture fixture) throws Exception {
        long now = fixture.enqueue();
        long later = fixture.enqueue(EnqueueOptions.DEFAULTS.delay(Duration.ofHours(1)));
        Duration between = Duration.between(
                fixture.job(now).availableAt(), fixture.job(later).availableAt());
        assertThat(between).isBetween(Duration.ofHours(1), Duration.ofMinutes(61));
        assertThat(fixture.claim(10)).extracting(claimed -> claimed.job().id()).containsExactly(now);
    }

    @Test
    default void aBulkEnqueueKeepsTheOrder(Fixture fixture) {
        List<String> names = IntStream.range(0, 2500).mapToObj(i -> "n" + i).toList();
        BulkResult result = fixture.queue.enqueueAll(GREET, names);
        assertThat(result).isEqualTo(new BulkResult(2500, 0, 0));
        List<Job> jobs = new ArrayList<>(fixture.admin.jobs().list(JobFilter.ALL.limit(5000)));
        java.util.Collections.reverse(jobs);
        assertThat(jobs)
                .extracting(Job::payload)
                .containsExactlyElementsOf(
                        names.stream().map(name -> "\"" + name + "\"").toList());
    }

    @Test
    default void theResultsOfABatchNameTheRightJobs(Fixture fixture) throws Exception {
        List<dev.pawl.api.JobRequest> batch = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            EnqueueOptions options = EnqueueOptions.DEFAULTS;
            batch.add(new dev.pawl.api.JobRequest(
                    "greet", "\"" + i + "\"", i % 3 == 0 ? options.uniqueKey("key" + i % 2) : options));
        }
        List<EnqueueResult> results =
                fixture.database.transaction(connection -> fixture.store.enqueue(connection, batch));
        for (int i = 0; i < 20; i++) {
            String payload = fixture.job(results.get(i).jobId()).payload();
            if (results.get(i) instanceof EnqueueResult.Inserted) {
                assertThat(payload).isEqualTo("\"" + i + "\"");
            } else {
                assertThat(i % 3).isZero();
                assertThat(payload).isIn("\"0\"", "\"3\"");
            }
        }
    }

    /** The elements are written in portions, long before the end of the stream. */
    @Test
    default void aStreamIsEnqueuedInConstantMemory(Fixture fixture) throws Exception {
        int jobs = 20_000;
        AtomicInteger drawn = new AtomicInteger();
        AtomicInteger written = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        DataSource pool = fixture.at("INSERT INTO", insert -> {
            most.accumulateAndGet(drawn.get() - written.getAndSet(drawn.get()), Math::max);
        });
        try (JobQueue queue = JobQueue.builder(pool)
                .tablePrefix(fixture.prefix)
                .migrate(false)
                .open()) {
            BulkResult result =
                    queue.enqueueAll(GREET, LongStream.range(0, jobs).mapToObj(i -> "n" + drawn.incrementAndGet()));
            assertThat(result.inserted()).isEqualTo(jobs);
        }
        assertThat(drawn).hasValue(jobs);
        assertThat(most).hasPositiveValue().hasValueLessThan(jobs / 4);
        assertThat(fixture.liveJobs()).isEqualTo(jobs);
    }

    @Test
    default void aQueueThatIsFullRefuses(Fixture fixture) throws Exception {
        try (JobQueue queue = JobQueue.builder(fixture.pool)
                .tablePrefix(fixture.prefix)
                .migrate(false)
                .maxWaiting("default", 10)
                .open()) {
            fixture.enqueue(EnqueueOptions.DEFAULTS.delay(Duration.ofHours(1)));
            var unused = queue.enqueueAll(
                    GREET, IntStream.range(0, 8).mapToObj(i -> "x").toList());
            assertThat(queue.enqueue(GREET, "x").jobId()).isPositive();
            assertThatThrownBy(() -> queue.enqueue(GREET, "x"))
                    .isInstanceOf(QueueFullException.class)
                    .hasMessageContaining("'default'")
                    .hasMessageContaining("and 10 may");
            assertThatThrownBy(() -> queue.enqueueAll(GREET, List.of("x", "y"))).isInstanceOf(QueueFullException.class);
            try (var connection = fixture.pool.getConnection()) {
                connection.setAutoCommit(false);
                assertThatThrownBy(() -> queue.within(connection).enqueue(GREET, "x"))
                        .isInstanceOf(QueueFullException.class);
                connection.rollback();
            }
            assertThat(queue.enqueue(GREET, "x", EnqueueOptions.DEFAULTS.queue("other"))
                            .jobId())
                    .as("other queues have no bound")
                    .isPositive();
            assertThat(queue.admin().jobs().list(JobFilter.ALL.queue("default")))
                    .hasSize(10);
            for (var grant : fixture.claim(3)) {
                assertThat(fixture.finish(grant.lease(), new Verdict.Completed()))
                        .isTrue();
            }
            await().atMost(Fixture.SOON).until(() -> {
                try {
                    return queue.enqueueAll(GREET, List.of("x", "y", "z")).inserted() == 3;
                } catch (QueueFullException e) {
                    return false; // it is counted again 0.1 s later
                }
            });
            assertThatThrownBy(() -> queue.enqueue(GREET, "x")).isInstanceOf(QueueFullException.class);
        }
        assertThatThrownBy(() -> JobQueue.builder(fixture.pool).maxWaiting("default", 0))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static JobQueueBuilder program(Fixture fixture) {
        return JobQueue.builder(fixture.pool).tablePrefix(fixture.prefix).migrate(false);
    }

    @Test
    default void aQueueThatIsClosedRefuses(Fixture fixture) throws Exception {
        JobQueue queue = program(fixture).open();
        assertThat(queue.enqueue(GREET, "x").jobId()).isPositive();
        queue.close();
        assertThatThrownBy(() -> queue.enqueue(GREET, "x"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
        assertThatThrownBy(() -> queue.enqueueAll(GREET, List.of("x"))).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> queue.enqueueMerged(GREET, "x", EnqueueOptions.DEFAULTS.uniqueKey("k"), (a, b) -> a))
                .isInstanceOf(IllegalStateException.class);
        try (var connection = fixture.pool.getConnection()) {
            assertThatThrownBy(() -> queue.within(connection).enqueue(GREET, "x"))
                    .isInstanceOf(IllegalStateException.class);
        }
        assertThat(fixture.liveJobs()).isEqualTo(1);
    }

    /**
     * A transaction with an old snapshot may enqueue by the count that it sees, but other enqueues of the program do not use that count.
     */
    @Test
    default void aTransactionsOwnCountOfTheBacklogIsNotShared(Fixture fixture) throws Exception {
        Assumptions.assumeFalse(fixture.database.dialect().isInProcess(), "SQLite has one writer at a time");
        try (JobQueue program = program(fixture).maxWaiting("default", 3).open();
                var connection = fixture.pool.getConnection()) {
            int usual = connection.getTransactionIsolation();
            connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            connection.setAutoCommit(false);
            try (var statement = connection.createStatement();
                    var rows =
                            statement.executeQuery(fixture.database.dialect().sql("SELECT COUNT(*) FROM pawl_job"))) {
                assertThat(rows.next()).isTrue();
            }
            for (int i = 0; i < 3; i++) {
                fixture.enqueue();
            }
            assertThat(program.within(connection).enqueue(GREET, "x").jobId()).isPositive();
            connection.rollback();
            connection.setAutoCommit(true);
            connection.setTransactionIsolation(usual);
            assertThatThrownBy(() -> program.enqueue(GREET, "x")).isInstanceOf(QueueFullException.class);
        }
    }

    /** A limit set by a user holds for all programs; of two bounds the smaller one counts. */
    @Test
    default void aQueueMayBeBoundedForAllPrograms(Fixture fixture) throws Exception {
        fixture.queue.limits().set(Limit.queue("default").maxWaiting(3));
        fixture.queue.limits().set(Limit.queue("small").maxWaiting(50));
        try (JobQueue program = program(fixture)
                        .maxWaiting("default", 100)
                        .maxWaiting("small", 1)
                        .open();
                JobQueue other = program(fixture).open()) {
            assertThat(other.enqueue(GREET, "x").jobId()).isPositive();
            assertThatThrownBy(() -> program.enqueueAll(GREET, List.of("x", "y", "z")))
                    .isInstanceOf(QueueFullException.class)
                    .hasMessageContaining("and 3 may");
            assertThat(program.enqueueAll(GREET, List.of("x", "y")).inserted()).isEqualTo(2);
            assertThatThrownBy(() -> program.enqueue(GREET, "x", EnqueueOptions.DEFAULTS.delay(Duration.ofHours(1))))
                    .isInstanceOf(QueueFullException.class);
            EnqueueOptions small = EnqueueOptions.DEFAULTS.queue("small");
            assertThat(program.enqueue(GREET, "x", small).jobId()).isPositive();
            assertThatThrownBy(() -> program.enqueue(GREET, "x", small)).hasMessageContaining("and 1 may");
        }
        assertThat(fixture.queue.limits().list().get(0).limit())
                .isEqualTo(Limit.queue("default").maxWaiting(3));
        assertThat(fixture.queue.limits().remove(Subject.queue("default"))).isTrue();
        try (JobQueue later = program(fixture).open()) {
            assertThat(later.enqueueAll(GREET, List.of("x", "y")).inserted()).isEqualTo(2);
        }
        assertThatThrownBy(() -> Limit.kind("greet").maxWaiting(3)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Limit.queue("default").maxWaiting(0)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    default void aUniqueKeyAllowsOneLiveJob(Fixture fixture) throws Exception {
        EnqueueOptions unique = EnqueueOptions.DEFAULTS.uniqueKey("k");
        long first = ((EnqueueResult.Inserted) fixture.queue.enqueue(GREET, "one", unique)).jobId();
        assertThat(fixture.queue.enqueue(GREET, "two", unique)).isEqualTo(new EnqueueResult.Duplicate(first));
        var claimed = fixture.claimOne();
        assertThat(fixture.queue.enqueue(GREET, "three", unique)).isEqualTo(new EnqueueResult.Duplicate(first));
        fixture.finish(claimed.lease(), new dev.pawl.internal.store.Verdict.Completed());
        assertThat(fixture.queue.enqueue(GREET, "four", unique)).isInstanceOf(EnqueueResult.Inserted.class);
    }

    @Test
    default void uniqueKeysDifferByCaseAndByKind(Fixture fixture) {
        EnqueueOptions unique = EnqueueOptions.DEFAULTS.uniqueKey("Key");
        fixture.enqueue(unique);
        assertThat(fixture.queue.enqueue(GREET, "x", unique.uniqueKey("key")))
                .isInstanceOf(EnqueueResult.Inserted.class);
        assertThat(fixture.queue.enqueue(dev.pawl.api.JobType.of("other", String.class), "x", unique))
                .isInstanceOf(EnqueueResult.Inserted.class);
    }

    @Test
    default void replaceChangesAWaitingJobButNotARunningOne(Fixture fixture) throws Exception {
        EnqueueOptions unique = EnqueueOptions.DEFAULTS.uniqueKey("k").onDuplicate(OnDuplicate.REPLACE);
        long first = fixture.queue.enqueue(GREET, "one", unique).jobId();
        assertThat(fixture.queue.enqueue(GREET, "two", unique.priority(5)))
                .isEqualTo(new EnqueueResult.Replaced(first));
        assertThat(fixture.job(first).payload()).isEqualTo("\"two\"");
        assertThat(fixture.job(first).priority()).isEqualTo(5);
        fixture.claimOne();
        assertThat(fixture.queue.enqueue(GREET, "three", unique)).isEqualTo(new EnqueueResult.Duplicate(first));
        assertThat(fixture.job(first).payload()).isEqualTo("\"two\"");
    }

    @Test
    default void concurrentEnqueuesOfOneKeyInsertOneJob(Fixture fixture) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            for (int round = 0; round < 10; round++) {
                EnqueueOptions unique = EnqueueOptions.DEFAULTS.uniqueKey("round " + round);
                List<Callable<EnqueueResult>> calls =
                        java.util.Collections.nCopies(8, () -> fixture.queue.enqueue(GREET, "x", unique));
                List<EnqueueResult> results = new ArrayList<>();
                for (Future<EnqueueResult> future : threads.invokeAll(calls)) {
                    results.add(future.get());
                }
                assertThat(results)
                        .filteredOn(EnqueueResult.Inserted.class::isInstance)
                        .hasSize(1);
                assertThat(results.stream().map(EnqueueResult::jobId).distinct())
                        .hasSize(1);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    default void enqueueCommitsAndRollsBackWithTheCaller(Fixture fixture) throws Exception {
        try (Connection connection = fixture.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            fixture.queue.within(connection).enqueue(GREET, "lost");
            fixture.queue.within(connection).enqueueAll(GREET, List.of("lost", "too"));
            connection.rollback();
            assertThat(fixture.liveJobs()).isZero();
            fixture.queue.within(connection).enqueue(GREET, "kept");
            fixture.queue.within(connection).enqueueAll(GREET, List.of("kept", "too"));
            connection.commit();
            assertThat(fixture.liveJobs()).isEqualTo(3);
        }
    }

    @Test
    default void severalJobsOnACallersConnectionNeedATransaction(Fixture fixture) throws Exception {
        try (Connection connection = fixture.dataSource().getConnection()) {
            assertThat(connection.getAutoCommit()).isTrue();
            assertThatThrownBy(() -> fixture.queue.within(connection).enqueueAll(GREET, List.of("a", "b")))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("setAutoCommit(false)");
            List<JobRequest> both = List.of(
                    new JobRequest("greet", "1", EnqueueOptions.DEFAULTS),
                    new JobRequest("greet", "2", EnqueueOptions.DEFAULTS));
            assertThatThrownBy(() -> fixture.queue.within(connection).enqueueEach(both))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("setAutoCommit(false)");
        }
        assertThat(fixture.liveJobs()).isZero();
    }

    @Test
    @SuppressWarnings("NullAway") // as from a program without null checks
    default void aNullPayloadIsRefusedWhereItIsEnqueued(Fixture fixture) throws Exception {
        assertThatThrownBy(() -> fixture.queue.enqueue(GREET, null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("kind 'greet' is null");
        assertThatThrownBy(() -> fixture.queue.enqueueAll(GREET, java.util.Arrays.asList("a", null)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(fixture.liveJobs()).isZero();
        assertThat(fixture.queue
                        .enqueue(dev.pawl.api.JobType.of("greet", Void.class), null)
                        .jobId())
                .isPositive();
    }

    @Test
    default void anUnpairedSurrogateIsRefused(Fixture fixture) throws Exception {
        assertThatThrownBy(() -> fixture.queue.enqueue(GREET, "cut \uD83D"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("surrogate");
        assertThat(fixture.liveJobs()).isZero();
    }

    @Test
    default void aDuplicateDoesNotAbortTheCallersTransaction(Fixture fixture) throws Exception {
        EnqueueOptions unique = EnqueueOptions.DEFAULTS.uniqueKey("k");
        fixture.enqueue(unique);
        try (Connection connection = fixture.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            assertThat(fixture.queue.within(connection).enqueue(GREET, "x", unique))
                    .isInstanceOf(EnqueueResult.Duplicate.class);
            fixture.queue.within(connection).enqueue(GREET, "y");
            connection.commit();
        }
        assertThat(fixture.liveJobs()).isEqualTo(2);
    }

    @Test
    default void aTooLargePayloadIsRefused(Fixture fixture) throws Exception {
        try (JobQueue small = JobQueue.builder(fixture.dataSource())
                .tablePrefix(fixture.prefix)
                .maxPayloadBytes(100)
                .open()) {
            assertThatThrownBy(() -> small.enqueue(GREET, "ü".repeat(60)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("122 bytes, the maximum is 100");
            small.enqueue(GREET, "ü".repeat(49));
            Schedule<String> large = Schedule.of("large", GREET, "ü".repeat(60), Recurrence.every(Duration.ofHours(1)));
            assertThatThrownBy(() -> small.schedules().add(large))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("schedule 'large' has 122 bytes, the maximum is 100");
            assertThatThrownBy(() -> Worker.on(small).schedule(large))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("122 bytes");
        }
        assertThat(fixture.liveJobs()).isEqualTo(1);
    }

    @Test
    default void aLargePayloadComesBackWhole(Fixture fixture) throws Exception {
        String large = "0123456789abcdef".repeat(50_000);
        fixture.queue.enqueue(GREET, large);
        assertThat(fixture.claimOne().job().payload()).hasSize(large.length() + 2);
    }
}

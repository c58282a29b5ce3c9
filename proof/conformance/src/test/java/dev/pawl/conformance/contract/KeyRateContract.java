package dev.pawl.conformance.contract;

import static dev.pawl.conformance.contract.Fixture.GREET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.Job;
import dev.pawl.api.JobState;
import dev.pawl.api.RetryPolicy;
import dev.pawl.conformance.Specified;
import dev.pawl.internal.cluster.UpcomingMoment;
import dev.pawl.internal.feature.Features;
import dev.pawl.internal.key.SqlKeys;
import dev.pawl.internal.store.Allocation.Starts;
import dev.pawl.internal.store.ConcurrencyKeys;
import dev.pawl.internal.store.ConcurrencyKeys.KeyRequest;
import dev.pawl.internal.store.JobKey;
import dev.pawl.limit.Limit;
import dev.pawl.limit.LimitInfo;
import dev.pawl.servers.Delay;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** Rate limits of single keys, in the whole cluster. */
@Specified
@WhiteBox
interface KeyRateContract extends Contract {
    private static EnqueueOptions key(String key) {
        return EnqueueOptions.DEFAULTS.key(key);
    }

    private ConcurrencyKeys keys() {
        return new SqlKeys(fixture().database);
    }

    private ConcurrencyKeys.Released release(String... keys) throws SQLException {
        return keys().releaseJobs(List.of(keys).stream()
                .map(key -> new JobKey("default", key))
                .toList());
    }

    private void rate(int starts, Duration per) {
        fixture().queue.limits().set(Limit.keysOf("default").rate(starts, per).atOnce(50));
    }

    private void enqueue(int jobs, EnqueueOptions options) {
        var unused = fixture()
                .queue
                .enqueueAll(GREET, IntStream.range(0, jobs).mapToObj(i -> "x").toList(), text -> options);
    }

    private long blocked(String key) throws SQLException {
        return fixture().longOf("SELECT COUNT(*) FROM pawl_keyed WHERE released = 0 AND job_key = '" + key + "'");
    }

    /** A start as the handler saw it. */
    record Start(long nanos, int cost) {}

    /** The starts of each key, as the handlers saw them. */
    final class Log {
        final Map<String, Queue<Start>> starts = new ConcurrentHashMap<>();

        void start(Job job) {
            starts.computeIfAbsent(job.key().orElse(""), each -> new ConcurrentLinkedQueue<>())
                    .add(new Start(System.nanoTime(), job.cost()));
        }

        int count(String key) {
            return starts.getOrDefault(key, new ConcurrentLinkedQueue<>()).size();
        }

        /** Checks the rate in slightly shorter spans, because a handler's first line may run some time after the permit. */
        void assertNoMoreThan(int most, Duration per) {
            long span = per.toNanos() - 100_000_000;
            starts.forEach((key, all) -> {
                List<Start> sorted = new ArrayList<>(all);
                sorted.sort(Comparator.comparingLong(Start::nanos));
                for (Start first : sorted) {
                    int used = sorted.stream()
                            .filter(one -> one.nanos >= first.nanos && one.nanos < first.nanos + span)
                            .mapToInt(Start::cost)
                            .sum();
                    assertThat(used).as("starts of %s in a span", key).isLessThanOrEqualTo(most);
                }
            });
        }
    }

    private Worker worker(Log log) {
        return fixture()
                .newWorker()
                .concurrency(8)
                .handle(GREET, (text, run) -> log.start(run.job()))
                .start();
    }

    @Test
    default void eachKeyHasItsRateInTheWholeCluster() {
        rate(20, Duration.ofSeconds(1));
        Log log = new Log();
        enqueue(35, key("busy"));
        enqueue(35, key("other"));
        Worker one = worker(log);
        Worker other = worker(log);
        try (one;
                other) {
            await().atMost(Fixture.SOON).until(() -> log.count("busy") == 35 && log.count("other") == 35);
        }
        log.assertNoMoreThan(20, Duration.ofSeconds(1));
    }

    @Test
    default void aJobWithAHigherCostUsesMoreOfTheRate() {
        rate(20, Duration.ofSeconds(1));
        Log log = new Log();
        enqueue(2, key("k").cost(15));
        enqueue(8, key("k"));
        Worker worker = worker(log);
        try (worker) {
            await().atMost(Fixture.SOON).until(() -> log.count("k") == 10);
        }
        log.assertNoMoreThan(20, Duration.ofSeconds(1));
    }

    /**
     * A worker's permits to start jobs are valid for 0.1 s from its request, and for longer if replies are late. Without the longer time,
     * all permits in a late reply would have expired.
     */
    @Test
    default void lateRepliesSlowKeysDownWithoutStoppingThem() {
        rate(20, Duration.ofSeconds(1));
        Log log = new Log();
        enqueue(20, key("one"));
        enqueue(20, key("other"));
        DataSource slow = fixture().at("next_start_at, cost_backlog", sql -> comeLate());
        try (JobQueue queue = JobQueue.builder(slow)
                        .tablePrefix(fixture().prefix)
                        .migrate(false)
                        .open();
                Worker worker = Worker.on(queue)
                        .strategy(fixture().strategy)
                        .concurrency(8)
                        .handle(GREET, (text, run) -> log.start(run.job()))
                        .start()) {
            assertThat(worker.isAlive()).isTrue();
            await().atMost(Fixture.SOON).until(() -> log.count("one") == 20 && log.count("other") == 20);
        }
        log.assertNoMoreThan(20, Duration.ofSeconds(1));
    }

    private static void comeLate() throws SQLException {
        try {
            Delay.work(150); // a late reply is the point
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SQLException(e);
        }
    }

    /** Retries count as starts, though no key release precedes them. */
    @Test
    default void retriesCount() {
        rate(1, Duration.ofSeconds(1));
        Log log = new Log();
        long id = fixture().enqueue(key("k"));
        Worker worker = fixture()
                .newWorker()
                .retryPolicy(RetryPolicy.fixed(Duration.ofMillis(1)))
                .handle(GREET, (text, run) -> {
                    log.start(run.job());
                    if (run.attempt() < 2) {
                        throw new IllegalStateException("not yet");
                    }
                })
                .start();
        try (worker) {
            fixture().awaitState(id, JobState.COMPLETED);
        }
        assertThat(log.count("k")).isEqualTo(2);
        log.assertNoMoreThan(1, Duration.ofSeconds(1));
    }

    @Test
    default void manyJobsOfAThrottledKeyDelayNoOthers() throws Exception {
        fixture().queue.limits().set(Limit.keysOf("default").rate(1, Duration.ofHours(1)));
        Log log = new Log();
        enqueue(2_000, key("busy"));
        List<Long> others = IntStream.range(0, 20)
                .mapToObj(i -> fixture().enqueue(key("quiet-" + i)))
                .toList();
        long plain = fixture().enqueue();
        Worker worker = worker(log);
        try (worker) {
            fixture().awaitState(plain, JobState.COMPLETED);
            others.forEach(id -> fixture().awaitState(id, JobState.COMPLETED));
            await().atMost(Fixture.SOON).until(() -> log.count("busy") == 1);
        }
        assertThat(blocked("busy")).isGreaterThan(1_900);
    }

    @Test
    default void aFasterRateOfKeysTakesEffectAtOnce() throws Exception {
        rate(1, Duration.ofHours(1));
        enqueue(3, key("k"));
        assertThat(take("k", 1).now()).isEqualTo(1);
        assertThat(keys().ready("default", "").keys()).isEmpty();
        assertThat(release("k").queues()).isEmpty();
        rate(1_000, Duration.ofSeconds(1));
        assertThat(keys().ready("default", "").keys()).containsExactly(new JobKey("default", "k"));
        assertThat(release("k").queues()).containsExactly("default");
        await().atMost(Fixture.SOON).until(() -> take("k", 1).now() == 1);
    }

    private Starts take(String key, int starts) throws SQLException {
        return Objects.requireNonNull(Objects.requireNonNull(
                        keys().starts("default", List.of(new KeyRequest(key, starts, 1)))
                                .get(key))
                .starts());
    }

    /** Only jobs that may start soon are released; the others stay blocked, with a time for the next check. */
    @Test
    default void aKeyReleaseReleasesNoMoreThanMayStart() throws Exception {
        rate(2, Duration.ofMinutes(1));
        enqueue(5, key("k"));
        enqueue(1, key("other"));
        assertThat(release("k").queues()).containsExactly("default");
        assertThat(blocked("k")).isEqualTo(4);
        assertThat(release("k").queues()).as("one is there that has not begun").isEmpty();
        assertThat(take("k", 3).now()).isEqualTo(1);
        for (var grant : fixture().claim(1)) {
            assertThat(grant.job().key()).contains("k");
        }
        ConcurrencyKeys.Released later = release("k", "other");
        assertThat(blocked("k")).isEqualTo(4);
        assertThat(blocked("other")).isZero();
        assertThat(later.again().get(new JobKey("default", "k")))
                .isBetween(Duration.ofSeconds(10), Duration.ofMinutes(1));
        assertThat(keys().ready("default", "").keys())
                .as("no sweep looks at it in vain")
                .isEmpty();
        LimitInfo info = fixture().queue.limits().list().get(0);
        assertThat(info.waiting()).isEqualTo(1);
        assertThat(info.nextStart()).isNotNull();
    }

    /** A suspended worker wakes up when a key may continue. */
    @Test
    default void theNextStartOfAKeyWakesWorkers() throws Exception {
        rate(1, Duration.ofHours(2));
        enqueue(1, key("k"));
        assertThat(take("k", 1).now()).isEqualTo(1);
        assertThat(release("k").queues()).isEmpty();
        Optional<Duration> next = new UpcomingMoment(fixture().database, Features.installed())
                .until(List.of("default"), List.of("greet"), List.of("default"), List.of())
                .first();
        assertThat(next.orElseThrow()).isBetween(Duration.ofMinutes(110), Duration.ofMinutes(121));
    }

    /** A worker must not stay suspended until a time that an earlier, slower rate has set. */
    @Test
    default void aFasterRateOfKeysWakesWorkersEarlier() throws Exception {
        rate(1, Duration.ofHours(10));
        enqueue(1, key("k"));
        assertThat(take("k", 1).now()).isEqualTo(1);
        rate(60, Duration.ofHours(10));
        assertThat(untilNext()).isLessThan(Duration.ofMinutes(11));
        fixture().execute("UPDATE pawl_key SET next_start_at = next_start_at - 35700000000"); // 9 h 55 min
        assertThat(untilNext()).isBetween(Duration.ofMinutes(1), Duration.ofMinutes(11));
    }

    private Duration untilNext() throws SQLException {
        return new UpcomingMoment(fixture().database, Features.installed())
                .until(List.of("default"), List.of("greet"), List.of("default"), List.of())
                .first()
                .orElseThrow();
    }

    /** Without its row the key could start jobs again at once. */
    @Test
    default void aKeyThatHasUsedUpItsRateIsNotForgotten() throws Exception {
        rate(1, Duration.ofHours(1));
        enqueue(1, key("k"));
        assertThat(take("k", 1).now()).isEqualTo(1);
        var unused = fixture().admin.jobs().cancel(fixture().longOf("SELECT MAX(id) FROM pawl_job"));
        fixture().sweepMarked();
        assertThat(release("k").queues()).isEmpty();
        keys().forgetEmpty("default");
        assertThat(take("k", 1).now()).isZero();
        fixture().execute("UPDATE pawl_key SET kept_until = 1");
        keys().forgetEmpty("default");
        assertThat(fixture().longOf("SELECT COUNT(*) FROM pawl_key")).isZero();
    }
}

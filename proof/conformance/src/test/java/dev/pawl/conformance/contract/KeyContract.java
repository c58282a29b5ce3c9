package dev.pawl.conformance.contract;

import static dev.pawl.conformance.contract.Fixture.GREET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import dev.pawl.Worker;
import dev.pawl.WorkerBuilder;
import dev.pawl.admin.EditResult;
import dev.pawl.admin.JobChange;
import dev.pawl.admin.JobEdit;
import dev.pawl.admin.JobFilter;
import dev.pawl.admin.RetryResult;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.Job;
import dev.pawl.api.JobState;
import dev.pawl.api.OnDuplicate;
import dev.pawl.api.RetryPolicy;
import dev.pawl.conformance.RunsOn;
import dev.pawl.conformance.Specified;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.key.SqlKeys;
import dev.pawl.internal.store.ConcurrencyKeys;
import dev.pawl.internal.store.Grant;
import dev.pawl.internal.store.JobKey;
import dev.pawl.internal.store.Settlement;
import dev.pawl.internal.store.Verdict;
import dev.pawl.limit.ConcurrencyKey;
import dev.pawl.limit.Limit;
import dev.pawl.servers.Delay;
import dev.pawl.servers.Product;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Concurrency keys: jobs of the same key run one after the other, or up to a limit at once. */
@Specified
@WhiteBox
interface KeyContract extends Contract {
    private static EnqueueOptions key(String key) {
        return EnqueueOptions.DEFAULTS.key(key);
    }

    private ConcurrencyKeys keys() {
        return new SqlKeys(fixture().database);
    }

    private Set<String> release(String... keys) throws Exception {
        return keys().releaseJobs(List.of(keys).stream()
                        .map(key -> new JobKey("default", key))
                        .toList())
                .queues();
    }

    private List<Job> available(List<Long> ids) {
        return ids.stream()
                .map(id -> fixture().job(id))
                .filter(job -> job.state() == JobState.AVAILABLE)
                .toList();
    }

    private List<Long> enqueue(String key, int jobs) {
        return IntStream.range(0, jobs)
                .mapToObj(i ->
                        fixture().queue.enqueue(GREET, key + " " + i, key(key)).jobId())
                .toList();
    }

    /** The runs of each key, in order, and their concurrency. */
    final class Runs {
        /** The work of a job. */
        interface Work {
            void run() throws InterruptedException;
        }

        final Map<String, List<Long>> begun = new ConcurrentHashMap<>();
        final Map<String, AtomicInteger> running = new ConcurrentHashMap<>();
        /** The greatest number of runs of a key at once. */
        final Map<String, Integer> peak = new ConcurrentHashMap<>();
        /** Latches at which the jobs of a key wait for each other. */
        final Map<String, CountDownLatch> barriers = new ConcurrentHashMap<>();

        void run(Job job, int millis) throws InterruptedException {
            run(job, () -> Delay.work(millis));
        }

        void run(Job job, Work work) throws InterruptedException {
            String key = job.key().orElse("");
            begun.computeIfAbsent(key, each -> Collections.synchronizedList(new ArrayList<>()))
                    .add(job.id());
            AtomicInteger count = running.computeIfAbsent(key, each -> new AtomicInteger());
            peak.merge(key, count.incrementAndGet(), Math::max);
            try {
                CountDownLatch others = barriers.getOrDefault(key, new CountDownLatch(0));
                others.countDown();
                boolean unused = others.await(Fixture.SOON.toSeconds(), TimeUnit.SECONDS);
                work.run();
            } finally {
                count.decrementAndGet();
            }
        }

        int all() {
            return begun.values().stream().mapToInt(List::size).sum();
        }
    }

    private WorkerBuilder running(Runs runs) {
        return fixture().newWorker().concurrency(8).handle(GREET, (text, run) -> runs.run(run.job(), 2));
    }

    /**
     * A handler may lock its job's row for any length of time. The job of key b was started out of order, as by {@code pawl retry job}, so
     * its key has not released it.
     */
    @Test
    @RunsOn({Product.POSTGRESQL, Product.MARIADB, Product.MYSQL})
    default void aRowThatATransactionHasLockedHoldsUpNoOtherKey() throws Exception {
        assumeThat(fixture().database.dialect().mayCommitLate())
                .as("several writers")
                .isTrue();
        long blocked = enqueue("a", 1).get(0);
        long running = enqueue("b", 1).get(0);
        long free = enqueue("c", 1).get(0);
        fixture().execute("UPDATE pawl_job SET state = 0 WHERE id = " + running);
        Grant claimed = fixture().claim(1).get(0);
        assertThat(claimed.job().id()).isEqualTo(running);
        List<JobKey> keys =
                Stream.of("a", "b", "c").map(key -> new JobKey("default", key)).toList();
        ConcurrencyKeys.Released done;
        try (Connection connection = fixture().pool.getConnection()) {
            connection.setAutoCommit(false);
            fixture().execute(connection, "UPDATE pawl_job SET priority = 1 WHERE id = " + blocked);
            assertThat(fixture().store.lock(connection, claimed.lease())).isTrue();
            done = CompletableFuture.supplyAsync(() -> {
                        try {
                            return keys().releaseJobs(keys);
                        } catch (SQLException e) {
                            throw new IllegalStateException(e);
                        }
                    })
                    .get(Fixture.SOON.toSeconds(), TimeUnit.SECONDS);
            assertThat(available(List.of(free))).hasSize(1);
            connection.commit();
            connection.setAutoCommit(true);
        }
        assertThat(done.again()).containsOnlyKeys(keys.get(0));
        assertThat(fixture().job(blocked).state()).isEqualTo(JobState.BLOCKED);
        assertThat(fixture()
                        .rows()
                        .settle(List.of(new Settlement(claimed.lease(), new Verdict.Completed())))
                        .accepted())
                .hasSize(1);
        assertThat(release("a", "b")).containsExactly("default");
        assertThat(available(List.of(blocked))).hasSize(1);
        assertThat(fixture().count("pawl_keyed WHERE released = 0")).isZero();
    }

    @Test
    default void jobsOfAKeyRunInOrderOneAfterTheOther() {
        Runs runs = new Runs();
        for (int i = 0; i < 20; i++) {
            for (int key = 0; key < 5; key++) {
                long unused =
                        fixture().queue.enqueue(GREET, "x", key("k" + key)).jobId();
            }
        }
        Worker one = running(runs).start();
        Worker other = running(runs).start();
        try (one;
                other) {
            for (int i = 0; i < 20; i++) {
                long unused = fixture().queue.enqueue(GREET, "x", key("k0")).jobId();
            }
            await().atMost(Fixture.SOON).until(() -> runs.all() == 120);
        }
        assertThat(runs.peak)
                .hasSize(5)
                .allSatisfy((key, peak) -> assertThat(peak).isEqualTo(1));
        assertThat(runs.begun).allSatisfy((key, ids) -> assertThat(ids).isSorted());
    }

    /** A key that is alone may use all permits; as soon as other keys have jobs, it gets only its share. */
    @Test
    default void keysShareTheirPermitsEqually() {
        fixture().queue.limits().set(Limit.keysOf("default").together(12));
        assertThat(fixture().queue.limits().list().get(0).limit().together()).isEqualTo(12);
        Runs runs = new Runs();
        Semaphore mayEnd = new Semaphore(0);
        List<Long> unused = enqueue("many", 400);
        Worker worker = fixture()
                .newWorker()
                .concurrency(12)
                .handle(GREET, (text, run) -> {
                    runs.run(run.job(), () -> {
                        if (run.job().key().orElse("").equals("many")) {
                            mayEnd.acquire();
                        } else {
                            Delay.work(20);
                        }
                    });
                })
                .start();
        try (worker) {
            await().atMost(Fixture.SOON).until(() -> runs.peak.getOrDefault("many", 0) == 12);
            unused = enqueue("few", 10);
            unused = enqueue("other", 10);
            await().atMost(Fixture.SOON).pollInterval(Duration.ofMillis(20)).until(() -> {
                mayEnd.release();
                return Stream.of("few", "other")
                        .allMatch(key -> runs.begun.getOrDefault(key, List.of()).size() == 10);
            });
            assertThat(runs.begun.get("many"))
                    .as("the others did not wait for all of its jobs")
                    .hasSizeLessThan(400);
            mayEnd.release(400);
            await().atMost(Fixture.SOON).until(() -> runs.all() == 420);
        } finally {
            mayEnd.release(400);
        }
        assertThat(runs.peak.get("many")).isLessThanOrEqualTo(12);
        assertThat(runs.peak.get("few")).isLessThanOrEqualTo(6);
    }

    /** With more keys than permits, each key gets a permit in the end. */
    @Test
    default void eachKeyGetsAPermit() {
        fixture().queue.limits().set(Limit.keysOf("default").together(3).atOnce(2));
        Runs runs = new Runs();
        for (int key = 0; key < 10; key++) {
            List<Long> unused = enqueue("k" + key, 6);
        }
        Worker worker = running(runs).start();
        try (worker) {
            await().atMost(Fixture.SOON).until(() -> runs.all() == 60);
        }
        assertThat(runs.peak).allSatisfy((key, peak) -> assertThat(peak).isLessThanOrEqualTo(2));
    }

    @Test
    default void noRowsAreLeftWhenAllJobsHaveEnded() {
        Runs runs = new Runs();
        List<Long> unused = enqueue("k", 5);
        Worker worker = running(runs).start();
        try (worker) {
            await().atMost(Fixture.SOON)
                    .until(() -> fixture().longOf("SELECT COUNT(*) FROM pawl_keyed") == 0
                            && fixture().longOf("SELECT COUNT(*) FROM pawl_key") == 0);
        }
        assertThat(runs.all()).isEqualTo(5);
    }

    @Test
    default void aJobThatFailsHoldsUpThoseBehindIt() {
        List<Long> order = Collections.synchronizedList(new ArrayList<>());
        List<Long> ids = enqueue("k", 3);
        Worker worker = fixture()
                .newWorker()
                .retryPolicy(RetryPolicy.fixed(Duration.ofMillis(300)))
                .handle(GREET, (text, run) -> {
                    order.add(run.job().id());
                    if (run.job().id() == ids.get(0) && run.attempt() < 3) {
                        throw new IllegalStateException("not yet");
                    }
                })
                .start();
        try (worker) {
            fixture().awaitState(ids.get(2), JobState.COMPLETED);
        }
        assertThat(order).containsExactly(ids.get(0), ids.get(0), ids.get(0), ids.get(1), ids.get(2));
    }

    @Test
    default void asManyOfAKeyRunAtOnceAsTheLimitSays() {
        fixture().queue.limits().set(Limit.keysOf("default").atOnce(3));
        Runs runs = new Runs();
        runs.barriers.put("a", new CountDownLatch(3));
        List<Long> unused = enqueue("a", 60);
        List<Long> others = enqueue("b", 10);
        Worker one = running(runs).start();
        Worker other = running(runs).start();
        try (one;
                other) {
            await().atMost(Fixture.SOON).until(() -> runs.all() == 70);
        }
        assertThat(runs.peak.get("a")).isEqualTo(3);
        assertThat(runs.peak.get("b")).isBetween(1, 3);
        assertThat(others).hasSize(10);
    }

    @Test
    default void withALimitAJobThatWaitsForARetryDelaysNoOther() throws Exception {
        fixture().assumeNoTransactionAroundHandlers();
        fixture().queue.limits().set(Limit.keysOf("default").atOnce(2));
        List<Long> ids = enqueue("k", 4);
        assertThat(release("k")).containsExactly("default");
        assertThat(available(ids)).extracting(Job::id).containsExactly(ids.get(0), ids.get(1));
        var claimed = fixture().claim(2);
        for (var grant : claimed) {
            assertThat(fixture().finish(grant.lease(), new Verdict.Retry(Duration.ofHours(1), "no")))
                    .isTrue();
        }
        assertThat(release("k")).containsExactly("default");
        assertThat(available(ids)).extracting(Job::id).containsExactly(ids.get(2), ids.get(3));
        assertThat(fixture().job(ids.get(0)).state()).isEqualTo(JobState.BLOCKED);
        for (var grant : fixture().claim(2)) {
            assertThat(fixture().finish(grant.lease(), new Verdict.Completed())).isTrue();
        }
        fixture().sweepMarked();
        assertThat(release("k")).isEmpty();
        KeyDelayContract.advance(fixture(), Duration.ofHours(1));
        await().atMost(Fixture.SOON).until(() -> {
            Set<String> unused = release("k");
            return available(ids).size() == 2;
        });
        assertThat(fixture().job(ids.get(0)).attempt()).isEqualTo(1);
    }

    @Test
    default void aDelayedJobHoldsUpNoOther() throws Exception {
        long later = fixture().enqueue(key("k").delay(Duration.ofHours(1)));
        long now = fixture().enqueue(key("k"));
        assertThat(release("k")).containsExactly("default");
        assertThat(available(List.of(later, now))).extracting(Job::id).containsExactly(now);
        assertThat(fixture().job(later).state()).isEqualTo(JobState.BLOCKED);
        assertThat(fixture().job(later).key()).contains("k");
    }

    /** If a key with only distant jobs were rechecked at once, each check would ask for another check in a loop. */
    @Test
    default void aKeyWithOnlyDistantJobsIsNotRecheckedSoon() throws Exception {
        JobKey far = new JobKey("default", "far");
        for (int year : new int[] {7998, 2700, 2500, 2200}) {
            fixture().queue.enqueue(GREET, "x", key("far").availableAt(Instant.parse(year + "-01-01T00:00:00Z")));
            assertThat(keys().releaseJobs(List.of(far)).again().get(far))
                    .as("until the year %s", year)
                    .isGreaterThan(Duration.ofDays(36_500));
        }
    }

    @Test
    default void aRolledBackEnqueueLeavesNoKeyRow() throws Exception {
        try (var connection = fixture().pool.getConnection()) {
            connection.setAutoCommit(false);
            long unused = fixture()
                    .queue
                    .within(connection)
                    .enqueue(GREET, "x", key("k"))
                    .jobId();
            connection.rollback();
        }
        assertThat(fixture().longOf("SELECT COUNT(*) FROM pawl_keyed")).isZero();
    }

    /** A hundred keys cost as many statements as a single key. */
    @Test
    default void manyKeysAreReleasedTogether() throws Exception {
        fixture().queue.limits().set(Limit.keysOf("default").atOnce(2));
        List<List<Long>> jobs = IntStream.range(0, 100)
                .mapToObj(key -> enqueue("k" + key, 2 + key % 2))
                .toList();
        Queue<String> statements = new ConcurrentLinkedQueue<>();
        ConcurrencyKeys counted = new SqlKeys(new Database(
                TamperedDataSource.of(fixture().pool, statements::add),
                fixture().database.dialect()));
        List<JobKey> all = IntStream.range(0, 100)
                .mapToObj(key -> new JobKey("default", "k" + key))
                .toList();
        ConcurrencyKeys.Released release = counted.releaseJobs(all); // creates the rows to be locked
        assertThat(release.queues()).containsExactly("default");
        assertThat(release.again()).isEmpty();
        assertThat(jobs)
                .allSatisfy(
                        ids -> assertThat(available(ids)).extracting(Job::id).containsExactly(ids.get(0), ids.get(1)));
        jobs.forEach(ids -> {
            var unused = fixture().admin.jobs().cancel(ids.get(0));
        });
        fixture().sweepMarked();
        statements.clear();
        assertThat(counted.releaseJobs(all).queues()).containsExactly("default");
        assertThat(statements).hasSizeLessThan(20);
        assertThat(jobs)
                .allSatisfy(ids -> assertThat(available(ids))
                        .extracting(Job::id)
                        .containsExactlyElementsOf(ids.subList(1, ids.size())));
    }

    /** A key release is truncated so that its transaction stays short, and the rest is released immediately afterwards. */
    @Test
    default void aTruncatedKeyReleaseContinues() throws Exception {
        fixture().queue.limits().set(Limit.keysOf("default").atOnce(1_500));
        var unused = fixture()
                .queue
                .enqueueAll(GREET, IntStream.range(0, 1_700).mapToObj(i -> "x").toList(), text -> key("k"));
        JobKey key = new JobKey("default", "k");
        assertThat(keys().releaseJobs(List.of(key)).again()).containsEntry(key, Duration.ZERO);
        assertThat(keys().releaseJobs(List.of(key)).again()).isEmpty();
        assertThat(fixture().longOf("SELECT COUNT(*) FROM pawl_keyed WHERE released = 1"))
                .as("what the row of the key has no room for")
                .isEqualTo(1_400);
        assertThat(fixture().longOf("SELECT COUNT(*) FROM pawl_keyed WHERE released = 0"))
                .isEqualTo(200);
        assertThat(fixture().longOf("SELECT MAX(LENGTH(in_flight)) FROM pawl_key"))
                .as("the row of the key stays short")
                .isLessThan(2_000);
        fixture().execute("DELETE FROM pawl_job");
        for (int i = 0; i < 5 && fixture().count("pawl_key") > 0; i++) {
            ConcurrencyKeys.Released unusedRelease = keys().releaseJobs(List.of(key));
        }
        assertThat(fixture().count("pawl_key")).isZero();
        assertThat(fixture().count("pawl_keyed")).isZero();
    }

    /** For example, after a bulk cancel of all waiting jobs of a key. */
    @Test
    default void manyJobsThatEndedWhileBlockedDelayNoOthers() throws Exception {
        List<Long> ids = enqueue("k", 3);
        var unused = fixture()
                .queue
                .enqueueAll(GREET, IntStream.range(0, 3_000).mapToObj(i -> "x").toList(), text -> key("k"));
        long last = fixture().enqueue(key("k"));
        fixture().execute("DELETE FROM pawl_job WHERE id < " + last);
        Queue<String> statements = new ConcurrentLinkedQueue<>();
        ConcurrencyKeys counted = new SqlKeys(new Database(
                TamperedDataSource.of(fixture().pool, statements::add),
                fixture().database.dialect()));
        JobKey key = new JobKey("default", "k");
        ConcurrencyKeys.Released release = counted.releaseJobs(List.of(key));
        for (int i = 0; i < 5 && release.queues().isEmpty(); i++) {
            assertThat(release.again()).containsEntry(key, Duration.ZERO);
            release = counted.releaseJobs(List.of(key));
        }
        assertThat(release.queues()).containsExactly("default");
        assertThat(ids).hasSize(3);
        assertThat(fixture().job(last).state()).isNotEqualTo(JobState.BLOCKED);
        assertThat(statements).hasSizeLessThan(150);
        assertThat(fixture().longOf("SELECT COUNT(*) FROM pawl_keyed")).isZero();
        assertThat(fixture().count("pawl_key WHERE has_in_flight = 1"))
                .as("the row of its key")
                .isOne();
    }

    @Test
    default void cancelledJobsAreNoLongerQueued() {
        List<Long> ids = enqueue("k", 3);
        var one = fixture().admin.jobs().cancel(ids.get(0));
        var all = fixture().admin.jobs().changeAll(JobFilter.ALL.key("k"), new JobChange.Cancel(), done -> {});
        assertThat(all.changed()).as("%s", one).isEqualTo(2);
        assertThat(count("pawl_keyed")).isZero();
    }

    private long count(String table) {
        try {
            return fixture().longOf("SELECT COUNT(*) FROM " + table);
        } catch (java.sql.SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The sweep checks some hundred keys at a time. */
    @Test
    default void theSweepFindsEveryKey() throws Exception {
        var unused = fixture()
                .queue
                .enqueueAll(
                        GREET, IntStream.range(0, 1_100).mapToObj(i -> "k" + i).toList(), KeyContract::key);
        Set<JobKey> ready = new HashSet<>();
        String after = "";
        while (after != null) {
            ConcurrencyKeys.Ready some = keys().ready("default", after);
            ready.addAll(some.keys());
            after = some.last();
        }
        assertThat(ready).hasSize(1_100);
    }

    /** The process that should have released the next job died. */
    @Test
    default void aReleaseLostInACrashIsMadeUpFor() throws Exception {
        fixture().assumeNoTransactionAroundHandlers();
        List<Long> ids = enqueue("k", 2);
        assertThat(release("k")).containsExactly("default");
        assertThat(fixture().finish(fixture().claimOne().lease(), new Verdict.Completed()))
                .isTrue();
        fixture().sweepMarked();
        assertThat(keys().ready("default", "").keys()).containsExactly(new JobKey("default", "k"));
        assertThat(keys().ready("default", "k").keys()).isEmpty();
        Worker worker = fixture().newWorker().handle(GREET, (text, run) -> {}).start();
        try (worker) {
            fixture().awaitState(ids.get(1), JobState.COMPLETED);
        }
    }

    @Test
    default void concurrentKeyReleasesCountEachOther() throws Exception {
        fixture().queue.limits().set(Limit.keysOf("default").atOnce(2));
        List<Long> ids = enqueue("k", 12);
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            for (int round = 1; round <= 3; round++) {
                List<Future<Set<String>>> releases = new ArrayList<>();
                for (int i = 0; i < 4; i++) {
                    releases.add(threads.submit(() -> release("k")));
                }
                for (Future<Set<String>> release : releases) {
                    assertThat(release.get()).isSubsetOf("default");
                }
                assertThat(available(ids)).hasSizeLessThanOrEqualTo(2);
                Set<String> unused = release("k"); // all four threads may have found the key locked
                assertThat(available(ids)).hasSize(2);
                for (var grant : fixture().claim(2)) {
                    assertThat(fixture().finish(grant.lease(), new Verdict.Completed()))
                            .isTrue();
                }
                fixture().sweepMarked();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    default void manyOfOneKeyDelayNoOthers() {
        Runs runs = new Runs();
        fixture().queue.limits().set(Limit.queue("default").rate(200, Duration.ofSeconds(1)));
        var unused = fixture()
                .queue
                .enqueueAll(GREET, IntStream.range(0, 2_000).mapToObj(i -> "x").toList(), text -> key("busy"));
        List<Long> others = enqueue("quiet", 3);
        long plain = fixture().enqueue();
        Worker worker = running(runs).start();
        try (worker) {
            fixture().awaitState(plain, JobState.COMPLETED);
            others.forEach(id -> fixture().awaitState(id, JobState.COMPLETED));
        }
        assertThat(runs.begun.get("busy")).hasSizeLessThan(1_900);
    }

    @Test
    default void commandsOnABlockedJobTakeEffect() throws Exception {
        fixture().assumeNoTransactionAroundHandlers();
        List<Long> ids = enqueue("k", 3);
        assertThat(release("k")).containsExactly("default");
        var cancelled = fixture().admin.jobs().cancel(ids.get(1));
        assertThat(fixture().job(ids.get(1)).state()).as("%s", cancelled).isEqualTo(JobState.CANCELLED);
        assertThat(fixture().finish(fixture().claimOne().lease(), new Verdict.Completed()))
                .isTrue();
        fixture().sweepMarked();
        assertThat(release("k")).containsExactly("default");
        assertThat(available(ids)).extracting(Job::id).containsExactly(ids.get(2));
    }

    @Test
    default void aJobRetriedByHandIsQueuedBehindItsKey() throws Exception {
        fixture().assumeNoTransactionAroundHandlers();
        List<Long> ids = enqueue("k", 3);
        for (int i = 0; i < 3; i++) {
            assertThat(release("k")).containsExactly("default");
            assertThat(fixture().finish(fixture().claimOne().lease(), new Verdict.Discarded("no", "no")))
                    .isTrue();
            fixture().sweepMarked();
        }
        assertThat(fixture()
                        .admin
                        .jobs()
                        .changeAll(JobFilter.ALL.kind("greet"), new JobChange.Retry(), done -> {})
                        .changed())
                .isEqualTo(3);
        assertThat(available(ids)).isEmpty();
        assertThat(release("k")).containsExactly("default");
        assertThat(available(ids)).extracting(Job::id).containsExactly(ids.get(0));
        assertThat(fixture()
                        .admin
                        .jobs()
                        .changeAll(JobFilter.ALL.kind("greet"), new JobChange.Retry(), done -> {})
                        .changed())
                .as("blocked jobs are not delayed ones")
                .isZero();
    }

    @Test
    default void aMovedOrRescheduledJobStaysQueuedBehindItsKey() throws Exception {
        List<Long> ids = enqueue("k", 3);
        JobFilter all = JobFilter.ALL.kind("greet");
        Instant past = Instant.parse("2020-01-01T00:00:00Z");
        assertThat(fixture()
                        .admin
                        .jobs()
                        .changeAll(all, new JobChange.Reschedule(past), done -> {})
                        .changed())
                .isEqualTo(3);
        assertThat(available(ids)).isEmpty();
        assertThat(fixture()
                        .admin
                        .jobs()
                        .changeAll(all, new JobChange.Move("other"), done -> {})
                        .changed())
                .isEqualTo(3);
        assertThat(release("k")).as("there are none in this queue").isEmpty();
        assertThat(available(ids)).extracting(Job::id).containsExactly(ids.get(0));
        assertThat(fixture()
                        .admin
                        .jobs()
                        .changeAll(all, new JobChange.Reschedule(Instant.parse("2100-01-01T00:00:00Z")), done -> {})
                        .changed())
                .isEqualTo(3);
        assertThat(keys().releaseJobs(List.of(new JobKey("other", "k"))).queues())
                .isEmpty();
        assertThat(available(ids)).isEmpty();
    }

    private void move(JobFilter which, String queue, int jobs) {
        assertThat(fixture()
                        .admin
                        .jobs()
                        .changeAll(which, new JobChange.Move(queue), done -> {})
                        .changed())
                .isEqualTo(jobs);
    }

    private Set<String> releaseIn(String queue) throws Exception {
        return keys().releaseJobs(List.of(new JobKey(queue, "k"))).queues();
    }

    /** One moved job is available, and one waits for a retry: neither counts as in flight in the other queue. */
    @Test
    default void aMovedJobIsBlockedByItsKeyInTheOtherQueue() throws Exception {
        fixture().assumeNoTransactionAroundHandlers();
        long there = fixture().enqueue(key("k").queue("other"));
        assertThat(releaseIn("other")).containsExactly("other");
        List<Long> ids = enqueue("k", 3);
        assertThat(release("k")).containsExactly("default");
        move(JobFilter.ALL.id(ids.get(0)), "other", 1);
        assertThat(available(ids))
                .as("the next one is released at once; the moved one is blocked")
                .extracting(Job::id)
                .containsExactly(ids.get(1));
        retryLater(fixture().claimOne());
        move(JobFilter.ALL.id(ids.get(1)), "other", 1);
        assertThat(available(ids)).extracting(Job::id).containsExactly(ids.get(2));
        assertThat(releaseIn("other")).isEmpty();
        assertThat(fixture().job(ids.get(0)).state()).isEqualTo(JobState.BLOCKED);
        assertThat(fixture().job(ids.get(1)).state()).isEqualTo(JobState.BLOCKED);
        fixture().execute("DELETE FROM pawl_job WHERE id = " + there);
        assertThat(keys().ended("other")).containsExactly(new JobKey("other", "k"));
        assertThat(releaseIn("other")).containsExactly("other");
        assertThat(available(ids)).extracting(Job::id).containsExactlyInAnyOrder(ids.get(0), ids.get(2));
        fixture().execute("DELETE FROM pawl_job WHERE id = " + ids.get(0));
        assertThat(releaseIn("other")).as("not before its retry").isEmpty();
        assertThat(fixture().job(ids.get(1)).state()).isEqualTo(JobState.BLOCKED);
    }

    /** The jobs keep the order of their ids, in whichever order their rows are read. The key is released when all jobs have moved. */
    @Test
    default void manyOfAKeyAreMovedInTheirOrder() throws Exception {
        List<Long> ids = enqueue("k", 700);
        assertThat(release("k")).containsExactly("default");
        move(JobFilter.ALL.kind("greet"), "other", 700);
        assertThat(available(ids)).extracting(Job::id).containsExactly(ids.get(0));
        assertThat(fixture().count("pawl_key WHERE queue = 'default'")).isZero();
        assertThat(fixture().count("pawl_keyed WHERE queue = 'other'")).isEqualTo(699);
        assertThat(releaseIn("other")).isEmpty();
        move(JobFilter.ALL.kind("greet"), "other", 700);
        assertThat(available(ids)).as("they were there").extracting(Job::id).containsExactly(ids.get(0));
    }

    /** The key's row in the old queue still lists the job as in flight. */
    @Test
    default void aJobMovedAwayAndBackStaysBlocked() throws Exception {
        List<Long> ids = enqueue("k", 2);
        assertThat(release("k")).containsExactly("default");
        for (String queue : List.of("other", "default", "third")) {
            move(JobFilter.ALL.kind("greet"), queue, 2);
            assertThat(available(ids)).extracting(Job::id).containsExactly(ids.get(0));
            assertThat(releaseIn(queue)).isEmpty();
            assertThat(keys().ready(queue, "").keys()).isEmpty();
        }
        assertThat(fixture().count("pawl_key")).isOne();
        fixture().execute("DELETE FROM pawl_job WHERE id = " + ids.get(0));
        assertThat(keys().ended("third")).containsExactly(new JobKey("third", "k"));
        assertThat(releaseIn("third")).containsExactly("third");
        assertThat(available(ids.subList(1, 2))).hasSize(1);
    }

    /**
     * A release of a paused key blocks the job again, although the job still has a row from an earlier block, and the key's row still lists
     * the job as in flight.
     */
    @Test
    default void aBlockedJobStillListedAsInFlightIsBlockedAgain() throws Exception {
        fixture().assumeNoTransactionAroundHandlers();
        List<Long> ids = enqueue("k", 1);
        assertThat(release("k")).containsExactly("default");
        retryLater(fixture().claimOne());
        assertThat(release("k")).isEmpty();
        setLater(ids.get(0));
        assertThat(fixture().admin.jobs().retry(ids.get(0))).isEqualTo(RetryResult.AVAILABLE_NOW);
        fixture().queue.limits().pause(new ConcurrencyKey("default", "k"), Duration.ofHours(1), "down");
        assertThat(release("k")).isEmpty();
        assertThat(fixture().job(ids.get(0)).state()).isEqualTo(JobState.BLOCKED);
        assertThat(fixture().count("pawl_keyed")).isOne();
    }

    @Test
    default void aBlockedJobStillListedAsInFlightDisturbsNoOtherKey() throws Exception {
        fixture().assumeNoTransactionAroundHandlers();
        fixture().queue.limits().set(Limit.keysOf("default").atOnce(3));
        List<Long> ids = enqueue("k", 1);
        assertThat(release("k")).containsExactly("default");
        setLater(ids.get(0));
        assertThat(fixture().admin.jobs().retry(ids.get(0))).isEqualTo(RetryResult.AVAILABLE_NOW);
        retryLater(fixture().claimOne());
        List<Long> other = enqueue("z", 1);
        assertThat(release("k", "z")).containsExactly("default");
        assertThat(available(other)).hasSize(1);
        assertThat(fixture().job(ids.get(0)).state()).isEqualTo(JobState.BLOCKED);
    }

    /**
     * A user has rescheduled the jobs, so they are blocked. The rows of their keys list them as in flight until a sweep releases those
     * keys.
     */
    @Test
    default void keysWhoseJobsAreBlockedAgainUseNoPermit() throws Exception {
        fixture().assumeNoTransactionAroundHandlers();
        fixture().queue.limits().set(Limit.keysOf("default").together(10));
        List<String> names = IntStream.range(0, 9).mapToObj(i -> "k" + i).toList();
        for (String name : names) {
            var unused = enqueue(name, 1);
        }
        assertThat(release(names.toArray(new String[0]))).containsExactly("default");
        JobChange later = new JobChange.Reschedule(Instant.parse("2100-01-01T00:00:00Z"));
        assertThat(fixture()
                        .admin
                        .jobs()
                        .changeAll(JobFilter.ALL.kind("greet"), later, done -> {})
                        .changed())
                .isEqualTo(9);
        List<Long> big = enqueue("big", 20);
        assertThat(keys().ended("default")).hasSize(9);
        assertThat(release(names.toArray(new String[0]))).isEmpty();
        assertThat(keys().ended("default")).isEmpty();
        assertThat(release("big")).containsExactly("default");
        assertThat(available(big)).hasSize(10);
    }

    private void setLater(long id) {
        JobEdit later = JobEdit.NOTHING.availableAt(Instant.parse("2100-01-01T00:00:00Z"));
        assertThat(fixture().admin.jobs().edit(id, later, "ann")).isEqualTo(EditResult.CHANGED);
    }

    private void retryLater(Grant grant) throws Exception {
        assertThat(fixture()
                        .finish(List.of(new Settlement(grant.lease(), new Verdict.Retry(Duration.ofHours(1), "no")))))
                .hasSize(1);
    }

    /** The row of the key lists the job as in flight until the next release, but the job's own row says that it is blocked. */
    @Test
    default void aJobBlockedAgainIsNotInFlight() throws Exception {
        fixture().assumeNoTransactionAroundHandlers();
        List<Long> ids = enqueue("k", 3);
        assertThat(release("k")).containsExactly("default");
        retryLater(fixture().claimOne());
        assertThat(release("k")).as("it keeps its permit").isEmpty();
        JobEdit later = JobEdit.NOTHING.availableAt(Instant.parse("2100-01-01T00:00:00Z"));
        assertThat(fixture().admin.jobs().edit(ids.get(0), later, "ann")).isEqualTo(EditResult.CHANGED);
        assertThat(keys().ready("default", "").keys()).containsExactly(new JobKey("default", "k"));
        assertThat(release("k")).containsExactly("default");
        assertThat(available(ids)).extracting(Job::id).containsExactly(ids.get(1));
        assertThat(fixture().count("pawl_key WHERE in_flight = '" + ids.get(1) + "'"))
                .isOne();
        JobEdit now = JobEdit.NOTHING.availableAt(Instant.parse("2020-01-01T00:00:00Z"));
        assertThat(fixture().admin.jobs().edit(ids.get(0), now, "ann")).isEqualTo(EditResult.CHANGED);
        assertThat(release("k")).as("the other one is in flight").isEmpty();
        assertThat(fixture().finish(fixture().claimOne().lease(), new Verdict.Completed()))
                .isTrue();
        fixture().sweepMarked();
        assertThat(release("k")).containsExactly("default");
        assertThat(available(ids)).extracting(Job::id).containsExactly(ids.get(0));
    }

    /** For example, the last job of a key finishes on a manager. */
    @Test
    default void endedJobsThatWereNotReportedAreCleanedUp() throws Exception {
        fixture().assumeNoTransactionAroundHandlers();
        List<Long> ids = enqueue("k", 1);
        assertThat(release("k")).containsExactly("default");
        fixture().execute("DELETE FROM pawl_job WHERE id = " + ids.get(0));
        assertThat(keys().ended("default")).containsExactly(new JobKey("default", "k"));
        assertThat(release("k")).isEmpty();
        assertThat(fixture().longOf("SELECT COUNT(*) FROM pawl_keyed")).isZero();
        assertThat(fixture().longOf("SELECT COUNT(*) FROM pawl_key")).isZero();
    }

    /** A worker that has seen no keyed job for a long time detects the first one when a wake-up finds no jobs to claim. */
    @Test
    default void theFirstJobWithAKeyDoesNotWaitForASweep() {
        Duration least = Duration.ofDays(1);
        for (int tries = 0;
                tries < 4 && least.compareTo(Duration.ofSeconds(3)) > 0;
                tries++) { // several tries, for busy machines
            Worker worker =
                    fixture().newWorker().handle(GREET, (text, run) -> {}).start();
            try (worker) {
                fixture()
                        .awaitState(
                                fixture().enqueue(),
                                JobState.COMPLETED); // now the worker has read settings that report no keyed jobs
                long begun = System.nanoTime();
                fixture().awaitState(fixture().enqueue(key("k")), JobState.COMPLETED);
                least = Duration.ofNanos(System.nanoTime() - begun);
            }
        }
        assertThat(least).isLessThan(Duration.ofSeconds(3));
    }

    @Test
    default void badKeysAreRefused() {
        assertThatThrownBy(() -> key(" ")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> key("k").uniqueKey("u").onDuplicate(OnDuplicate.REPLACE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("a job with a concurrency key cannot be replaced");
    }
}

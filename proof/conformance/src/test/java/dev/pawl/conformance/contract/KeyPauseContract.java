package dev.pawl.conformance.contract;

import static dev.pawl.conformance.contract.Fixture.GREET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.pawl.Worker;
import dev.pawl.admin.JobChange;
import dev.pawl.admin.JobFilter;
import dev.pawl.admin.RetryResult;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.Handlers;
import dev.pawl.api.Job;
import dev.pawl.api.JobState;
import dev.pawl.api.Outcome;
import dev.pawl.conformance.RunsOn;
import dev.pawl.conformance.Specified;
import dev.pawl.internal.cluster.UpcomingMoment;
import dev.pawl.internal.feature.Features;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.key.SqlKeys;
import dev.pawl.internal.store.ConcurrencyKeys;
import dev.pawl.internal.store.JobKey;
import dev.pawl.internal.store.Verdict;
import dev.pawl.limit.ConcurrencyKey;
import dev.pawl.limit.Limit;
import dev.pawl.limit.PausedKey;
import dev.pawl.servers.Product;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** A dependency of one key is down: the key is paused in the whole cluster, and other keys are not. */
@Specified
@WhiteBox
interface KeyPauseContract extends Contract {
    private static EnqueueOptions key(String key) {
        return EnqueueOptions.DEFAULTS.key(key);
    }

    private SqlKeys keys() {
        return new SqlKeys(fixture().database);
    }

    private boolean release(String key) throws SQLException {
        return !keys().releaseJobs(List.of(new JobKey("default", key))).queues().isEmpty();
    }

    private List<Long> enqueue(int jobs, String name) {
        return enqueue(jobs, name, key(name));
    }

    private List<Long> enqueue(int jobs, String name, EnqueueOptions options) {
        var unused = fixture()
                .queue
                .enqueueAll(GREET, IntStream.range(0, jobs).mapToObj(i -> "x").toList(), text -> options);
        return fixture().admin.jobs().list(JobFilter.ALL.limit(10_000)).stream()
                .filter(job -> job.key().equals(Optional.of(name)))
                .map(Job::id)
                .sorted()
                .toList();
    }

    private List<Job> ready() {
        return fixture()
                .admin
                .jobs()
                .list(JobFilter.ALL.state(JobState.AVAILABLE).limit(10_000));
    }

    /**
     * During the outage there are few calls, no job loses an attempt, and other jobs of the queue run. After the outage, all jobs of the
     * key run in order.
     */
    @Test
    default void anOutageOfOneKeyDelaysNoOtherKey() throws Exception {
        AtomicBoolean down = new AtomicBoolean(true);
        AtomicInteger calls = new AtomicInteger();
        List<Long> done = new ArrayList<>();
        List<Long> ids = enqueue(30, "down", key("down").maxAttempts(1));
        Worker[] workers = new Worker[2];
        for (int i = 0; i < workers.length; i++) {
            workers[i] = fixture()
                    .newWorker()
                    .concurrency(4)
                    .handle(GREET, Handlers.completing((text, run) -> {
                        if (run.job().key().orElse("").equals("down")) {
                            calls.incrementAndGet();
                            if (down.get()) {
                                return Outcome.keyUnavailable(Duration.ofMillis(700), "their server is down");
                            }
                            synchronized (done) {
                                done.add(run.job().id());
                            }
                        }
                        return Outcome.completed();
                    }))
                    .start();
        }
        try (Worker first = workers[0];
                Worker second = workers[1]) {
            await().atMost(Fixture.SOON)
                    .until(() -> fixture().queue.limits().pausedKeys().stream()
                            .anyMatch(held -> held.pause().times() >= 2));
            PausedKey held = fixture().queue.limits().pausedKeys().get(0);
            assertThat(held.queue() + " " + held.key() + " " + held.pause().reason())
                    .isEqualTo("default down their server is down");
            for (long id : enqueue(20, "well")) {
                fixture().awaitState(id, JobState.COMPLETED);
            }
            fixture().awaitState(fixture().enqueue(), JobState.COMPLETED);
            down.set(false);
            int before = calls.get();
            ids.forEach(id -> fixture().awaitState(id, JobState.COMPLETED));
            assertThat(before).as("calls while it was down").isLessThan(30);
            assertThat(first.isAlive() && second.isAlive()).isTrue();
        }
        assertThat(done).isEqualTo(ids);
        assertThat(fixture().queue.limits().pausedKeys()).isEmpty();
        assertThat(fixture().admin.jobs().list(JobFilter.ALL.limit(100)))
                .extracting(Job::attempt)
                .containsOnly(1);
    }

    /**
     * Released jobs that are not running go back to their position; when the pause expires, one job probes, and its completion reopens the
     * key.
     */
    @Test
    default void oneJobProbesWhenThePauseExpires() throws Exception {
        fixture().assumeNoTransactionAroundHandlers();
        fixture().queue.limits().set(Limit.keysOf("default").atOnce(3));
        List<Long> ids = enqueue(6, "k");
        assertThat(release("k")).isTrue();
        assertThat(ready()).hasSize(3);
        fixture().queue.limits().pause(new ConcurrencyKey("default", "k"), Duration.ofHours(1), "they asked for it");
        assertThat(ready()).isEmpty();
        assertThat(keys().ready("default", "").keys())
                .as("no sweep looks at it in vain")
                .isEmpty();
        assertThat(release("k")).isFalse();
        expire("k");
        assertThat(keys().ready("default", "").keys()).containsExactly(new JobKey("default", "k"));
        assertThat(release("k")).isTrue();
        assertThat(release("k")).as("one at a time").isFalse();
        assertThat(ready()).extracting(Job::id).containsExactly(ids.get(0));
        assertThat(fixture().queue.limits().pausedKeys())
                .as("it is still tried")
                .singleElement()
                .satisfies(held -> assertThat(held.pause().expired()).isTrue());
        keys().unavailable(new JobKey("default", "k"), Duration.ofHours(1), "still down");
        assertThat(fixture().queue.limits().pausedKeys())
                .singleElement()
                .satisfies(held -> assertThat(held.pause().expired()).isFalse());
        assertThat(release("k")).isFalse();
        assertThat(ready()).isEmpty();
        expire("k");
        assertThat(release("k")).isTrue();
        assertThat(fixture().finish(fixture().claimOne().lease(), new Verdict.Completed()))
                .isTrue();
        assertThat(release("k")).as("it works again").isTrue();
        assertThat(ready()).extracting(Job::id).containsExactlyInAnyOrder(ids.get(1), ids.get(2), ids.get(3));
        assertThat(fixture().queue.limits().pausedKeys()).isEmpty();
    }

    private void expire(String key) throws SQLException {
        fixture().execute("UPDATE pawl_key SET paused_until = 1, kept_until = 1 WHERE job_key = '" + key + "'");
    }

    /** The connection is lost before and after each call: either the key is paused and all its jobs are blocked, or neither. */
    @Test
    default void aPauseThatFailsIsAllOrNothing() throws Exception {
        fixture().assumeNoTransactionAroundHandlers();
        fixture().queue.limits().set(Limit.keysOf("default").atOnce(2));
        JobKey key = new JobKey("default", "k");
        enqueue(3, "k");
        for (FailingCalls.When when : FailingCalls.When.values()) {
            boolean failed = true;
            for (int call = 1; failed; call++) {
                assertThat(call).isLessThan(100);
                assertThat(release("k")).isTrue();
                assertThat(ready()).hasSize(2);
                FailingCalls calls = new FailingCalls(fixture().pool);
                SqlKeys failing = new SqlKeys(
                        new Database(calls.dataSource(), fixture().database.dialect()));
                calls.arm(call, when);
                try {
                    failing.pause(key, Duration.ofHours(1), "they asked for it");
                } catch (SQLException e) {
                    assertThat(fixture().store.isTransient(e)).as("%s", e).isTrue();
                }
                failed = calls.lost() != null;
                calls.disarm();
                boolean held = !fixture().queue.limits().pausedKeys().isEmpty();
                assertThat(ready()).as("held: %s, %s call %d", held, when, call).hasSize(held ? 0 : 2);
                keys().pause(key, Duration.ofHours(1), "so that all are blocked in the next round");
                fixture().execute("UPDATE pawl_key SET paused_until = 0, kept_until = 1 WHERE job_key = 'k'");
            }
        }
    }

    /**
     * The pause has found no row of the new key. Then a worker inserts the row, as the first release does, and deletes it, as the next
     * release may.
     */
    @Test
    @RunsOn({Product.POSTGRESQL, Product.MARIADB, Product.MYSQL})
    default void aKeyCreatedDuringThePauseIsPausedToo() throws Exception {
        assumeTrue(fixture().product != Product.SQLITE, "SQLite has no concurrent writer");
        raced().pause(new JobKey("default", "k"), Duration.ofHours(1), "they asked for it");
        assertThat(fixture().queue.limits().pausedKeys())
                .singleElement()
                .satisfies(held -> assertThat(held.pause().reason()).isEqualTo("they asked for it"));
        assertThat(keys().resume(new JobKey("default", "k"))).isTrue();
        fixture().execute("DELETE FROM pawl_key WHERE job_key = 'k'");
        raced().unavailable(new JobKey("default", "k"), Duration.ofHours(1), "it is down");
        assertThat(fixture().queue.limits().pausedKeys())
                .singleElement()
                .satisfies(held -> assertThat(held.pause().times()).isEqualTo(1));
    }

    /**
     * {@return a store of keys that loses a race} Another connection inserts the row of the key before this store does. It also deletes the
     * row before this store's update, unless the row is locked.
     */
    private SqlKeys raced() {
        String insert = "INSERT INTO pawl_key (queue, job_key) VALUES ('default', 'k')";
        DataSource raced = fixture()
                .at(
                        "^INSERT INTO \\w*pawl_key \\(queue, job_key, paused_until",
                        TamperedDataSource.once(sql -> fixture().execute(insert)));
        if (fixture().product == Product.POSTGRESQL) { // other products lock the row
            TamperedDataSource.Tampering delete =
                    TamperedDataSource.once(sql -> fixture().execute("DELETE FROM pawl_key WHERE job_key = 'k'"));
            raced = TamperedDataSource.of(raced, fixture().statements.at("^UPDATE \\w*pawl_key ", delete));
        }
        return new SqlKeys(new Database(raced, fixture().database.dialect()));
    }

    /** Several jobs detect the outage: later reports change nothing and do not extend the pause. */
    @Test
    default void laterReportsDoNotExtendThePause() throws Exception {
        JobKey key = new JobKey("default", "k");
        ConcurrencyKeys keys = keys();
        keys.unavailable(key, Duration.ofHours(1), "first");
        keys.unavailable(key, Duration.ofHours(9), "second");
        PausedKey held = fixture().queue.limits().pausedKeys().get(0);
        assertThat(held.pause().reason()).isEqualTo("first");
        assertThat(held.pause().times()).isEqualTo(1);
        expire("k");
        fixture().enqueue(key("k"));
        keys.unavailable(key, Duration.ofHours(1), "third");
        assertThat(fixture().queue.limits().pausedKeys().get(0).pause().times()).isEqualTo(2);
    }

    /** Ending a pause releases the jobs that detected the outage at once, in their order. */
    @Test
    default void aUserEndsAPause() throws Exception {
        AtomicBoolean down = new AtomicBoolean(true);
        List<Long> done = new ArrayList<>();
        List<Long> ids = enqueue(5, "k");
        Worker worker = fixture()
                .newWorker()
                .handle(GREET, Handlers.completing((text, run) -> {
                    if (down.get()) {
                        return Outcome.keyUnavailable(Duration.ofHours(6), "it is down");
                    }
                    synchronized (done) {
                        done.add(run.job().id());
                    }
                    return Outcome.completed();
                }))
                .start();
        try (worker) {
            await().atMost(Fixture.SOON)
                    .until(() -> !fixture().queue.limits().pausedKeys().isEmpty());
            down.set(false);
            await().atMost(Fixture.SOON)
                    .until(() -> fixture().admin.jobs().list(JobFilter.ALL.limit(100)).stream()
                            .allMatch(job -> job.state() == JobState.BLOCKED));
            assertThat(fixture().queue.limits().resume(new ConcurrencyKey("default", "k")))
                    .isTrue();
            ids.forEach(id -> fixture().awaitState(id, JobState.COMPLETED));
        }
        assertThat(done).isEqualTo(ids);
        assertThat(fixture().queue.limits().resume(new ConcurrencyKey("default", "k")))
                .isFalse();
    }

    @Test
    default void aJobMovedToAPausedKeyIsBlocked() throws Exception {
        fixture().queue.limits().pause(new ConcurrencyKey("other", "k"), Duration.ofHours(1), "down");
        List<Long> ids = enqueue(2, "k");
        assertThat(release("k")).isTrue();
        assertThat(fixture()
                        .admin
                        .jobs()
                        .changeAll(JobFilter.ALL.key("k"), new JobChange.Move("other"), done -> {})
                        .changed())
                .isEqualTo(2);
        assertThat(ready()).isEmpty();
        assertThat(fixture().queue.limits().resume(new ConcurrencyKey("other", "k")))
                .isTrue();
        assertThat(ready()).extracting(Job::id).containsExactly(ids.get(0));
    }

    /**
     * A job with a long wait keeps its position. A bulk retry ends its wait early, but not the pause. A user may still run the job by
     * retrying only this job.
     */
    @Test
    default void aBulkRetryOfAJobWithALongWaitRespectsThePause() throws Exception {
        fixture().assumeNoTransactionAroundHandlers();
        long id = enqueue(1, "k").get(0);
        long plain = fixture().enqueue(EnqueueOptions.DEFAULTS.uniqueKey("row").delay(Duration.ofHours(2)));
        assertThat(release("k")).isTrue();
        assertThat(fixture().finish(fixture().claimOne().lease(), new Verdict.Retry(Duration.ofHours(2), "no")))
                .isTrue();
        fixture().queue.limits().pause(new ConcurrencyKey("default", "k"), Duration.ofHours(1), "down");
        assertThat(fixture()
                        .admin
                        .jobs()
                        .changeAll(
                                JobFilter.ALL.kind("greet").state(JobState.AVAILABLE),
                                new JobChange.Retry(),
                                done -> {})
                        .changed())
                .isEqualTo(2);
        assertThat(ready()).extracting(Job::id).containsExactly(plain);
        assertThat(fixture().job(id).state()).isEqualTo(JobState.BLOCKED);
        assertThat(release("k")).isFalse();
        assertThat(fixture().admin.jobs().retry(id)).isEqualTo(RetryResult.AVAILABLE_NOW);
        assertThat(fixture().job(id).state()).isNotEqualTo(JobState.BLOCKED);
    }

    /** An expired or shortened pause leaves no key name behind; nor does a pause that a user has ended. */
    @Test
    default void anEndedPauseKeepsNoKey() throws Exception {
        fixture().queue.limits().pause(new ConcurrencyKey("default", "k"), Duration.ofDays(300), "down");
        fixture().queue.limits().pause(new ConcurrencyKey("default", "k"), Duration.ofHours(1), "down");
        assertThat(fixture().count("pawl_key WHERE kept_until = paused_until")).isOne();
        assertThat(fixture().queue.limits().resume(new ConcurrencyKey("default", "k")))
                .isTrue();
        keys().forgetEmpty("default");
        assertThat(fixture().count("pawl_key")).isZero();
    }

    /** The jobs of a paused key are not read, however many there are. */
    @Test
    default void manyJobsOfAPausedKeyDelayNoOthers() throws Exception {
        fixture().queue.limits().pause(new ConcurrencyKey("default", "busy"), Duration.ofHours(1), "down");
        var unused = fixture()
                .queue
                .enqueueAll(GREET, IntStream.range(0, 3_000).mapToObj(i -> "x").toList(), text -> key("busy"));
        List<Long> others = IntStream.range(0, 20)
                .mapToObj(i -> fixture().enqueue(key("quiet-" + i)))
                .toList();
        long plain = fixture().enqueue();
        Worker worker = fixture().newWorker().handle(GREET, (text, run) -> {}).start();
        try (worker) {
            fixture().awaitState(plain, JobState.COMPLETED);
            others.forEach(id -> fixture().awaitState(id, JobState.COMPLETED));
        }
        assertThat(fixture().longOf("SELECT COUNT(*) FROM pawl_keyed WHERE released = 0 AND job_key = 'busy'"))
                .isEqualTo(3_000);
    }

    /** Only this job waits, for the duration that it reported. */
    @Test
    default void anOutageOfAJobWithoutAKeyPausesNoOthers() throws Exception {
        long id = fixture().enqueue();
        Worker worker = fixture()
                .newWorker()
                .handle(GREET, Handlers.completing((text, run) -> Outcome.keyUnavailable(Duration.ofHours(1), "down")))
                .start();
        try (worker) {
            await().atMost(Fixture.SOON)
                    .until(() -> fixture()
                            .job(id)
                            .availableAt()
                            .isAfter(Instant.now().plus(Duration.ofMinutes(50))));
        }
        assertThat(fixture().job(id).attempt()).isZero();
        assertThat(fixture().queue.limits().pausedKeys()).isEmpty();
        assertThat(fixture().longOf("SELECT COUNT(*) FROM pawl_key")).isZero();
    }

    @Test
    default void theEndOfAPauseWakesWorkers() throws Exception {
        fixture().enqueue(key("k"));
        fixture().queue.limits().pause(new ConcurrencyKey("default", "k"), Duration.ofHours(2), "down");
        assertThat(new UpcomingMoment(fixture().database, Features.installed())
                        .until(List.of("default"), List.of("greet"), List.of("default"), List.of())
                        .first()
                        .orElseThrow())
                .isBetween(Duration.ofMinutes(110), Duration.ofMinutes(121));
    }

    @Test
    default void aKeyWithoutJobsIsDeletedWhenItsPauseEnds() throws Exception {
        fixture().queue.limits().pause(new ConcurrencyKey("default", "k"), Duration.ofHours(1), "down");
        keys().forgetEmpty("default");
        assertThat(fixture().queue.limits().pausedKeys()).hasSize(1);
        expire("k");
        assertThat(fixture().queue.limits().pausedKeys()).isEmpty();
        keys().forgetEmpty("default");
        assertThat(fixture().longOf("SELECT COUNT(*) FROM pawl_key")).isZero();
    }

    @Test
    default void invalidPausesAreRefused() {
        assertThatThrownBy(() ->
                        fixture().queue.limits().pause(new ConcurrencyKey("default", " "), Duration.ofHours(1), "x"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> fixture().queue.limits().pause(new ConcurrencyKey("default", "k"), Duration.ZERO, "x"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Outcome.keyUnavailable(Duration.ofDays(2), "x"))
                .isInstanceOf(IllegalArgumentException.class);
    }
}

package dev.pawl.conformance.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.admin.WorkerInfo;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.Job;
import dev.pawl.api.JobRequest;
import dev.pawl.api.JobState;
import dev.pawl.api.QueueFullException;
import dev.pawl.api.Strategy;
import dev.pawl.conformance.RunsOn;
import dev.pawl.internal.QueueRuntime;
import dev.pawl.internal.store.AbandonedJob;
import dev.pawl.internal.store.ClaimOffer;
import dev.pawl.internal.store.ClaimRequest;
import dev.pawl.internal.store.ClaimStrategy;
import dev.pawl.internal.store.Grant;
import dev.pawl.internal.store.Settlement;
import dev.pawl.internal.store.Verdict;
import dev.pawl.limit.Limit;
import dev.pawl.servers.Product;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

/** An enqueue may claim its job for an idle handler of the same process, in the same commit. */
@WhiteBox
interface ImmediateClaimContract extends Contract {
    /** An idle handler, offered to each enqueue that asks for one. */
    final class Idle implements ClaimOffer {
        final List<List<Grant>> taken = new ArrayList<>();
        private final ClaimStrategy strategy;
        private final ClaimRequest request;
        int asked;

        Idle(ClaimStrategy strategy, ClaimRequest request) {
            this.strategy = strategy;
            this.request = request;
        }

        @Override
        public ClaimStrategy strategy() {
            return strategy;
        }

        @Override
        public ClaimRequest request() {
            return request;
        }

        @Override
        public void take(List<Grant> claimed) {
            taken.add(claimed);
        }

        List<Long> claimed() {
            return taken.stream()
                    .flatMap(List::stream)
                    .map(each -> each.job().id())
                    .toList();
        }
    }

    private Idle offered(ClaimRequest request) {
        fixture().admin.queues().setStrategy("default", Strategy.LANES);
        Idle idle = new Idle(fixture().store.strategy(Strategy.LANES), request);
        fixture().queue.unwrap(QueueRuntime.class).ports().wakes().offers().add((queue, kind) -> {
            idle.asked++;
            return idle;
        });
        return idle;
    }

    private Idle offered() {
        return offered(fixture().request(1));
    }

    /** Makes this queue object read the lanes, because only a job of a known lane is written and claimed in one statement. */
    private void begin(Idle idle) throws Exception {
        fixture().enqueueRow();
        fixture().enqueue();
        List<Grant> all = new ArrayList<>(idle.strategy.claim(fixture().request(10)));
        idle.taken.forEach(all::addAll);
        assertThat(complete(idle, all)).isEqualTo(2);
        idle.taken.clear();
        idle.asked = 0;
    }

    private static int complete(Idle idle, List<Grant> claimed) throws Exception {
        return idle.strategy
                .settle(claimed.stream()
                        .map(each -> new Settlement(each.lease(), new Verdict.Completed()))
                        .toList())
                .accepted()
                .size();
    }

    private List<Long> claim(Idle by) throws Exception {
        return by.strategy.claim(fixture().request(10)).stream()
                .map(each -> each.job().id())
                .toList();
    }

    @Test
    @RunsOn(Product.POSTGRESQL)
    default void theIdleHandlerGetsTheJobInTheCommitThatWritesIt() throws Exception {
        assumeTrue(fixture().product == Product.POSTGRESQL);
        Idle idle = offered();
        begin(idle);
        long id = fixture()
                .enqueue(EnqueueOptions.DEFAULTS.tags("a").header("h", "v").maxAttempts(7));
        assertThat(idle.claimed()).containsExactly(id);
        assertThat(fixture().job(id).state()).isEqualTo(JobState.RUNNING);
        Job claimed = idle.taken.get(0).get(0).job();
        Job stored = fixture().job(id);
        assertThat(claimed.payload()).isEqualTo(stored.payload());
        assertThat(claimed.tags()).isEqualTo(stored.tags()).containsExactly("a");
        assertThat(claimed.headers()).isEqualTo(stored.headers()).containsEntry("h", "v");
        assertThat(claimed.maxAttempts()).isEqualTo(stored.maxAttempts()).isEqualTo(7);
        assertThat(claimed.createdAt()).isEqualTo(stored.createdAt());
        assertThat(claim(idle)).isEmpty();
        long next = fixture().enqueue();
        assertThat(idle.claimed()).containsExactly(id, next);
        assertThat(complete(idle, idle.taken.stream().flatMap(List::stream).toList()))
                .isEqualTo(2);
        assertThat(fixture().job(id).state()).isEqualTo(JobState.COMPLETED);
        assertThat(fixture().job(next).state()).isEqualTo(JobState.COMPLETED);
    }

    /** Each job is available, or claimed once, whether or not the database can claim in the enqueue. */
    @Test
    default void eachJobIsClaimedOnce() throws Exception {
        Idle idle = offered();
        begin(idle);
        List<Long> ids =
                List.of(fixture().enqueue(), fixture().enqueue(), fixture().enqueue());
        List<Long> all = new ArrayList<>(idle.claimed());
        all.addAll(claim(idle));
        assertThat(all).containsExactlyInAnyOrderElementsOf(ids);
    }

    @Test
    default void anOlderJobGoesFirst() throws Exception {
        Idle idle = offered();
        begin(idle);
        fixture()
                .queue
                .enqueueEach(List.of(
                        new JobRequest("greet", "\"a\"", EnqueueOptions.DEFAULTS),
                        new JobRequest("greet", "\"b\"", EnqueueOptions.DEFAULTS)));
        long last = fixture().enqueue();
        assertThat(idle.claimed()).isEmpty();
        assertThat(claim(idle)).hasSize(3).last().isEqualTo(last);
    }

    @Test
    default void aPausedQueueKeepsTheJob() throws Exception {
        Idle idle = offered();
        begin(idle);
        fixture().admin.queues().pause("default");
        long id = fixture().enqueue();
        assertThat(idle.claimed()).isEmpty();
        assertThat(fixture().job(id).state()).isEqualTo(JobState.AVAILABLE);
        fixture().admin.queues().resume("default");
        assertThat(claim(idle)).containsExactly(id);
    }

    /**
     * Enqueues ask for no handler if a job has a row, is not due, is of a batch, belongs to a transaction of the caller, or is enqueued
     * together with other jobs.
     */
    @Test
    default void otherJobsAskForNoHandler() throws Exception {
        Idle idle = offered();
        begin(idle);
        fixture().enqueue(EnqueueOptions.DEFAULTS.key("k"));
        fixture().enqueueRow();
        fixture().enqueue(EnqueueOptions.DEFAULTS.delay(Duration.ofHours(1)));
        fixture().queue.batch("batch").open().enqueue(Fixture.GREET, "hello", EnqueueOptions.DEFAULTS);
        fixture().queue.enqueueAll(Fixture.GREET, List.of("a", "b"));
        try (Connection connection = fixture().pool.getConnection()) {
            connection.setAutoCommit(false);
            fixture().queue.within(connection).enqueue(Fixture.GREET, "hello", EnqueueOptions.DEFAULTS);
            connection.rollback();
        }
        assertThat(idle.asked).isZero();
    }

    @Test
    default void aFullQueueRefusesTheJob() throws Exception {
        fixture().queue.limits().set(Limit.queue("default").maxWaiting(1));
        try (JobQueue other =
                JobQueue.builder(fixture().pool).tablePrefix(fixture().prefix).open()) {
            other.enqueue(Fixture.GREET, "waits", EnqueueOptions.DEFAULTS);
            Idle idle =
                    new Idle(fixture().store.strategy(Strategy.LANES), fixture().request(1));
            other.unwrap(QueueRuntime.class).ports().wakes().offers().add((queue, kind) -> idle);
            assertThatThrownBy(() -> other.enqueue(Fixture.GREET, "refused", EnqueueOptions.DEFAULTS))
                    .isInstanceOf(QueueFullException.class);
            assertThat(fixture().liveJobs()).isEqualTo(1);
        }
    }

    /**
     * The open transaction may have a job with a smaller id. If the new job were claimed, the claim would pass over that job, which would
     * be found late.
     */
    @Test
    @RunsOn({Product.POSTGRESQL, Product.MARIADB, Product.MYSQL})
    default void besideAnOpenTransactionTheJobIsNotClaimed() throws Exception {
        assumeTrue(fixture().product != Product.SQLITE); // SQLite has one writer at a time
        Idle idle = offered();
        begin(idle);
        try (Connection connection = fixture().pool.getConnection()) {
            connection.setAutoCommit(false);
            long first = fixture()
                    .queue
                    .within(connection)
                    .enqueue(Fixture.GREET, "hello", EnqueueOptions.DEFAULTS)
                    .jobId();
            long second = fixture().enqueue();
            assertThat(idle.claimed()).isEmpty();
            connection.commit();
            assertThat(claim(idle)).containsExactly(first, second);
        }
    }

    /** The worker does not know of the claim, because the reply was lost or the process died. */
    @Test
    @RunsOn(Product.POSTGRESQL)
    default void theJobRunsAgainWhenItsWorkerIsGone() throws Exception {
        assumeTrue(fixture().product == Product.POSTGRESQL);
        Duration brief = Duration.ofMillis(50);
        Idle idle = offered(new ClaimRequest("default", List.of("greet"), 1, fixture().worker, brief, false));
        begin(idle);
        long id = fixture().enqueue();
        assertThat(idle.claimed()).containsExactly(id);
        fixture().letLeasesExpire(brief);
        List<AbandonedJob> abandoned = fixture().store.abandoned(10, 0);
        assertThat(abandoned)
                .singleElement()
                .satisfies(job -> assertThat(job.lease().jobId()).isEqualTo(id))
                .satisfies(job -> assertThat(job.mayHaveBegun()).isTrue());
    }

    /** A suspended worker of another process has to know when the lease of a job ends that was claimed by its enqueue. */
    @Test
    @RunsOn(Product.POSTGRESQL)
    default void aSuspendedWorkerRunsTheJobWhenItsWorkerIsGone() throws Exception {
        assumeTrue(fixture().product == Product.POSTGRESQL);
        Idle gone = offered(
                new ClaimRequest("default", List.of("greet"), 1, fixture().worker, Duration.ofSeconds(5), false));
        begin(gone);
        try (HikariDataSource pool = testDatabase().newDataSource(5);
                JobQueue other = JobQueue.builder(pool)
                        .tablePrefix(fixture().prefix)
                        .migrate(false)
                        .open();
                Worker suspended = Worker.on(other)
                        .name("suspended")
                        .suspendWhenIdle(Duration.ofHours(1))
                        .handle(Fixture.GREET, (payload, run) -> {})
                        .start()) {
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> fixture().admin.workers().list().stream().anyMatch(WorkerInfo::suspended));
            long id = fixture().enqueue();
            assertThat(gone.claimed()).containsExactly(id);
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> fixture().job(id).state() == JobState.COMPLETED && suspended.isAlive());
        }
    }

    /** A worker with its own threads, and enqueues of several others. */
    @Test
    default void aWorkerRunsEachJobOnce() throws Exception {
        fixture().admin.queues().setStrategy("default", Strategy.LANES);
        Set<String> runs = ConcurrentHashMap.newKeySet();
        Set<String> again = ConcurrentHashMap.newKeySet();
        int jobs = 60;
        try (Worker worker = fixture()
                .newWorker()
                .concurrency(3)
                .handle(Fixture.GREET, (payload, run) -> {
                    if (!runs.add(payload)) {
                        again.add(payload);
                    }
                })
                .start()) {
            for (int i = 0; i < jobs; i++) {
                fixture().queue.enqueue(Fixture.GREET, "n" + i, EnqueueOptions.DEFAULTS);
            }
            await().atMost(Fixture.SOON).until(() -> worker.stats().completed() == jobs);
            assertThat(worker.stats().claimed()).isGreaterThanOrEqualTo(jobs);
        }
        assertThat(runs).hasSize(jobs);
        assertThat(again).isEmpty();
    }
}

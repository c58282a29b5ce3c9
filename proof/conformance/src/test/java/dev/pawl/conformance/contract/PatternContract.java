package dev.pawl.conformance.contract;

import static dev.pawl.conformance.contract.Fixture.GREET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.WorkerBuilder;
import dev.pawl.admin.JobFilter;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.JobRequest;
import dev.pawl.api.JobState;
import dev.pawl.internal.cluster.WorkerRegistry;
import dev.pawl.internal.store.WorkerDirectory;
import dev.pawl.limit.Limit;
import dev.pawl.servers.Delay;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Workers whose queues are selected by a pattern. */
@WhiteBox
interface PatternContract extends Contract {
    private static EnqueueOptions in(String queue) {
        return EnqueueOptions.DEFAULTS.queue(queue);
    }

    private WorkerBuilder matching(Set<String> ran, String... patterns) {
        return fixture()
                .newWorker()
                .queuesLike(patterns)
                .handle(GREET, (text, run) -> ran.add(run.job().queue()));
    }

    /** Some queues exist before the worker starts. Later, this process creates a queue, and another process creates one more. */
    @Test
    default void queuesAreServedAsTheyAppear() {
        Set<String> ran = ConcurrentHashMap.newKeySet();
        fixture().enqueue(in("mail-a"));
        fixture().enqueue(in("mail-b").uniqueKey("it has a row"));
        fixture().enqueue(in("other"));
        Worker worker = matching(ran, "mail-*").start();
        try (worker) {
            await().atMost(Duration.ofSeconds(30)).until(() -> ran.containsAll(List.of("mail-a", "mail-b")));
            fixture().enqueue(in("mail-c"));
            try (JobQueue elsewhere = JobQueue.builder(fixture().pool)
                    .tablePrefix(fixture().prefix)
                    .migrate(false)
                    .notifications(false)
                    .open()) {
                long unused = elsewhere.enqueue(GREET, "x", in("mail-d")).jobId();
            }
            await().atMost(Duration.ofSeconds(30)).until(() -> ran.containsAll(List.of("mail-c", "mail-d")));
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> fixture().admin.workers().list().stream()
                            .anyMatch(one -> one.queues().containsAll(List.of("mail-a", "mail-d"))));
        }
        assertThat(ran).doesNotContain("other");
        assertThat(fixture().admin.jobs().list(JobFilter.ALL.state(JobState.AVAILABLE)))
                .hasSize(1);
    }

    /** The limit counts even before the worker knows the queue. */
    @Test
    default void limitsOfQueuesHoldFromTheFirstJobOn() {
        fixture().queue.limits().set(Limit.queue("mail-x").atOnce(1));
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        AtomicInteger done = new AtomicInteger();
        Worker worker = fixture()
                .newWorker()
                .concurrency(8)
                .queuesLike("mail-*")
                .handle(GREET, (text, run) -> {
                    most.accumulateAndGet(running.incrementAndGet(), Math::max);
                    Delay.work(10); // long enough for others to begin
                    running.decrementAndGet();
                    done.incrementAndGet();
                })
                .start();
        try (worker) {
            fixture().enqueue(in("mail-other")); // when this job is done, the worker has initialised
            await().atMost(Duration.ofSeconds(30)).until(() -> done.get() == 1);
            for (int i = 0; i < 20; i++) {
                fixture().enqueue(in("mail-x"));
            }
            await().atMost(Duration.ofSeconds(30)).until(() -> done.get() == 21);
        }
        assertThat(most).hasValue(1);
    }

    @Test
    default void idleMeansThatNoQueueThatMatchesHasJobs() throws Exception {
        Set<String> ran = ConcurrentHashMap.newKeySet();
        for (int i = 0; i < 20; i++) {
            fixture().enqueue(in("q" + i));
        }
        Worker worker = matching(ran, "*").start();
        try (worker) {
            assertThat(worker.awaitIdle(Duration.ofSeconds(30))).isTrue();
        }
        assertThat(ran).hasSize(20);
    }

    /** The number of a worker's queries depends on how many jobs can be claimed, not on how many names match. */
    @Test
    default void manyQueuesCostAsMuchAsTheirJobs() throws Exception {
        int many = 150;
        FetcherStatements statements = new FetcherStatements(fixture().pool);
        AtomicInteger ran = new AtomicInteger();
        for (int i = 0; i < many; i++) {
            fixture().enqueue(in("q" + i));
            fixture().enqueue(in("later" + i).delay(Duration.ofHours(1)));
        }
        try (JobQueue queue = JobQueue.builder(statements.dataSource())
                        .tablePrefix(fixture().prefix)
                        .open();
                Worker worker = Worker.on(queue)
                        .strategy(fixture().strategy)
                        .pollInterval(Duration.ofMillis(20))
                        .queuesLike("*")
                        .handle(GREET, (text, run) -> ran.incrementAndGet())
                        .start()) {
            await().atMost(Fixture.SOON).until(() -> ran.get() == many);
            assertThat(statements.others()).as("a few for each job").isLessThan(20L * many);
            assertThat(worker.awaitIdle(Fixture.SOON)).isTrue();
            long polls = statements.polls();
            long others = statements.others();
            await().atMost(Fixture.SOON).until(() -> statements.polls() >= polls + 20);
            assertThat(statements.others() - others)
                    .as("nothing is due, so no queue is polled")
                    .isLessThan(many);
            long more = fixture().enqueue(in("later7"));
            fixture().awaitState(more, JobState.COMPLETED);
        }
    }

    @Test
    default void queuesBeyondThoseThatAreReadAtOnceAreFound() throws Exception {
        fixture().execute("DELETE FROM pawl_lane");
        try (Connection connection = fixture().pool.getConnection()) {
            connection.setAutoCommit(false);
            fixture()
                    .queue
                    .within(connection)
                    .enqueueEach(IntStream.range(0, 1_200)
                            .mapToObj(i -> new JobRequest(
                                    "greet",
                                    "\"x\"",
                                    in("q" + (10_000 + i)).delay(Duration.ofHours(i == 1_199 ? 0 : 1))))
                            .toList());
            connection.commit();
            connection.setAutoCommit(true);
        }
        WorkerRegistry directory = new WorkerRegistry(fixture().database);
        WorkerDirectory.Due first = directory.dueQueues("", Set.of("greet"));
        assertThat(first.queues()).as("of the last one there may be more").containsExactly("q10999");
        assertThat(first.end()).isEqualTo("q10999");
        WorkerDirectory.Due second = directory.dueQueues(first.end(), Set.of("greet"));
        assertThat(second.queues()).containsExactly("q11199");
        assertThat(second.end()).isEmpty();
        assertThat(directory.dueQueues(first.end(), Set.of("another")).queues()).isEmpty();
        fixture().admin.queues().pause("q11199");
        assertThat(directory.dueQueues(first.end(), Set.of("greet")).queues()).isEmpty();
    }

    private void enqueueDelayed(int many, IntFunction<EnqueueOptions> options) throws SQLException {
        try (Connection connection = fixture().pool.getConnection()) {
            connection.setAutoCommit(false);
            fixture()
                    .queue
                    .within(connection)
                    .enqueueEach(IntStream.range(0, many)
                            .mapToObj(i -> new JobRequest(
                                    "greet", "\"x\"", options.apply(i).delay(Duration.ofHours(1))))
                            .toList());
            connection.commit();
            connection.setAutoCommit(true);
        }
    }

    /** Regression: no worker claimed a job if jobs with a thousand different priorities came before it. */
    @Test
    default void aQueueWithManyPrioritiesIsPolled() throws Exception {
        enqueueDelayed(1_000, i -> in("mail").priority(i));
        long due = fixture().enqueue(in("mail").priority(2_000).uniqueKey("it has a row"));
        Set<String> ran = ConcurrentHashMap.newKeySet();
        try (Worker worker = matching(ran, "mail*").start()) {
            assertThat(worker.isAlive()).isTrue();
            fixture().awaitState(due, JobState.COMPLETED);
        }
    }

    /** This holds for either join order that the database may choose. */
    @Test
    default void queuesAreReadInTheOrderOfTheirNamesAndNotOfTheirJobs() throws Exception {
        enqueueDelayed(1_200, i -> in("q" + (19_999 - i)));
        WorkerRegistry directory = new WorkerRegistry(fixture().database);
        assertThat(directory.dueQueues("", Set.of("greet")).end()).isEqualTo("q19799");
        assertThat(directory.dueQueues("q19799", Set.of("greet")).end()).isEmpty();
    }

    @Test
    default void whileAllQueuesArePausedNoneIsDue() throws Exception {
        long unused = fixture().enqueue(in("mail").uniqueKey("it has a row"));
        long unusedToo = fixture().enqueue(in("letter"));
        WorkerRegistry directory = new WorkerRegistry(fixture().database);
        assertThat(directory.dueQueues("", Set.of("greet")).queues()).containsExactly("letter", "mail");
        fixture().admin.queues().pauseAll();
        assertThat(directory.dueQueues("", Set.of("greet")).queues()).isEmpty();
        fixture().admin.queues().resumeAll();
        assertThat(directory.dueQueues("", Set.of("greet")).queues()).containsExactly("letter", "mail");
    }

    @Test
    default void badPatternsAreRefused() {
        assertThatThrownBy(() -> matching(Set.of())).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> matching(Set.of(), " *")).isInstanceOf(IllegalArgumentException.class);
    }
}

package dev.pawl.micronaut;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.admin.JobFilter;
import dev.pawl.api.Job;
import dev.pawl.api.JobState;
import dev.pawl.api.JobType;
import dev.pawl.servers.Delay;
import io.micronaut.context.ApplicationContext;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import io.micronaut.test.support.TestPropertyProvider;
import jakarta.inject.Inject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** An application of Micronaut with a SQLite database. */
@MicronautTest(transactional = false)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OrdersTest implements TestPropertyProvider {
    /** Below {@code target}, and not deleted: the application's pool may close its last connection after the tests. */
    static final Path FOLDER = folder();

    @Inject
    Orders orders;

    @Inject
    JobQueue queue;

    @Inject
    WorkerLifecycle lifecycle;

    @Override
    public Map<String, String> getProperties() {
        return database("orders.db");
    }

    private static Path folder() {
        try {
            return Files.createTempDirectory(
                    Files.createDirectories(Path.of("target").toAbsolutePath()), "orders");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Map<String, String> database(String file) {
        return new HashMap<>(Map.of(
                "datasources.default.url",
                "jdbc:sqlite:" + FOLDER.resolve(file) + "?busy_timeout=30000&journal_mode=WAL",
                "datasources.default.driver-class-name",
                "org.sqlite.JDBC",
                "pawl.worker.name",
                "shop",
                "pawl.worker.poll-interval",
                "20ms"));
    }

    private static List<Job> awaitFinished(JobQueue queue, int jobs) throws InterruptedException {
        List<Job> all = queue.admin().jobs().list(JobFilter.ALL);
        for (int i = 0; i < 3_000 && finished(all) < jobs; i++) {
            Delay.poll(20);
            all = queue.admin().jobs().list(JobFilter.ALL);
        }
        return all;
    }

    private static long finished(List<Job> jobs) {
        return jobs.stream().filter(job -> job.state().isFinished()).count();
    }

    @Test
    void ordersAreConfirmedOnceAndOnlyIfTheyCommit() throws Exception {
        orders.create();
        orders.place(1, true);
        assertThatThrownBy(() -> orders.place(2, false)).hasMessage("not paid");
        queue.enqueueAll(Orders.COUNT, List.of(1, 2, 3));
        assertThat(awaitFinished(queue, 4)).hasSize(4).allMatch(job -> job.state() == JobState.COMPLETED);
        assertThat(orders.all()).isEqualTo("1=1 ");
        assertThat(orders.counted()).isEqualTo(3);
        assertThat(lifecycle.worker())
                .hasValueSatisfying(worker -> assertThat(worker.isAlive()).isTrue());
        assertThat(queue.admin().workers().list())
                .extracting(worker -> worker.name())
                .containsExactly("shop");
    }

    @Test
    void aRunWhoseTransactionIsMarkedForRollbackFails() throws Exception {
        try (ApplicationContext context = ApplicationContext.run(new HashMap<String, Object>(database("refused.db")))) {
            JobQueue own = context.getBean(JobQueue.class);
            Orders shop = context.getBean(Orders.class);
            shop.create();
            shop.place(1, true);
            own.enqueue(Orders.REFUSE, 1);
            Job refused = awaitFinished(own, 2).stream()
                    .filter(job -> job.kind().equals(Orders.REFUSE.kind()))
                    .findAny()
                    .orElseThrow();
            assertThat(own.admin().runs().failedAttempts(refused.id(), 10))
                    .singleElement()
                    .satisfies(failed -> assertThat(failed.error()).contains("marked for rollback"));
            assertThat(shop.all()).isEqualTo("1=1 ");
        }
    }

    @Test
    void aMethodThatOnlySupportsATransactionMayOpenOne() throws Exception {
        try (ApplicationContext context = ApplicationContext.run(new HashMap<String, Object>(database("removed.db")))) {
            JobQueue own = context.getBean(JobQueue.class);
            Orders shop = context.getBean(Orders.class);
            shop.create();
            shop.place(1, true);
            own.enqueue(Orders.REMOVE, 1);
            assertThat(awaitFinished(own, 2)).hasSize(2).allMatch(job -> job.state() == JobState.COMPLETED);
            assertThat(shop.all()).isEmpty();
        }
    }

    @Test
    void interceptorBeansRunInsideTheInterceptorsOfCustomizers() throws Exception {
        try (ApplicationContext context = ApplicationContext.run(new HashMap<String, Object>(database("nested.db")))) {
            JobQueue own = context.getBean(JobQueue.class);
            own.enqueue(Orders.COUNT, 1);
            assertThat(awaitFinished(own, 1)).hasSize(1);
            assertThat(context.getBean(Interceptors.class).calls()).containsExactly("the customizer's", "the bean");
        }
    }

    @Test
    void theWorkerStopsBeforeThePoolIsClosed() {
        Worker worker;
        try (ApplicationContext context = ApplicationContext.run(new HashMap<String, Object>(database("stopped.db")))) {
            worker = context.getBean(WorkerLifecycle.class).worker().orElseThrow();
            assertThat(worker.isAlive()).isTrue();
        }
        assertThat(worker.isAlive()).isFalse();
        assertThat(worker.failure()).isEmpty();
    }

    @Test
    void pawlAndItsWorkerCanBeSwitchedOff() {
        Map<String, Object> off = new HashMap<>(database("off.db"));
        off.put("pawl.enabled", "false");
        try (ApplicationContext context = ApplicationContext.run(off)) {
            assertThat(context.containsBean(JobQueue.class)).isFalse();
        }
        Map<String, Object> enqueues = new HashMap<>(database("enqueues.db"));
        enqueues.put("pawl.worker.enabled", "false");
        try (ApplicationContext context = ApplicationContext.run(enqueues)) {
            assertThat(context.getBean(WorkerLifecycle.class).worker()).isEmpty();
        }
    }

    @Test
    void aTypeThatDiffersFromItsHandlerFailsTheStart() {
        JobType<String> other = JobType.of("order.confirm", String.class);
        assertThatThrownBy(() -> ApplicationContext.builder(new HashMap<>(database("wrong.db")))
                        .singletons(other)
                        .start())
                .hasStackTraceContaining("kind 'order.confirm'")
                .hasStackTraceContaining("Orders.confirm declares payload=");
    }
}

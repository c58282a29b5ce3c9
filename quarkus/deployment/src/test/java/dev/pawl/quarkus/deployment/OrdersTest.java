package dev.pawl.quarkus.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.Batch;
import dev.pawl.JobQueue;
import dev.pawl.admin.JobFilter;
import dev.pawl.admin.WorkerInfo;
import dev.pawl.api.Job;
import dev.pawl.api.JobState;
import dev.pawl.quarkus.WorkerLifecycle;
import dev.pawl.servers.Delay;
import dev.pawl.servers.FileTrees;
import io.quarkus.test.QuarkusUnitTest;
import jakarta.inject.Inject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.sqlite.SQLiteDataSource;

/** An application of Quarkus with a SQLite database. */
class OrdersTest {
    private static final Path FOLDER = Path.of("target", "orders").toAbsolutePath();
    private static final String URL =
            "jdbc:sqlite:" + FOLDER.resolve("orders.db") + "?busy_timeout=30000&journal_mode=WAL";

    @RegisterExtension
    static final QuarkusUnitTest APPLICATION = new QuarkusUnitTest()
            .withApplicationRoot(archive -> archive.addClasses(Orders.class, Orders.Confirm.class, Interceptors.class))
            .overrideConfigKey("quarkus.datasource.db-kind", "other")
            .overrideConfigKey("quarkus.datasource.jdbc.driver", "org.sqlite.JDBC")
            .overrideConfigKey("quarkus.datasource.jdbc.url", URL)
            .overrideConfigKey("pawl.worker.name", "shop")
            .overrideConfigKey("pawl.worker.poll-interval", "20ms")
            .setBeforeAllCustomizer(OrdersTest::prepare)
            .setAfterAllCustomizer(OrdersTest::theWorkerHasSignedOff);

    @Inject
    Orders orders;

    @Inject
    JobQueue queue;

    @Inject
    WorkerLifecycle lifecycle;

    @Inject
    Interceptors interceptors;

    private static void prepare() {
        // Quarkus refuses system properties that it does not know, such as pawl.clusters of the build.
        System.getProperties().keySet().removeIf(name -> name.toString().startsWith("pawl."));
        try {
            FileTrees.delete(FOLDER);
            Files.createDirectories(FOLDER);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Otherwise other workers would have to wait until its leases expire. */
    private static void theWorkerHasSignedOff() {
        SQLiteDataSource database = new SQLiteDataSource();
        database.setUrl(URL);
        try (JobQueue queue = JobQueue.open(database)) {
            assertThat(queue.admin().workers().list()).isNotEmpty().noneMatch(WorkerInfo::alive);
        }
    }

    private List<Job> awaitCompleted(int jobs) throws InterruptedException {
        JobFilter ofThisTest = JobFilter.ALL.queue("default");
        List<Job> all = queue.admin().jobs().list(ofThisTest);
        for (int i = 0; i < 3_000 && completed(all) < jobs; i++) {
            Delay.poll(20);
            all = queue.admin().jobs().list(ofThisTest);
        }
        return all;
    }

    private static long completed(List<Job> jobs) {
        return jobs.stream().filter(job -> job.state() == JobState.COMPLETED).count();
    }

    @Test
    void ordersAreConfirmedOnceAndOnlyIfTheyCommit() throws Exception {
        orders.create();
        orders.place(1, true);
        assertThatThrownBy(() -> orders.place(2, false)).hasMessage("not paid");
        queue.enqueueAll(Orders.COUNT, List.of(1, 2, 3));
        assertThat(awaitCompleted(4)).hasSize(4).allMatch(job -> job.state() == JobState.COMPLETED);
        assertThat(orders.all()).isEqualTo("1=1 ");
        assertThat(orders.counted()).isEqualTo(3);
        assertThat(lifecycle.worker())
                .hasValueSatisfying(each -> assertThat(each.isAlive()).isTrue());
        assertThat(queue.admin().workers().list())
                .extracting(each -> each.name())
                .containsExactly("shop");
    }

    @Test
    void onlyEnqueuesJoinATransaction() {
        Batch batch = queue.batch("archive").open();
        long first = archive(1);
        assertThat(orders.replace(first, 2, batch, true)).isPresent();
        long third = archive(3);
        assertThatThrownBy(() -> orders.replace(third, 4, batch, false)).hasMessage("not paid");
        assertThat(queue.admin().jobs().list(JobFilter.ALL.queue("archive")))
                .extracting(job -> job.payload() + " " + job.state())
                .containsExactlyInAnyOrder(
                        "{\"order\":1} CANCELLED", "{\"order\":2} AVAILABLE", "{\"order\":3} CANCELLED");
    }

    private long archive(int order) {
        return queue.enqueue(Orders.CONFIRM, new Orders.Confirm(order), Orders.ARCHIVE)
                .jobId();
    }

    @Test
    void theTransactionOfAHandlerHasNoTimeoutOfQuarkus() throws Exception {
        long unused = audited();
        assertThat(orders.audited()).hasFieldOrPropertyWithValue("timeout", Integer.MAX_VALUE); // of Narayana's class
    }

    @Test
    void interceptorBeansRunInsideTheInterceptorsOfCustomizers() throws Exception {
        long job = audited();
        assertThat(interceptors.callsFor(job)).containsExactly(job + " the customizer's", job + " the bean");
    }

    /** {@return the id of a job that has completed} */
    private long audited() throws InterruptedException {
        long id = queue.enqueue(Orders.AUDIT, 1).jobId();
        assertThat(queue.handle(id, Void.class).await(Duration.ofSeconds(60))).contains(JobState.COMPLETED);
        return id;
    }
}

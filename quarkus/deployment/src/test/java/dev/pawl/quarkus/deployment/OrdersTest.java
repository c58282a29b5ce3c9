package dev.pawl.quarkus.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
            .withApplicationRoot(archive -> archive.addClasses(Orders.class, Orders.Confirm.class))
            .overrideConfigKey("quarkus.datasource.db-kind", "other")
            .overrideConfigKey("quarkus.datasource.jdbc.driver", "org.sqlite.JDBC")
            .overrideConfigKey("quarkus.datasource.jdbc.url", URL)
            .overrideConfigKey("pawl.worker.name", "shop")
            .overrideConfigKey("pawl.worker.poll-interval", "20ms")
            .setBeforeAllCustomizer(OrdersTest::newFolder)
            .setAfterAllCustomizer(OrdersTest::theWorkerHasSignedOff);

    @Inject
    Orders orders;

    @Inject
    JobQueue queue;

    @Inject
    WorkerLifecycle lifecycle;

    private static void newFolder() {
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
        List<Job> all = queue.admin().jobs().list(JobFilter.ALL);
        for (int i = 0; i < 3_000 && completed(all) < jobs; i++) {
            Delay.poll(20);
            all = queue.admin().jobs().list(JobFilter.ALL);
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
}

package dev.pawl.dashboard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.admin.Admin;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.JobRequest;
import dev.pawl.api.JobType;
import dev.pawl.servers.TestDatabase;
import dev.pawl.servers.TestServers;
import java.sql.Connection;
import java.sql.Statement;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A dashboard with a replica. In these tests the replica is a separate database with other jobs, like a replica that is behind. */
class ReplicaTest {
    private final TestDatabase database = TestServers.sqlite().createDatabase();
    private final HikariDataSource pool = database.newDataSource(3);
    private final JobQueue writer = JobQueue.open(pool);
    private final JobQueue replica = JobQueue.builder(pool).readOnly(true).open();
    private final Site site = new Site(TestServers.sqlite(), "", options -> options.readsFrom(replica));

    @BeforeEach
    void enqueue() {
        enqueue(site.queue(), "on-the-primary");
        enqueue(writer, "on-the-replica");
    }

    private static void enqueue(JobQueue queue, String kind) {
        queue.enqueue(new JobRequest(kind, "{}", EnqueueOptions.DEFAULTS.queue("mail")));
    }

    @AfterEach
    void close() {
        site.close();
        replica.close();
        writer.close();
        pool.close();
        database.close();
    }

    @Test
    void pagesAndApiAreReadFromTheReplica() {
        for (String path : new String[] {"/jobs", "/api/jobs", "/queues/one?name=mail", "/jobs/1"}) {
            assertThat(site.get(path).body())
                    .as(path)
                    .contains("on-the-replica")
                    .doesNotContain("on-the-primary");
        }
        assertThat(site.get("/ready").statusCode()).isEqualTo(200);
    }

    @Test
    void changesAreMadeInThePrimary() {
        site.submit("/queues", "/queues/pause", Map.of("queue", "mail", "back", "/queues"));
        assertThat(isPaused(site.queue())).isTrue();
        assertThat(isPaused(writer)).isFalse();
        site.submit("/jobs/1", "/jobs/1/cancel", Map.of());
        assertThat(site.queue().admin().jobs().find(1).orElseThrow().state().isFinished())
                .isTrue();
        assertThat(writer.admin().jobs().find(1).orElseThrow().state().isFinished())
                .isFalse();
    }

    /** The replica may not have the new job yet. */
    @Test
    void anEnqueueLeadsToTheList() {
        assertThat(site.submit("/jobs", "/jobs", Map.of("kind", "new", "payload", "{}"))
                        .headers()
                        .firstValue("location"))
                .hasValueSatisfying(page -> assertThat(page).endsWith("/jobs"));
    }

    private static boolean isPaused(JobQueue queue) {
        return queue.admin().queues().list(Admin.UNLIMITED).get(0).paused();
    }

    /** Reads do not fall back to the primary: the page says what failed. */
    @Test
    void aReplicaThatFailsIsSaid() {
        pool.close();
        assertThat(site.get("/jobs").statusCode()).isEqualTo(503);
        assertThat(site.get("/ready").statusCode()).isEqualTo(200);
    }

    @Test
    void aReplicaThatIsBehindIsShown() throws Exception {
        heartbeat(writer);
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.executeUpdate("UPDATE pawl_worker SET heartbeat_at = heartbeat_at - 45000000");
        }
        heartbeat(site.queue());
        await().atMost(Site.SOON)
                .untilAsserted(() -> assertThat(site.get("/").body())
                        .contains("the replica that these pages are read from is at least 4"));
        await().atMost(Site.SOON)
                .untilAsserted(() -> assertThat(site.get("/database").body())
                        .contains("These pages are read from a replica, at least 4"));
    }

    @Test
    void howFarItIsBehindIsUnknownWithoutWorkers() {
        assertThat(site.get("/database").body()).contains("how far it is behind is unknown");
        assertThat(site.get("/").body()).doesNotContain("the replica that these pages are read from");
    }

    private static void heartbeat(JobQueue queue) {
        try (Worker worker = Worker.on(queue)
                .queues("none")
                .handle(JobType.of("none", Integer.class), (number, run) -> {})
                .start()) {
            assertThat(worker.id()).isPositive();
        }
    }

    /** Without this check, a dashboard that reads from the primary by mistake would be noticed only when the primary becomes slow. */
    @Test
    void aQueueThatWritesIsNoReplica() {
        assertThatThrownBy(() -> Dashboard.on(site.queue()).readsFrom(writer))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("readOnly(true)");
    }
}

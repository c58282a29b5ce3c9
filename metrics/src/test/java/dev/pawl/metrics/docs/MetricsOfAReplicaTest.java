package dev.pawl.metrics.docs;

import static dev.pawl.metrics.Patient.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.JobQueue;
import dev.pawl.admin.Admin;
import dev.pawl.admin.QueueStats;
import dev.pawl.api.JobType;
import dev.pawl.metrics.JobMetrics;
import dev.pawl.metrics.micrometer.MicrometerMeters;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The part of docs/reference/clusters.md about reading from a replica. */
class MetricsOfAReplicaTest {
    @Test
    void listingsAndMetricsAreRead(@TempDir Path folder) {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        try (HikariDataSource pool = pool(folder);
                HikariDataSource replicaPool = pool(folder);
                JobQueue primary = JobQueue.open(pool);
                JobMetrics metrics = new JobMetrics(new MicrometerMeters(registry))) {
            primary.enqueue(JobType.of("mail.send", String.class), "bob@example.com");
            JobQueue replica = JobQueue.builder(replicaPool).readOnly(true).open();
            List<QueueStats> queues = replica.admin().queues().list(Admin.UNLIMITED);
            metrics.sample(replica, Duration.ofSeconds(30));
            assertThat(queues)
                    .singleElement()
                    .satisfies(queue -> assertThat(queue.available()).isOne());
            await().until(() -> !registry.find("pawl.queue.depth").gauges().isEmpty());
            replica.close();
        }
    }

    private static HikariDataSource pool(Path folder) {
        HikariDataSource pool = new HikariDataSource();
        pool.setJdbcUrl("jdbc:sqlite:" + folder.resolve("jobs.db"));
        return pool;
    }
}

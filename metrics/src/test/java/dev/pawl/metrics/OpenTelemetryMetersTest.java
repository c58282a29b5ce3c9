package dev.pawl.metrics;

import static dev.pawl.metrics.Patient.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.api.JobType;
import dev.pawl.metrics.otel.OpenTelemetryMeters;
import dev.pawl.servers.TestDatabase;
import dev.pawl.servers.TestServers;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.sdk.metrics.data.MetricData;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class OpenTelemetryMetersTest {
    private static final JobType<String> WORK = JobType.of("test.work", String.class);
    private static final Duration SOON = Duration.ofSeconds(60);

    private final CollectedTelemetry here = new CollectedTelemetry();

    private MetricData metric(String name) {
        return here.metrics().stream()
                .filter(metric -> metric.getName().equals(name))
                .findAny()
                .orElseThrow(() -> new AssertionError("no metric " + name + " among " + here.metrics()));
    }

    @Test
    void conventionalNamesAreUsedIfDefined() {
        JobMetrics metrics = new JobMetrics(new OpenTelemetryMeters(here.openTelemetry()));
        try (TestDatabase database = TestServers.sqlite().createDatabase();
                HikariDataSource pool = database.newDataSource(4);
                JobQueue queue = metrics.measure(JobQueue.builder(pool)).open();
                metrics) {
            queue.enqueue(WORK, "some");
            try (Worker worker = metrics.measure(Worker.on(queue))
                    .handle(WORK, (payload, run) -> {})
                    .start()) {
                metrics.measure(worker);
                await().atMost(SOON).until(() -> worker.stats().completed() == 1);
                metrics.sample(queue, Duration.ofSeconds(1));
                await().atMost(SOON)
                        .until(() -> here.metrics().stream()
                                .anyMatch(metric -> metric.getName().equals("pawl.workers")));
                assertThat(metric("pawl.workers").getDoubleGaugeData().getPoints())
                        .singleElement()
                        .extracting("value")
                        .isEqualTo(1.0);
            }
            assertThat(metric("messaging.client.sent.messages").getLongSumData().getPoints())
                    .singleElement()
                    .satisfies(point -> {
                        assertThat(point.getValue()).isEqualTo(1);
                        assertThat(point.getAttributes().get(AttributeKey.stringKey("messaging.system")))
                                .isEqualTo("pawl");
                        assertThat(point.getAttributes().get(AttributeKey.stringKey("messaging.operation.name")))
                                .isEqualTo("enqueue");
                        assertThat(point.getAttributes().get(AttributeKey.stringKey("messaging.destination.name")))
                                .isEqualTo("default");
                        assertThat(point.getAttributes().get(AttributeKey.stringKey("pawl.job.kind")))
                                .isEqualTo("test.work");
                    });
            assertThat(metric("messaging.client.consumed.messages").getUnit()).isEqualTo("{message}");
            MetricData run = metric("messaging.process.duration");
            assertThat(run.getUnit()).isEqualTo("s");
            assertThat(run.getHistogramData().getPoints()).singleElement().satisfies(point -> {
                assertThat(point.getCount()).isEqualTo(1);
                assertThat(point.getBoundaries()).startsWith(0.005).endsWith(3600.0);
            });
            assertThat(metric("pawl.job.completed").getLongSumData().getPoints())
                    .hasSize(1);
            assertThat(metric("pawl.worker.claimed").getLongSumData().getPoints())
                    .hasSize(1);
        }
    }
}

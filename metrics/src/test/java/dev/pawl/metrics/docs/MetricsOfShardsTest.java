package dev.pawl.metrics.docs;

import static dev.pawl.metrics.Patient.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.JobQueue;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.JobRun;
import dev.pawl.api.JobType;
import dev.pawl.metrics.JobMetrics;
import dev.pawl.metrics.micrometer.MicrometerMeters;
import dev.pawl.metrics.otel.OpenTelemetryMeters;
import dev.pawl.shard.Fleet;
import dev.pawl.shard.Shard;
import dev.pawl.shard.ShardedQueue;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.data.PointData;
import io.opentelemetry.sdk.testing.exporter.InMemoryMetricReader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The part of docs/reference/metrics.md about many databases. */
class MetricsOfShardsTest {
    private static final JobType<String> SEND = JobType.of("mail.send", String.class);
    private static final Duration SOON = Duration.ofSeconds(60);

    private final HikariDataSource poolOfA = new HikariDataSource();
    private final HikariDataSource poolOfB = new HikariDataSource();
    private final MeterRegistry registry = new SimpleMeterRegistry();
    private final Mailer mailer = new Mailer();

    private static final class Mailer {
        void send(String mail, JobRun run) {
            run.log(mail);
        }
    }

    @BeforeEach
    void open(@TempDir Path folder) {
        poolOfA.setJdbcUrl("jdbc:sqlite:" + folder.resolve("a.db"));
        poolOfB.setJdbcUrl("jdbc:sqlite:" + folder.resolve("b.db"));
    }

    @AfterEach
    void close() {
        poolOfA.close();
        poolOfB.close();
    }

    @Test
    void metricsOfEachShardHaveItsTag() {
        // @formatter:off
        JobMetrics ofA = new JobMetrics(new MicrometerMeters(registry, Tags.of("shard", "a")));
        JobMetrics ofB = new JobMetrics(new MicrometerMeters(registry, Tags.of("shard", "b")));
        ShardedQueue queue = ShardedQueue.of(
                Shard.of("a", ofA.measure(JobQueue.builder(poolOfA))),
                Shard.of("b", ofB.measure(JobQueue.builder(poolOfB))));
        Fleet fleet = queue.start(40, (shard, worker) -> {
            JobMetrics metrics = shard.name().equals("a") ? ofA : ofB;
            metrics.measure(worker).handle(SEND, mailer::send);
            metrics.sample(shard.queue(), Duration.ofSeconds(30));
        });
        // @formatter:on
        try (queue;
                fleet;
                ofA;
                ofB) {
            fleet.worker(queue.shard("a")).ifPresent(ofA::measure);
            fleet.worker(queue.shard("b")).ifPresent(ofB::measure);
            for (int i = 0; i < 3; i++) {
                queue.shard("a").queue().enqueue(SEND, "to a");
            }
            queue.shard("b").queue().enqueue(SEND, "to b", EnqueueOptions.DEFAULTS.delay(Duration.ofHours(1)));
            await().atMost(SOON).until(() -> count("pawl.job.completed", "a") == 3);
            assertThat(count("pawl.job.enqueued", "a")).isEqualTo(3);
            assertThat(count("pawl.job.enqueued", "b")).isEqualTo(1);
            assertThat(count("pawl.worker.claimed", "a")).isEqualTo(3);
            assertThat(count("pawl.worker.claimed", "b")).isZero();
            assertThat(registry.get("pawl.worker.concurrency").gauges()).hasSize(2);
            await().atMost(SOON)
                    .until(() -> registry.find("pawl.workers").gauges().size() == 2);
        }
    }

    private double count(String name, String shard) {
        return registry.find(name).tag("shard", shard).meters().stream()
                .flatMap(meter -> StreamSupport.stream(meter.measure().spliterator(), false))
                .mapToDouble(measured -> measured.getValue())
                .sum();
    }

    @Test
    void metricsOfEachShardHaveItsAttribute() {
        InMemoryMetricReader reader = InMemoryMetricReader.create();
        OpenTelemetrySdk openTelemetry = OpenTelemetrySdk.builder()
                .setMeterProvider(
                        SdkMeterProvider.builder().registerMetricReader(reader).build())
                .build();
        AttributeKey<String> shard = AttributeKey.stringKey("shard");
        try (JobMetrics ofA = new JobMetrics(new OpenTelemetryMeters(openTelemetry, Attributes.of(shard, "a")));
                JobMetrics ofB = new JobMetrics(new OpenTelemetryMeters(openTelemetry, Attributes.of(shard, "b")));
                JobQueue a = ofA.measure(JobQueue.builder(poolOfA)).open();
                JobQueue b = ofB.measure(JobQueue.builder(poolOfB)).open()) {
            a.enqueue(SEND, "to a");
            b.enqueue(SEND, "to b");
            ofA.sample(a, Duration.ofSeconds(30));
            ofB.sample(b, Duration.ofSeconds(30));
            await().atMost(SOON).until(() -> series(reader.collectAllMetrics(), "pawl.workers", shard) == 2);
            assertThat(series(reader.collectAllMetrics(), "messaging.client.sent.messages", shard))
                    .isEqualTo(2);
        }
    }

    private static long series(Collection<MetricData> all, String name, AttributeKey<String> shard) {
        return all.stream()
                .filter(metric -> metric.getName().equals(name))
                .flatMap(metric -> metric.getData().getPoints().stream())
                .map(PointData::getAttributes)
                .map(attributes -> attributes.get(shard))
                .distinct()
                .count();
    }
}

package dev.pawl.metrics.docs;

import static dev.pawl.metrics.Patient.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.api.JobType;
import dev.pawl.metrics.JobMetrics;
import dev.pawl.metrics.micrometer.MicrometerMeters;
import dev.pawl.metrics.otel.JobTraces;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** docs/reference/metrics.md. */
@SuppressWarnings("try") // these resources only need to be closed
class MetricsPageTest {
    private record SendWelcome(String address) {}

    private static final JobType<SendWelcome> SEND_WELCOME = JobType.of("mail.send", SendWelcome.class);
    private static final Duration SOON = Duration.ofSeconds(60);

    private final HikariDataSource dataSource = new HikariDataSource();
    private final Mailer mailer = new Mailer();

    private static final class Mailer {
        void send(String address) {
            assertThat(address).isEqualTo("ada@example.com");
        }
    }

    @BeforeEach
    void open(@TempDir Path folder) {
        dataSource.setJdbcUrl("jdbc:sqlite:" + folder.resolve("jobs.db"));
    }

    @AfterEach
    void close() {
        dataSource.close();
    }

    @Test
    void aProgramMeasures() {
        MeterRegistry registry = new SimpleMeterRegistry();
        // @formatter:off
        JobMetrics metrics = new JobMetrics(new MicrometerMeters(registry));
        JobQueue queue = metrics.measure(JobQueue.builder(dataSource)).open();
        Worker worker = metrics.measure(Worker.on(queue))
                .handle(SEND_WELCOME, (welcome, run) -> mailer.send(welcome.address()))
                .start();
        metrics.measure(worker);
        metrics.sample(queue, Duration.ofSeconds(30));
        // @formatter:on
        queue.enqueue(SEND_WELCOME, new SendWelcome("ada@example.com"));
        try (queue;
                worker;
                metrics) {
            await().atMost(SOON).until(() -> worker.stats().completed() == 1);
            await().atMost(SOON).until(() -> registry.find("pawl.workers").gauge() != null);
        }
    }

    @Test
    void aProgramTraces() {
        InMemorySpanExporter exporter = InMemorySpanExporter.create();
        OpenTelemetry openTelemetry = OpenTelemetrySdk.builder()
                .setTracerProvider(SdkTracerProvider.builder()
                        .addSpanProcessor(SimpleSpanProcessor.create(exporter))
                        .build())
                .setPropagators(ContextPropagators.create(W3CTraceContextPropagator.getInstance()))
                .build();
        // @formatter:off
        JobTraces traces = new JobTraces(openTelemetry);
        JobQueue queue = traces.trace(JobQueue.builder(dataSource)).open();
        Worker worker = traces.trace(Worker.on(queue))
                .handle(SEND_WELCOME, (welcome, run) -> mailer.send(welcome.address()))
                .start();
        // @formatter:on
        queue.enqueue(SEND_WELCOME, new SendWelcome("ada@example.com"));
        try (queue;
                worker) {
            await().atMost(SOON).until(() -> exporter.getFinishedSpanItems().size() == 2);
        }
    }
}

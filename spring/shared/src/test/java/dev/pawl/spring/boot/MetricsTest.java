package dev.pawl.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.pawl.api.JobRun;
import dev.pawl.api.JobState;
import dev.pawl.api.JobType;
import dev.pawl.api.Outcome;
import dev.pawl.api.RunInterceptor;
import dev.pawl.metrics.JobMetrics;
import dev.pawl.metrics.otel.JobTraces;
import dev.pawl.spring.JobHandler;
import dev.pawl.spring.WorkerLifecycle;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Metrics and traces configured by beans alone. */
class MetricsTest {
    private static final JobType<String> GREET = JobType.of("greet", String.class);

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Program {
        @JobHandler("greet")
        void greet(String name) {}

        @Bean
        MeterRegistry registry() {
            return new SimpleMeterRegistry();
        }

        @Bean
        InMemorySpanExporter exporter() {
            return InMemorySpanExporter.create();
        }

        @Bean
        OpenTelemetry openTelemetry(InMemorySpanExporter exporter) {
            return OpenTelemetrySdk.builder()
                    .setTracerProvider(SdkTracerProvider.builder()
                            .addSpanProcessor(SimpleSpanProcessor.create(exporter))
                            .build())
                    .setPropagators(ContextPropagators.create(W3CTraceContextPropagator.getInstance()))
                    .build();
        }

        @Bean
        CurrentSpan currentSpan() {
            return new CurrentSpan();
        }
    }

    /** An interceptor that notes the span in which it runs. */
    static final class CurrentSpan implements RunInterceptor {
        private volatile String id = "none";

        @Override
        public Outcome intercept(JobRun run, Handling handler) throws Exception {
            id = Span.current().getSpanContext().getSpanId();
            return handler.proceed();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Plain {
        @JobHandler("greet")
        void greet(String name) {}
    }

    @Test
    void jobsAreMeasuredIfThereIsARegistry() {
        try (App app = App.start(Program.class, "pawl.metrics.sample-every=1s")) {
            app.queue().enqueue(GREET, "Ada");
            app.awaitJobs(JobState.COMPLETED, 1);
            MeterRegistry registry = app.bean(MeterRegistry.class);
            assertThat(registry.get("pawl.job.enqueued").tag("kind", "greet").counter().count())
                    .isEqualTo(1);
            await().atMost(App.LONG).until(() ->
                    registry.get("pawl.job.completed").tag("kind", "greet").counter().count() == 1);
            assertThat(registry.get("pawl.worker.concurrency").gauge().value()).isEqualTo(10);
            await().atMost(App.LONG).until(() -> registry.find("pawl.workers").gauge() != null);
        }
    }

    @Test
    void aWorkerThatStartsLaterIsMeasured() {
        try (App app = App.start(Program.class, "pawl.worker.enabled=false")) {
            WorkerLifecycle lifecycle = app.bean(WorkerLifecycle.class);
            MeterRegistry registry = app.bean(MeterRegistry.class);
            assertThat(registry.find("pawl.worker.concurrency").gauge()).isNull();
            lifecycle.start();
            assertThat(registry.get("pawl.worker.concurrency").gauge().value()).isEqualTo(10);
            lifecycle.stop();
            assertThat(registry.get("pawl.worker.concurrency").gauge().value()).isZero();
            lifecycle.start();
            assertThat(registry.get("pawl.worker.concurrency").gauge().value()).isEqualTo(10);
        }
    }

    @Test
    void jobsAreTracedIfThereIsOpenTelemetry() {
        try (App app = App.start(Program.class)) {
            app.queue().enqueue(GREET, "Ada");
            InMemorySpanExporter exporter = app.bean(InMemorySpanExporter.class);
            await().atMost(App.LONG).until(() -> exporter.getFinishedSpanItems().stream()
                            .filter(span -> span.getName().endsWith(" default"))
                            .count()
                    == 2);
            Map<String, SpanData> spans = exporter.getFinishedSpanItems().stream()
                    .filter(span -> span.getName().endsWith(" default"))
                    .collect(Collectors.toMap(SpanData::getName, Function.identity()));
            SpanData enqueued = Objects.requireNonNull(spans.get("enqueue default"));
            SpanData ran = Objects.requireNonNull(spans.get("process default"));
            assertThat(ran.getTraceId()).isEqualTo(enqueued.getTraceId());
            assertThat(ran.getParentSpanId()).isEqualTo(enqueued.getSpanId());
            assertThat(app.bean(CurrentSpan.class).id)
                    .as("interceptors run within the span")
                    .isEqualTo(ran.getSpanId());
        }
    }

    @Test
    void theSampleIntervalIsValidatedByName() {
        Map.of("100ms", "use 1 s to 1 h", "often", "Failed to bind properties")
                .forEach((every, message) -> assertThatThrownBy(
                                () -> App.start(Program.class, "pawl.metrics.sample-every=" + every))
                        .hasStackTraceContaining("pawl.metrics.sample-every")
                        .hasStackTraceContaining(message));
    }

    @Test
    void bothCanBeSwitchedOff() {
        try (App app = App.start(Program.class, "pawl.metrics.enabled=false", "pawl.traces.enabled=false")) {
            assertThat(app.context().getBeansOfType(JobMetrics.class)).isEmpty();
            assertThat(app.context().getBeansOfType(JobTraces.class)).isEmpty();
        }
        try (App app = App.start(Plain.class)) {
            assertThat(app.context().getBeansOfType(JobTraces.class).size())
                    .as("the actuator of Boot 3 makes an OpenTelemetry by itself")
                    .isEqualTo(app.context().getBeansOfType(OpenTelemetry.class).size());
        }
    }
}

package dev.pawl.metrics;

import static dev.pawl.metrics.Patient.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.api.ChunkOptions;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.HandlerOptions;
import dev.pawl.api.Handlers;
import dev.pawl.api.JobState;
import dev.pawl.api.JobType;
import dev.pawl.api.RetryPolicy;
import dev.pawl.metrics.otel.JobTraces;
import dev.pawl.metrics.otel.JobTraces.Join;
import dev.pawl.servers.TestDatabase;
import dev.pawl.servers.TestServer;
import dev.pawl.servers.TestServers;
import dev.pawl.servers.process.JavaProcess;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.opentelemetry.context.propagation.TextMapPropagator;
import io.opentelemetry.context.propagation.TextMapSetter;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@SuppressWarnings("try") // scopes only need to be closed
class TracesTest {
    static final JobType<String> WORK = JobType.of("test.work", String.class);
    private static final Duration SOON = Patient.LONG;

    private final CollectedTelemetry here = new CollectedTelemetry();
    private final JobTraces traces = new JobTraces(here.openTelemetry());

    private static String text(SpanData span, String name) {
        return Objects.requireNonNullElse(span.getAttributes().get(AttributeKey.stringKey(name)), "");
    }

    private static long number(SpanData span, String name) {
        return Objects.requireNonNullElse(span.getAttributes().get(AttributeKey.longKey(name)), -1L);
    }

    /** One trace across two processes, joined by the context in the database. */
    @ParameterizedTest
    @MethodSource("dev.pawl.metrics.Databases#all")
    void tracesSpanProcesses(Supplier<TestServer> server) throws SQLException {
        try (TestDatabase database = server.get().createDatabase();
                HikariDataSource pool = database.newDataSource(2);
                JobQueue queue = traces.trace(JobQueue.builder(pool)).open()) {
            Span request = here.tracer().spanBuilder("POST /orders").startSpan();
            long job;
            try (Scope scope = request.makeCurrent();
                    Connection connection = pool.getConnection()) {
                connection.setAutoCommit(false);
                queue.within(connection).enqueue(WORK, "rolled back");
                connection.rollback();
                job = queue.within(connection).enqueue(WORK, "fails once").jobId();
                connection.commit();
            } finally {
                request.end();
            }
            SpanData enqueued = here.spans("enqueue default").get(1);
            assertThat(enqueued.getKind()).isEqualTo(SpanKind.PRODUCER);
            assertThat(enqueued.getParentSpanId())
                    .isEqualTo(request.getSpanContext().getSpanId());
            assertThat(text(enqueued, Names.SYSTEM)).isEqualTo("pawl");
            assertThat(text(enqueued, Names.OPERATION_TYPE)).isEqualTo("create");
            String trace = request.getSpanContext().getTraceId();
            try (JavaProcess other = JavaProcess.start(TracedWorker.class, Map.of(), database.jdbcUrl())) {
                other.awaitOutput("done", Duration.ofSeconds(60));
                assertThat(other.output().lines().filter(line -> line.startsWith("span ")))
                        .as("the spans of the other process: trace, parent, name, attempt, status, job")
                        .containsExactly(
                                "span " + trace + " " + enqueued.getSpanId() + " process default 1 ERROR " + job,
                                "span " + trace + " " + enqueued.getSpanId() + " process default 2 UNSET " + job);
            }
        }
    }

    private Worker worker(JobQueue queue, JobTraces how) {
        return how.trace(Worker.on(queue))
                .concurrency(1)
                .retryPolicy(RetryPolicy.fixed(Duration.ZERO))
                .handle(WORK, (payload, run) -> {
                    here.tracer().spanBuilder("in the handler").startSpan().end();
                    if (payload.equals("fails once") && run.attempt() == 1) {
                        throw new IllegalStateException("down");
                    }
                    if (payload.equals("enqueues")) {
                        queue.enqueue(WORK, "fine");
                    }
                })
                .start();
    }

    @Test
    void attemptsErrorsAndHandlerWorkAreInTheTrace() {
        try (TestDatabase database = TestServers.sqlite().createDatabase();
                HikariDataSource pool = database.newDataSource(4);
                JobQueue queue = traces.trace(JobQueue.builder(pool)).open()) {
            queue.enqueue(WORK, "enqueues");
            queue.enqueue(WORK, "fails once");
            assertThat(here.spans("process default")).as("before it runs").isEmpty();
            try (Worker worker = worker(queue, traces)) {
                await().atMost(SOON).until(() -> here.spans("process default").size() == 4);
            }
            List<SpanData> enqueued = here.spans("enqueue default");
            assertThat(enqueued).hasSize(3);
            String first = enqueued.get(0).getTraceId();
            assertThat(enqueued.get(1).getTraceId()).isNotEqualTo(first);
            assertThat(enqueued.get(2).getTraceId()).as("by the handler").isEqualTo(first);
            List<SpanData> attempts = here.spans("process default").stream()
                    .filter(span -> span.getTraceId().equals(enqueued.get(1).getTraceId()))
                    .toList();
            assertThat(attempts)
                    .allMatch(span -> span.getKind() == SpanKind.CONSUMER)
                    .allMatch(span ->
                            span.getParentSpanId().equals(enqueued.get(1).getSpanId()))
                    .extracting(span -> number(span, Names.ATTEMPT))
                    .containsExactly(1L, 2L);
            SpanData failed = attempts.get(0);
            assertThat(failed.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
            assertThat(text(failed, Names.ERROR_TYPE)).isEqualTo("java.lang.IllegalStateException");
            assertThat(text(failed, Names.Label.OUTCOME.otel())).isEqualTo("failed");
            assertThat(failed.getEvents()).singleElement().extracting("name").isEqualTo("exception");
            assertThat(text(attempts.get(1), Names.Label.OUTCOME.otel())).isEqualTo("completed");
            assertThat(here.spans("in the handler"))
                    .hasSize(4)
                    .allMatch(inner -> here.spans("process default").stream()
                            .anyMatch(span -> span.getSpanId().equals(inner.getParentSpanId())));
        }
    }

    @Test
    void runsMayBeLinked() {
        JobTraces linked = new JobTraces(here.openTelemetry(), Join.LINK);
        try (TestDatabase database = TestServers.sqlite().createDatabase();
                HikariDataSource pool = database.newDataSource(4);
                JobQueue queue = linked.trace(JobQueue.builder(pool)).open();
                Worker worker = worker(queue, linked)) {
            queue.enqueue(WORK, "fine");
            await().atMost(SOON).until(() -> here.spans("process default").size() == 1);
            SpanData enqueued = here.spans("enqueue default").get(0);
            SpanData ran = here.spans("process default").get(0);
            assertThat(ran.getTraceId()).isNotEqualTo(enqueued.getTraceId());
            assertThat(ran.getLinks())
                    .singleElement()
                    .extracting(link -> link.getSpanContext().getSpanId())
                    .isEqualTo(enqueued.getSpanId());
        }
    }

    /** The call of the handler has one trace, which is linked to the enqueue of each job. The attempts are linked to the call. */
    @ParameterizedTest
    @MethodSource("dev.pawl.metrics.Databases#all")
    void chunkCallsAreLinkedToTheirEnqueues(Supplier<TestServer> server) throws SQLException {
        try (TestDatabase database = server.get().createDatabase();
                HikariDataSource pool = database.newDataSource(4);
                JobQueue queue = traces.trace(JobQueue.builder(pool)).open()) {
            for (int i = 0; i < 3; i++) {
                queue.enqueue(WORK, "job " + i, EnqueueOptions.DEFAULTS.maxAttempts(1));
            }
            Worker worker = traces.trace(Worker.on(queue))
                    .handle(
                            WORK,
                            Handlers.chunked(ChunkOptions.of(3).linger(SOON), chunk -> {
                                here.tracer()
                                        .spanBuilder("in the handler")
                                        .startSpan()
                                        .end();
                                queue.enqueue(WORK, "later", EnqueueOptions.DEFAULTS.queue("other"));
                                chunk.items().get(1).fails(new IllegalStateException("down"));
                            }),
                            HandlerOptions.DEFAULTS)
                    .start();
            try (worker) {
                await().atMost(SOON).until(() -> here.spans("process default").size() == 3);
            }
            SpanData call = here.spans("chunk default").get(0);
            assertThat(here.spans("chunk default")).hasSize(1);
            assertThat(call.getKind()).isEqualTo(SpanKind.CONSUMER);
            assertThat(call.getParentSpanContext().isValid()).isFalse();
            assertThat(number(call, Names.CHUNK_SIZE)).isEqualTo(3);
            assertThat(text(call, Names.OPERATION_TYPE)).isEqualTo("process");
            List<SpanData> enqueued = here.spans("enqueue default");
            List<SpanData> attempts = here.spans("process default");
            assertThat(call.getLinks())
                    .extracting(link -> link.getSpanContext().getSpanId())
                    .containsExactlyInAnyOrderElementsOf(
                            enqueued.stream().map(SpanData::getSpanId).toList());
            assertThat(call.getLinks())
                    .extracting(link -> link.getAttributes().get(AttributeKey.stringKey(Names.JOB_ID)))
                    .containsExactlyInAnyOrderElementsOf(attempts.stream()
                            .map(span -> text(span, Names.JOB_ID))
                            .toList());
            assertThat(attempts).extracting(SpanData::getTraceId).doesNotContain(call.getTraceId());
            assertThat(attempts)
                    .extracting(SpanData::getParentSpanId)
                    .containsExactlyInAnyOrderElementsOf(
                            enqueued.stream().map(SpanData::getSpanId).toList());
            assertThat(attempts)
                    .allSatisfy(attempt -> assertThat(attempt.getLinks())
                            .singleElement()
                            .extracting(link -> link.getSpanContext().getSpanId())
                            .isEqualTo(call.getSpanId()));
            assertThat(attempts)
                    .extracting(span -> text(span, Names.Label.OUTCOME.otel()))
                    .containsExactlyInAnyOrder("completed", "failed", "completed");
            assertThat(here.spans("in the handler"))
                    .singleElement()
                    .extracting(SpanData::getParentSpanId)
                    .isEqualTo(call.getSpanId());
            assertThat(here.spans("enqueue other"))
                    .singleElement()
                    .extracting(SpanData::getParentSpanId)
                    .isEqualTo(call.getSpanId());
        }
    }

    /**
     * A job whose headers have no space for a context is enqueued without a context. A job that was enqueued without tracing runs in a
     * trace of its own.
     */
    @Test
    void tracingProblemsDoNotAffectJobs() {
        try (TestDatabase database = TestServers.sqlite().createDatabase();
                HikariDataSource pool = database.newDataSource(4);
                JobQueue plain = JobQueue.open(pool);
                JobQueue queue = traces.trace(JobQueue.builder(pool)).open()) {
            EnqueueOptions full = EnqueueOptions.DEFAULTS;
            for (int i = 0; i < 32; i++) {
                full = full.header("h" + i, "v");
            }
            queue.enqueue(WORK, "fine", full);
            plain.enqueue(WORK, "fine");
            try (Worker worker = worker(queue, traces)) {
                await().atMost(SOON).until(() -> worker.stats().completed() == 2);
            }
            assertThat(here.spans("process default"))
                    .hasSize(2)
                    .allMatch(span -> !span.getParentSpanContext().isValid());
            assertThat(here.spans("enqueue default"))
                    .singleElement()
                    .extracting(span -> span.getStatus().getStatusCode())
                    .isEqualTo(StatusCode.ERROR);
        }
    }

    @Test
    void brokenPropagatorsDoNotAffectJobs() {
        JobTraces broken = new JobTraces(OpenTelemetry.propagating(ContextPropagators.create(new TextMapPropagator() {
            @Override
            public Collection<String> fields() {
                return List.of();
            }

            @Override
            public <C> void inject(Context context, @Nullable C carrier, TextMapSetter<C> setter) {
                throw new IllegalStateException("broken");
            }

            @Override
            public <C> Context extract(Context context, @Nullable C carrier, TextMapGetter<C> getter) {
                throw new NoClassDefFoundError("broken");
            }
        })));
        try (TestDatabase database = TestServers.sqlite().createDatabase();
                HikariDataSource pool = database.newDataSource(4);
                JobQueue queue = broken.trace(JobQueue.builder(pool)).open()) {
            queue.enqueue(WORK, "fine");
            try (Worker worker = worker(queue, broken)) {
                await().atMost(SOON).until(() -> worker.stats().completed() == 1);
                assertThat(worker.stats().failed()).isZero();
            }
        }
    }

    /** A context that the caller passes in the job's headers. */
    @Test
    void contextsInHeadersAreContinued() {
        try (TestDatabase database = TestServers.sqlite().createDatabase();
                HikariDataSource pool = database.newDataSource(2);
                JobQueue queue = traces.trace(JobQueue.builder(pool)).open()) {
            String trace = "0af7651916cd43dd8448eb211c80319c";
            long job = queue.enqueue(
                            WORK,
                            "fine",
                            EnqueueOptions.DEFAULTS.header("traceparent", "00-" + trace + "-b7ad6b7169203331-01"))
                    .jobId();
            SpanData enqueued = here.spans("enqueue default").get(0);
            assertThat(enqueued.getTraceId()).isEqualTo(trace);
            assertThat(queue.admin().jobs().find(job).orElseThrow().headers())
                    .containsEntry("traceparent", "00-" + trace + "-" + enqueued.getSpanId() + "-01");
            assertThat(queue.admin().jobs().find(job).orElseThrow().state()).isEqualTo(JobState.AVAILABLE);
        }
    }
}

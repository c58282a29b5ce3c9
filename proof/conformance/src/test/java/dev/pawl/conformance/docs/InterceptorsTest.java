package dev.pawl.conformance.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.admin.JobFilter;
import dev.pawl.api.JobState;
import dev.pawl.api.JobType;
import dev.pawl.api.Outcome;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.MDC;

/** docs/guides/interceptors.md. */
@SuppressWarnings("try") // these resources are used only for being closed
class InterceptorsTest {
    private record SendWelcome(String address) {}

    private static final JobType<SendWelcome> SEND_WELCOME = JobType.of("mail.send", SendWelcome.class);

    private final HikariDataSource dataSource = new HikariDataSource();
    private final Mailer mailer = new Mailer();

    @BeforeEach
    void open(@TempDir Path folder) {
        dataSource.setJdbcUrl("jdbc:sqlite:" + folder.resolve("jobs.db"));
    }

    @AfterEach
    void close() {
        dataSource.close();
    }

    /** Records the context of the sending thread. */
    private static final class Mailer {
        private final Map<String, String> contexts = new ConcurrentHashMap<>();

        void send(String address) {
            contexts.put(address, Traces.current() + " " + MDC.get("job") + " " + MDC.get("kind"));
        }
    }

    /** Stands for a library that keeps the trace context in the thread. */
    private static final class Traces {
        private static final ThreadLocal<@Nullable String> CURRENT = new ThreadLocal<>();

        static @Nullable String current() {
            return CURRENT.get();
        }

        static Scope continued(@Nullable String context) {
            CURRENT.set(context);
            return new Scope();
        }

        private static final class Scope implements AutoCloseable {
            @Override
            public void close() {
                CURRENT.remove();
            }
        }
    }

    @Test
    void theJobIsInEveryLogLine() {
        try (JobQueue queue = JobQueue.open(dataSource)) {
            long job = queue.enqueue(SEND_WELCOME, new SendWelcome("ada@example.com"))
                    .jobId();
            Worker worker = Worker.on(queue)
                    .intercept((run, handler) -> {
                        try (var id = MDC.putCloseable(
                                        "job", Long.toString(run.job().id()));
                                var kind = MDC.putCloseable("kind", run.job().kind())) {
                            return handler.proceed();
                        }
                    })
                    .handle(SEND_WELCOME, (welcome, run) -> mailer.send(welcome.address()))
                    .start();
            try (worker) {
                await().until(() -> mailer.contexts.containsKey("ada@example.com"));
            }
            MDC.put("probe", "kept");
            boolean kept = "kept".equals(MDC.get("probe")); // not every logging library keeps an MDC
            MDC.remove("probe");
            assertThat(mailer.contexts)
                    .containsEntry("ada@example.com", kept ? "null " + job + " mail.send" : "null null null");
        }
    }

    @Test
    void aTraceGoesFromTheEnqueueToTheRun() {
        JobQueue queue = JobQueue.builder(dataSource)
                .interceptEnqueue(request -> {
                    String context = Traces.current();
                    return context == null ? request : request.header("traceparent", context);
                })
                .open();
        try (queue) {
            try (Traces.Scope scope = Traces.continued("00-1")) {
                queue.enqueue(SEND_WELCOME, new SendWelcome("traced@example.com"));
            }
            queue.enqueue(SEND_WELCOME, new SendWelcome("other@example.com"));
            Worker worker = Worker.on(queue)
                    .intercept((run, handler) -> {
                        try (Traces.Scope scope =
                                Traces.continued(run.job().headers().get("traceparent"))) {
                            return handler.proceed();
                        }
                    })
                    .handle(SEND_WELCOME, (welcome, run) -> mailer.send(welcome.address()))
                    .start();
            try (worker) {
                await().until(() -> mailer.contexts.size() == 2);
            }
        }
        assertThat(mailer.contexts)
                .containsEntry("traced@example.com", "00-1 null null")
                .containsEntry("other@example.com", "null null null");
    }

    private interface Licence {
        boolean isValid();
    }

    @Test
    void jobsAreRefusedBeforeTheyAreWrittenOrRun() {
        Licence licence = () -> false;
        try (JobQueue queue = JobQueue.builder(dataSource)
                .interceptEnqueue(request -> {
                    if (request.options().headers().get("tenant") == null) {
                        throw new IllegalArgumentException("jobs of kind " + request.kind() + " need a tenant");
                    }
                    return request;
                })
                .open()) {
            assertThatThrownBy(() -> queue.enqueue(SEND_WELCOME, new SendWelcome("ada@example.com")))
                    .hasMessage("jobs of kind mail.send need a tenant");
            long id = queue.enqueue(
                            SEND_WELCOME,
                            new SendWelcome("ada@example.com"),
                            SEND_WELCOME.defaults().header("tenant", "a"))
                    .jobId();
            Worker worker = Worker.on(queue)
                    .intercept((run, handler) ->
                            licence.isValid() ? handler.proceed() : Outcome.snoozeFor(Duration.ofHours(1)))
                    .handle(SEND_WELCOME, (welcome, run) -> mailer.send(welcome.address()))
                    .start();
            try (worker) {
                await().until(() -> worker.stats().snoozed() == 1);
            }
            assertThat(queue.admin().jobs().list(JobFilter.ALL.state(JobState.AVAILABLE)))
                    .singleElement()
                    .satisfies(job -> {
                        assertThat(job.id()).isEqualTo(id);
                        assertThat(job.attempt()).isZero();
                    });
        }
        assertThat(mailer.contexts).isEmpty();
    }
}

package dev.pawl.spring.boot;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.admin.JobFilter;
import dev.pawl.api.JobState;
import dev.pawl.api.JobType;
import dev.pawl.servers.TestDatabase;
import dev.pawl.servers.TestServers;
import dev.pawl.spring.JobHandler;
import dev.pawl.spring.WorkerLifecycle;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.jdbc.core.JdbcTemplate;

/** The worker starts and stops with the application. */
class LifecycleTest {
    static final JobType<String> SLOW = JobType.of("slow", String.class);

    private static volatile CountDownLatch begun = new CountDownLatch(1);
    private static volatile CountDownLatch closing = new CountDownLatch(1);

    @AfterEach
    void again() {
        begun = new CountDownLatch(1);
        closing = new CountDownLatch(1);
    }

    @Configuration
    @EnableAutoConfiguration
    static class Program {
        private final JdbcTemplate jdbc;

        Program(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
        }

        /** Still uses the pool while the application is stopping. */
        @JobHandler("slow")
        void slow(String how) throws InterruptedException {
            begun.countDown();
            closing.await();
            if (how.equals("hangs")) {
                new CountDownLatch(1).await();
            }
            jdbc.update("INSERT INTO work VALUES (1)");
        }

        @Bean
        ApplicationListener<ContextClosedEvent> closing() {
            return event -> closing.countDown();
        }
    }

    private static void stopped(String how, JobState after, int rows, String... properties) throws Exception {
        try (TestDatabase database = TestServers.sqlite().createDatabase()) {
            String[] all = java.util.stream.Stream.concat(
                            java.util.stream.Stream.of(App.WITHOUT_JPA), java.util.Arrays.stream(properties))
                    .toArray(String[]::new);
            try (ConfigurableApplicationContext context = App.context(database.jdbcUrl(), Program.class, all)) {
                context.getBean(JobQueue.class).enqueue(SLOW, how);
                begun.await();
            }
            try (var pool = database.newDataSource(2);
                    JobQueue queue = JobQueue.open(pool)) {
                assertThat(queue.admin().jobs().list(JobFilter.ALL))
                        .singleElement()
                        .satisfies(job -> {
                            assertThat(job.state()).isEqualTo(after);
                            assertThat(job.attempt()).isEqualTo(after == JobState.COMPLETED ? 1 : 0);
                        });
                assertThat(new JdbcTemplate(pool).queryForList("SELECT n FROM work"))
                        .hasSize(rows);
            }
        }
    }

    @Test
    void startedRunsMayFinish() throws Exception {
        stopped("ends", JobState.COMPLETED, 1);
    }

    /** The worker interrupts such runs well before Spring's timeout, after which the pool is closed. */
    @Test
    void overlongRunsArePutBackWithoutCountingAnAttempt() throws Exception {
        stopped("hangs", JobState.AVAILABLE, 0, "spring.lifecycle.timeout-per-shutdown-phase=4s");
    }

    @Test
    void theWorkerCanBeStoppedAndStartedAgain() throws Exception {
        try (App app = App.start(Program.class)) {
            closing.countDown();
            app.context().stop();
            assertThat(app.bean(WorkerLifecycle.class).isRunning()).isFalse();
            app.queue().enqueue(SLOW, "ends");
            app.awaitJobs(JobState.AVAILABLE, 1);
            app.context().start();
            app.awaitJobs(JobState.COMPLETED, 1);
        }
    }

    /** A start that fails after all beans exist and the worker runs. */
    @Configuration
    @EnableAutoConfiguration
    @Import(Program.class)
    static class FailingLate {
        private static @Nullable Worker started;

        @Bean
        ApplicationListener<ContextRefreshedEvent> failing(WorkerLifecycle worker) {
            return event -> {
                started = worker.worker().orElseThrow();
                throw new IllegalStateException("on purpose");
            };
        }
    }

    /** Otherwise the worker would continue with a closed pool for as long as the process lives. */
    @Test
    void failedStartsLeaveNoWorkerBehind() {
        assertThatThrownBy(() -> App.start(FailingLate.class)).hasStackTraceContaining("on purpose");
        assertThat(requireNonNull(FailingLate.started).isAlive()).isFalse();
    }

    @Configuration
    @EnableAutoConfiguration
    static class WithoutHandlers {}

    @Test
    void withoutHandlersThereIsNoWorker() {
        try (App app = App.start(WithoutHandlers.class)) {
            assertThat(app.bean(WorkerLifecycle.class).isRunning()).isFalse();
            assertThat(app.queue().admin().workers().list()).isEmpty();
        }
    }
}

package dev.pawl.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.admin.QueueStats;
import dev.pawl.admin.WorkerInfo;
import dev.pawl.api.JobType;
import dev.pawl.servers.Delay;
import dev.pawl.servers.TestDatabase;
import dev.pawl.servers.TestServers;
import dev.pawl.spring.JobHandler;
import dev.pawl.spring.WorkerLifecycle;
import java.lang.reflect.Parameter;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;

/** The actuator's health and endpoint. */
class ActuatorTest {
    @Configuration
    @EnableAutoConfiguration
    static class Program {
        @JobHandler("greet")
        void greet(String name) {}
    }

    @Test
    void theEndpointShowsQueuesAndWorkers() {
        try (App app = App.start(Program.class, "management.endpoints.web.exposure.include=*")) {
            PawlEndpoint endpoint = app.bean(PawlEndpoint.class);
            endpoint.pause("default", true);
            app.queue().enqueue(JobType.of("greet", String.class), "Ada");
            PawlEndpoint.Overview overview = endpoint.overview();
            assertThat(overview.database()).startsWith("sqlite");
            assertThat(overview.queues())
                    .filteredOn(queue -> queue.name().equals("default"))
                    .singleElement()
                    .satisfies(queue -> assertThat(queue.paused()).isTrue())
                    .extracting(QueueStats::available)
                    .isEqualTo(1L);
            assertThat(overview.workers()).filteredOn(WorkerInfo::alive).hasSize(1);
            assertThat(overview.worker()).isNotNull();
            endpoint.pause("default", false);
            app.awaitJobs(dev.pawl.api.JobState.COMPLETED, 1);
        }
    }

    /** Over HTTP the actuator binds parameters by name. */
    @Test
    void theParametersOfTheEndpointHaveNames() throws Exception {
        assertThat(PawlEndpoint.class.getMethod("pause", String.class, boolean.class).getParameters())
                .extracting(Parameter::getName)
                .containsExactly("name", "paused");
    }

    @Test
    void theEndpointExistsOnlyIfExposed() {
        try (App app = App.start(Program.class, "management.endpoints.access.default=none")) {
            assertThat(app.context().getBeansOfType(PawlEndpoint.class)).isEmpty();
        }
    }

    @Test
    void healthIsDownWhenTheWorkerOrTheDatabaseIs() {
        try (App app = App.start(Program.class)) {
            PawlHealthIndicator indicator = app.bean(PawlHealthIndicator.class);
            assertThat(Healths.of(indicator)).startsWith("UP").contains("worker=running");
            app.bean(WorkerLifecycle.class).worker().orElseThrow().close(); // as if it had stopped by itself
            assertThat(Healths.of(indicator)).startsWith("DOWN").contains("worker=stopped");
        }
        try (TestDatabase database = TestServers.postgres().createDatabase();
                var context = App.context(
                        database.jdbcUrl(),
                        Program.class,
                        App.WITHOUT_JPA,
                        "pawl.worker.enabled=false",
                        "spring.datasource.hikari.connection-timeout=500")) {
            PawlHealthIndicator indicator = context.getBean(PawlHealthIndicator.class);
            assertThat(Healths.of(indicator)).startsWith("UP").contains("worker=none");
            ((com.zaxxer.hikari.HikariDataSource) context.getBean(DataSource.class)).close();
            assertThat(Healths.of(indicator)).startsWith("DOWN");
        }
    }

    /** Simulates a failover to a server that is not promoted yet: new sessions are read-only, and existing sessions end. */
    private static void demote(Connection admin, boolean on) throws SQLException {
        try (Statement statement = admin.createStatement()) {
            statement.execute("DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET default_transaction_read_only = "
                    + (on ? "on" : "off") + "', current_database()); END $$");
            if (on) {
                statement.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                        + " WHERE datname = current_database() AND pid <> pg_backend_pid()");
            }
        }
    }

    private static void awaitHealth(PawlHealthIndicator indicator, String state) throws InterruptedException {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!Healths.of(indicator).startsWith(state)) {
            assertThat(System.nanoTime() - until).as("waited for 60 s for " + state).isNegative();
            Delay.poll(50);
        }
    }

    @Test
    void healthIsDownWhileTheWorkerCannotWrite() throws Exception {
        try (TestDatabase database = TestServers.postgres().createDatabase();
                var context = App.context(
                        database.jdbcUrl(),
                        Program.class,
                        App.WITHOUT_JPA,
                        "spring.datasource.hikari.connection-timeout=1000");
                Connection admin = DriverManager.getConnection(database.jdbcUrl())) {
            PawlHealthIndicator indicator = context.getBean(PawlHealthIndicator.class);
            awaitHealth(indicator, "UP");
            demote(admin, true);
            awaitHealth(indicator, "DOWN");
            demote(admin, false);
            awaitHealth(indicator, "UP");
        }
    }
}

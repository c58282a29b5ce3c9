package dev.pawl.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.JobQueue;
import dev.pawl.admin.JobFilter;
import dev.pawl.api.JobState;
import dev.pawl.api.JobType;
import dev.pawl.servers.FullTier;
import dev.pawl.servers.TestDatabase;
import dev.pawl.servers.TestServer;
import dev.pawl.servers.TestServers;
import dev.pawl.servers.process.JavaProcess;
import dev.pawl.spring.JobHandler;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** {@code kill -9} of an application between a handler's writes and the commit, and right after the commit. */
@FullTier(group = "PAWL_KILLS")
@Execution(ExecutionMode.CONCURRENT)
class KillTest {
    static final JobType<String> WRITE = JobType.of("write", String.class);

    @Configuration
    @EnableAutoConfiguration
    static class Program {
        private final JdbcTemplate jdbc;

        Program(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
        }

        @JobHandler(value = "write", transactional = true)
        void write(String where) throws InterruptedException {
            jdbc.update("INSERT INTO work VALUES (1)");
            if (where.equals(System.getenv("DIES"))) {
                if (where.equals("before the commit")) {
                    die();
                }
                TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                    @Override
                    public void afterCommit() {
                        die();
                    }
                });
            }
        }

        /** Prints a line and waits to be killed. */
        private static void die() {
            System.out.println("ready to be killed");
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static final String[] QUICK = {App.WITHOUT_JPA, "pawl.worker.poll-interval=200ms"};

    /** The process to be killed. */
    static final class Child {
        public static void main(String[] arguments) throws InterruptedException {
            App.context(
                    arguments[0],
                    Program.class,
                    App.WITHOUT_JPA,
                    "pawl.worker.lease=1s",
                    "pawl.worker.poll-interval=200ms");
            Thread.currentThread().join();
        }
    }

    private static void killed(TestServer server, String where) {
        try (TestDatabase database = server.createDatabase();
                JavaProcess child = JavaProcess.start(Child.class, Map.of("DIES", where), database.jdbcUrl())) {
            try (ConfigurableApplicationContext enqueuing =
                    App.context(database.jdbcUrl(), Program.class, App.WITHOUT_JPA, "pawl.worker.enabled=false")) {
                enqueuing.getBean(JobQueue.class).enqueue(WRITE, where);
                child.awaitOutput("ready to be killed", App.LONG);
                child.kill();
            }
            try (ConfigurableApplicationContext next = App.context(database.jdbcUrl(), Program.class, QUICK)) {
                JobQueue queue = next.getBean(JobQueue.class);
                Awaitility.await()
                        .atMost(App.LONG)
                        .until(() -> queue.admin().jobs().list(JobFilter.ALL).stream()
                                .allMatch(job -> job.state() == JobState.COMPLETED));
                assertThat(next.getBean(JdbcTemplate.class).queryForList("SELECT n FROM work", Integer.class))
                        .isEqualTo(List.of(1));
            }
        }
    }

    @Test
    void killedBeforeTheCommitOnPostgres() {
        killed(TestServers.postgres(), "before the commit");
    }

    @Test
    void killedAfterTheCommitOnSqlite() {
        killed(TestServers.sqlite(), "after the commit");
    }
}

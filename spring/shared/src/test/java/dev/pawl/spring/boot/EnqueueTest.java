package dev.pawl.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.JobQueue;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.JobState;
import dev.pawl.api.JobType;
import dev.pawl.servers.TestDatabase;
import dev.pawl.servers.TestServer;
import dev.pawl.servers.TestServers;
import dev.pawl.spring.JobHandler;
import dev.pawl.spring.PawlDataSource;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;

/** An enqueue within a Spring transaction. */
class EnqueueTest {
    static final JobType<String> GREET = JobType.of("greet", String.class);

    static class Orders {
        private final JdbcTemplate jdbc;
        private final JobQueue queue;

        Orders(JdbcTemplate jdbc, JobQueue queue) {
            this.jdbc = jdbc;
            this.queue = queue;
        }

        @Transactional
        public void place(String customer, boolean paid) {
            jdbc.update("INSERT INTO work VALUES (1)");
            queue.enqueue(GREET, customer);
            queue.enqueueAll(GREET, List.of(customer + " 2", customer + " 3"));
            if (!paid) {
                throw new IllegalStateException(customer + " cannot pay");
            }
        }
    }

    @Configuration
    @EnableAutoConfiguration
    @Import(Orders.class)
    static class Program {}

    private static void aRollbackLeavesNoJob(App app) {
        Orders orders = app.bean(Orders.class);
        assertThatThrownBy(() -> orders.place("Charles", false)).hasMessageContaining("cannot pay");
        app.transaction().executeWithoutResult(status -> {
            app.table().update("INSERT INTO work VALUES (1)");
            app.queue().enqueue(GREET, "Dan");
            status.setRollbackOnly();
        });
        assertThat(app.jobs()).isEmpty();
        assertThat(app.rows()).isZero();
        EnqueueOptions unique = EnqueueOptions.DEFAULTS.uniqueKey("one");
        app.transaction().executeWithoutResult(status -> {
            app.queue().enqueueMerged(GREET, "Eve", unique, (waiting, more) -> waiting + more);
            app.queue().enqueueMerged(GREET, "Eve", unique, (waiting, more) -> waiting + more);
            status.setRollbackOnly();
        });
        assertThat(app.jobs()).isEmpty();
        orders.place("Ada", true);
        app.transaction().executeWithoutResult(status -> app.queue().enqueue(GREET, "Bob"));
        assertThat(app.jobs()).hasSize(4);
        assertThat(app.rows()).isEqualTo(1);
        app.queue().enqueue(GREET, "Eve"); // without a transaction
        assertThat(app.jobs()).hasSize(5);
    }

    @Test
    void aRollbackLeavesNoJobOnSqlite() {
        try (App app = App.start(Program.class)) {
            aRollbackLeavesNoJob(app);
        }
    }

    @Test
    void aRollbackLeavesNoJobOnPostgres() {
        try (App app = App.start(TestServers.postgres(), Program.class, App.WITHOUT_JPA)) {
            aRollbackLeavesNoJob(app);
        }
    }

    @Test
    void poolsWithoutAutoCommitWork() {
        try (App app = App.start(Program.class, "spring.datasource.hikari.auto-commit=false")) {
            aRollbackLeavesNoJob(app);
        }
    }

    static class Greeter {
        @JobHandler("greet")
        void greet(String name) {}
    }

    @Configuration
    @EnableAutoConfiguration
    @Import({Orders.class, Greeter.class})
    static class Working {}

    /** The worker polls once an hour, so only the commit can notify it of the job. */
    @Test
    void localWorkersAreNotifiedOfTheCommit() {
        try (App app = App.start(Working.class, "pawl.worker.poll-interval=1h")) {
            app.queue().enqueue(GREET, "first");
            app.awaitJobs(JobState.COMPLETED, 1);
            app.bean(Orders.class).place("Ada", true);
            app.awaitJobs(JobState.COMPLETED, 4);
        }
    }

    /** The queue is not on the primary database. */
    @Configuration
    @EnableAutoConfiguration
    static class TwoDatabases {
        @Bean
        @Primary
        HikariDataSource shop(@Value("${shop.url}") String url) {
            return pool(url, true);
        }

        @Bean
        @PawlDataSource
        HikariDataSource jobs(
                @Value("${jobs.url}") String url, @Value("${jobs.autocommit:true}") boolean autoCommit) {
            return pool(url, autoCommit);
        }

        private static HikariDataSource pool(String url, boolean autoCommit) {
            HikariDataSource pool = new HikariDataSource();
            pool.setJdbcUrl(url);
            pool.setAutoCommit(autoCommit);
            pool.setMaximumPoolSize(4);
            return pool;
        }

        @Bean
        @Primary
        PlatformTransactionManager shopTransactions(DataSource shop) {
            return new DataSourceTransactionManager(shop);
        }

        @Bean
        PlatformTransactionManager jobTransactions(@PawlDataSource DataSource jobs) {
            return new DataSourceTransactionManager(jobs);
        }
    }

    private interface Steps {
        void take(App app, TransactionTemplate shop, TransactionTemplate jobs);
    }

    private static void withTwoDatabases(Steps steps, String... properties) {
        TestServer server = TestServers.sqlite();
        try (TestDatabase shop = server.createDatabase();
                TestDatabase jobs = server.createDatabase()) {
            List<String> all = new java.util.ArrayList<>(List.of(properties));
            all.add("shop.url=" + shop.jdbcUrl());
            all.add("jobs.url=" + jobs.jdbcUrl());
            try (App app = App.start(TwoDatabases.class, all.toArray(String[]::new))) {
                steps.take(
                        app,
                        new TransactionTemplate(
                                app.context().getBean("shopTransactions", PlatformTransactionManager.class)),
                        new TransactionTemplate(
                                app.context().getBean("jobTransactions", PlatformTransactionManager.class)));
            }
        }
    }

    @Test
    void theQueueIsInTheMarkedDatabase() {
        withTwoDatabases((app, shop, jobs) -> {
            JdbcTemplate there = new JdbcTemplate(app.context().getBean("jobs", DataSource.class));
            jobs.executeWithoutResult(status -> {
                app.queue().enqueue(GREET, "Ada");
                status.setRollbackOnly();
            });
            assertThat(app.jobs()).isEmpty();
            jobs.executeWithoutResult(status -> app.queue().enqueue(GREET, "Ada"));
            assertThat(app.jobs()).hasSize(1);
            assertThat(there.queryForObject("SELECT count(*) FROM pawl_schema", Integer.class))
                    .isPositive();
            assertThatThrownBy(() -> app.table().queryForList("SELECT * FROM pawl_schema"))
                    .hasMessageContaining("pawl_schema");
        });
    }

    @Test
    void transactionsOfOtherDatabasesAreRefused() {
        transactionsOfOtherDatabasesAreRefused(true);
        // without auto-commit, the job would be written but never committed
        transactionsOfOtherDatabasesAreRefused(false);
    }

    private static void transactionsOfOtherDatabasesAreRefused(boolean autoCommit) {
        Steps steps = (app, shop, jobs) -> {
            assertThatThrownBy(() -> shop.executeWithoutResult(
                            status -> app.queue().enqueue(GREET, "Ada")))
                    .isInstanceOf(IllegalTransactionStateException.class)
                    .hasMessageContaining("not on the DataSource of the job queue");
            // Spring keeps this connection to the queue's database until the other transaction ends, but it is in no
            // transaction
            assertThatThrownBy(() -> shop.executeWithoutResult(status -> {
                        new JdbcTemplate(app.context().getBean("jobs", DataSource.class)).queryForList("SELECT 1");
                        app.queue().enqueue(GREET, "Ada");
                    }))
                    .isInstanceOf(IllegalTransactionStateException.class);
            assertThat(app.jobs()).isEmpty();
            shop.executeWithoutResult(outer -> jobs.executeWithoutResult(inner -> app.queue().enqueue(GREET, "Ada")));
            assertThat(app.jobs()).hasSize(1);
        };
        withTwoDatabases(steps, "jobs.autocommit=" + autoCommit);
    }

    @Test
    void transactionsOfOtherDatabasesAreIgnoredOnRequest() {
        withTwoDatabases(
                (app, shop, jobs) -> {
                    shop.executeWithoutResult(status -> {
                        app.queue().enqueue(GREET, "Ada");
                        status.setRollbackOnly();
                    });
                    assertThat(app.jobs()).hasSize(1);
                },
                "pawl.other-transactions=allow");
    }

    /** Two pools, of which none is marked with {@code @PawlDataSource} and none is primary. */
    @Configuration
    @EnableAutoConfiguration
    static class Unclear {
        @Bean
        HikariDataSource one() {
            return new HikariDataSource();
        }

        @Bean
        HikariDataSource two() {
            return new HikariDataSource();
        }
    }

    @Test
    void ambiguousDatabasesFailTheStart() {
        assertThatThrownBy(() -> App.start(Unclear.class))
                .rootCause()
                .hasMessageContaining("it is not clear which DataSource has the job queue (one, two)")
                .hasMessageContaining("@PawlDataSource");
    }

    /** The application itself opens the queue on a pool that it has chosen. */
    @Configuration
    @EnableAutoConfiguration
    @Import(Unclear.class)
    static class OwnQueue {
        @Bean
        JobQueue own(@Value("${jobs.url}") String url) {
            return JobQueue.open(TwoDatabases.pool(url, true));
        }
    }

    @Test
    void theApplicationsOwnQueueTakesPrecedence() {
        try (TestDatabase jobs = TestServers.sqlite().createDatabase();
                App app = App.start(OwnQueue.class, "jobs.url=" + jobs.jdbcUrl())) {
            app.queue().enqueue(GREET, "Ada");
            assertThat(app.jobs()).hasSize(1);
        }
    }
}

package dev.pawl.conformance.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.admin.JobFilter;
import dev.pawl.api.JobType;
import dev.pawl.servers.TestDatabase;
import dev.pawl.servers.TestServer;
import dev.pawl.servers.TestServers;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The pool is Spring's proxy, which returns the connection of the transaction around the calling thread. */
class SurroundingTransactionTest {
    private static final JobType<String> GREET = JobType.of("greet", String.class);

    static Stream<TestServer> servers() {
        return Stream.of(TestServers.sqlite(), TestServers.postgres(), TestServers.mariaDb());
    }

    /** The objects of a test. */
    private record Application(DataSource proxy, JobQueue queue, JdbcTemplate table, TransactionTemplate transaction) {
        int rows() {
            return table.queryForList("SELECT n FROM work").size();
        }

        int jobs() {
            return queue.admin().jobs().list(JobFilter.ALL).size();
        }
    }

    private interface Steps {
        void take(Application application) throws Exception;
    }

    private static void in(TestServer server, boolean autoCommit, Steps steps) throws Exception {
        in(server, autoCommit, LazyConnectionDataSourceProxy::new, steps);
    }

    private static void in(TestServer server, boolean autoCommit, UnaryOperator<DataSource> around, Steps steps)
            throws Exception {
        try (TestDatabase database = server.createDatabase();
                HikariDataSource pool = pool(database, autoCommit)) {
            DataSource proxy = around.apply(new TransactionAwareDataSourceProxy(pool));
            DataSourceTransactionManager manager = new DataSourceTransactionManager(pool);
            JdbcTemplate table = new JdbcTemplate(pool);
            new TransactionTemplate(manager)
                    .executeWithoutResult(status -> table.execute("CREATE TABLE work (n int NOT NULL)"));
            try (JobQueue queue = JobQueue.open(proxy)) {
                steps.take(new Application(proxy, queue, table, new TransactionTemplate(manager)));
            }
        }
    }

    /** {@return the pool in a wrapper that can be unwrapped, like the wrappers of libraries that log or measure} */
    private static DataSource observed(DataSource pool) {
        return (DataSource) Proxy.newProxyInstance(
                SurroundingTransactionTest.class.getClassLoader(),
                new Class<?>[] {DataSource.class},
                (self, method, arguments) -> method.invoke(pool, arguments));
    }

    private static HikariDataSource pool(TestDatabase database, boolean autoCommit) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(database.jdbcUrl());
        config.setMaximumPoolSize(4);
        config.setAutoCommit(autoCommit);
        return new HikariDataSource(config);
    }

    @ParameterizedTest(autoCloseArguments = false)
    @MethodSource("servers")
    void aJobIsEnqueuedIfTheTransactionCommits(TestServer server) throws Exception {
        in(server, true, application -> {
            application.transaction().executeWithoutResult(status -> {
                application.table().update("INSERT INTO work VALUES (1)");
                application.queue().enqueue(GREET, "Ada");
                application.queue().enqueueAll(GREET, List.of("Bob", "Cid"));
                status.setRollbackOnly();
            });
            assertThat(application.rows()).isZero();
            assertThat(application.jobs()).isZero();
            application.transaction().executeWithoutResult(status -> {
                application.table().update("INSERT INTO work VALUES (1)");
                application.queue().enqueue(GREET, "Ada");
                application.queue().enqueueAll(GREET, List.of("Bob", "Cid"));
            });
            assertThat(application.rows()).isEqualTo(1);
            assertThat(application.jobs()).isEqualTo(3);
        });
    }

    @ParameterizedTest(autoCloseArguments = false)
    @MethodSource("servers")
    void aWrapperOfAnotherKindDoesNotHideTheTransaction(TestServer server) throws Exception {
        in(server, true, SurroundingTransactionTest::observed, application -> {
            application.transaction().executeWithoutResult(status -> {
                application.table().update("INSERT INTO work VALUES (1)");
                application.queue().enqueue(GREET, "Ada");
                status.setRollbackOnly();
            });
            assertThat(application.rows()).isZero();
            assertThat(application.jobs()).isZero();
        });
    }

    @ParameterizedTest(autoCloseArguments = false)
    @MethodSource("servers")
    void withoutATransactionAJobIsCommittedAtOnce(TestServer server) throws Exception {
        for (boolean autoCommit : new boolean[] {true, false}) {
            in(server, autoCommit, application -> {
                application.queue().enqueue(GREET, "Ada");
                assertThat(application.jobs()).isEqualTo(1);
            });
        }
    }

    private static void after(Runnable commit, Runnable completion) {
        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
            @Override
            public void afterCommit() {
                commit.run();
            }

            @Override
            public void afterCompletion(int status) {
                completion.run();
            }
        });
    }

    /** Spring still reports the transaction as active, but it will not be committed any more. */
    @ParameterizedTest(autoCloseArguments = false)
    @MethodSource("servers")
    void anEndedTransactionIsNotJoined(TestServer server) throws Exception {
        for (boolean autoCommit : new boolean[] {true, false}) {
            in(server, autoCommit, application -> {
                application.transaction().executeWithoutResult(status -> {
                    application.table().update("INSERT INTO work VALUES (1)");
                    after(
                            () -> application.queue().enqueue(GREET, "after the commit"),
                            () -> application.queue().enqueue(GREET, "after the completion"));
                });
                assertThat(application.jobs()).isEqualTo(2);
                application.transaction().executeWithoutResult(status -> {
                    after(() -> {}, () -> application.queue().enqueue(GREET, "after the rollback"));
                    status.setRollbackOnly();
                });
                assertThat(application.jobs()).isEqualTo(3);
            });
        }
    }

    /** Spring does not show whether a transaction is a new one or the one that has ended. */
    @ParameterizedTest(autoCloseArguments = false)
    @MethodSource("servers")
    void aTransactionThatMayHaveEndedIsRefused(TestServer server) throws Exception {
        in(server, false, application -> {
            List<Throwable> refused = new ArrayList<>();
            Runnable nested = () -> {
                try {
                    application
                            .transaction()
                            .executeWithoutResult(inner -> application.queue().enqueue(GREET, "lost?"));
                } catch (IllegalStateException failure) {
                    refused.add(failure);
                }
            };
            application.transaction().executeWithoutResult(status -> after(nested, nested));
            assertThat(refused)
                    .hasSize(2)
                    .allSatisfy(failure -> assertThat(failure).hasMessageContaining("after the end of a transaction"));
            assertThat(application.jobs()).isZero();
        });
    }

    /** During a transaction of another pool, Spring also binds a connection of this pool to the thread, but does not commit it. */
    @ParameterizedTest(autoCloseArguments = false)
    @MethodSource("servers")
    void aTransactionOfAnotherPoolIsNotJoined(TestServer server) throws Exception {
        try (TestDatabase database = server.createDatabase();
                HikariDataSource other = pool(database, true)) {
            TransactionTemplate elsewhere = new TransactionTemplate(new DataSourceTransactionManager(other));
            for (boolean autoCommit : new boolean[] {true, false}) {
                in(server, autoCommit, application -> {
                    elsewhere.executeWithoutResult(status -> {
                        application.table().queryForList("SELECT 1");
                        application.queue().enqueue(GREET, "Ada");
                    });
                    assertThat(application.jobs()).isEqualTo(1);
                });
            }
        }
    }

    /** The engine's own commits do not commit the application's transaction, even on the application's thread. */
    @ParameterizedTest(autoCloseArguments = false)
    @MethodSource("servers")
    void workersAndQueriesCommitNothingOfTheApplication(TestServer server) throws Exception {
        in(server, true, application -> {
            application.transaction().executeWithoutResult(status -> {
                if (server.canRestart()) { // SQLite has one writer at a time, which would be this transaction
                    application.table().update("INSERT INTO work VALUES (1)");
                    application.queue().admin().queues().pause("default");
                    application.queue().admin().queues().resume("default");
                }
                assertThat(application.jobs()).isZero();
                status.setRollbackOnly();
            });
            assertThat(application.rows()).isZero();
            try (Worker worker = Worker.on(application.queue())
                    .handle(
                            GREET,
                            (name, run) -> run.transaction(connection -> {
                                try (var insert = connection.prepareStatement("INSERT INTO work VALUES (2)")) {
                                    insert.executeUpdate();
                                }
                            }))
                    .start()) {
                application.queue().enqueue(GREET, "Ada");
                await().atMost(Duration.ofSeconds(60))
                        .until(() -> worker.stats().completed() == 1);
            }
            assertThat(application.rows()).isEqualTo(1);
        });
    }
}

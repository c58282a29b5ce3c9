package dev.pawl.conformance.contract;

import static dev.pawl.conformance.contract.Fixture.GREET;
import static dev.pawl.conformance.contract.Fixture.SOON;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.api.Retention;
import dev.pawl.api.Strategy;
import dev.pawl.internal.assembly.Databases;
import dev.pawl.internal.assembly.SqlJobStore;
import dev.pawl.internal.cluster.WorkerRegistry;
import dev.pawl.internal.database.DatabaseProduct;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.store.ClaimRequest;
import dev.pawl.internal.store.ClaimStrategy;
import dev.pawl.servers.TestDatabase;
import dev.pawl.servers.TestServer;
import dev.pawl.servers.TestServers;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Prepared transactions of PostgreSQL cannot notify. */
@WhiteBox
class PreparedTransactionTest {
    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static TestServer thatPrepares() throws Exception {
        TestServer server = TestServers.newPostgres();
        try (TestDatabase database = server.createDatabase();
                HikariDataSource pool = database.newDataSource(1);
                Connection connection = pool.getConnection()) {
            execute(connection, "ALTER SYSTEM SET max_prepared_transactions = 2");
        }
        server.kill();
        server.start();
        return server;
    }

    private static void enqueueAndPrepare(JobQueue queue, HikariDataSource pool) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            queue.within(connection).enqueue(GREET, "prepared");
            execute(connection, "PREPARE TRANSACTION 'p'");
            connection.commit();
            connection.setAutoCommit(true);
            execute(connection, "COMMIT PREPARED 'p'");
        }
    }

    @Test
    void aTransactionThatHasEnqueuedCanBePrepared() throws Exception {
        try (TestServer server = thatPrepares()) {
            try (TestDatabase database = server.createDatabase();
                    HikariDataSource pool = database.newDataSource(8);
                    JobQueue queue = JobQueue.open(pool);
                    JobQueue notifying =
                            JobQueue.builder(pool).notifyInTransactions(true).open()) {
                Semaphore runs = new Semaphore(0);
                try (Worker worker = Worker.on(queue)
                        .pollInterval(Duration.ofHours(1))
                        .handle(GREET, (name, run) -> runs.release())
                        .start()) {
                    assertThat(worker.awaitIdle(SOON)).isTrue();
                    enqueueAndPrepare(queue, pool);
                    queue.wake("default");
                    assertThat(runs.tryAcquire(SOON.toSeconds(), TimeUnit.SECONDS))
                            .isTrue();
                }
                assertThatThrownBy(() -> enqueueAndPrepare(notifying, pool))
                        .isInstanceOf(SQLException.class)
                        .hasMessageContaining("NOTIFY");
            }
        }
    }

    /** After a restart a prepared transaction holds its locks under another name. */
    @Test
    void aPreparedJobThatIsCommittedAfterARestartIsLateAndIsFound() throws Exception {
        try (TestServer server = thatPrepares();
                TestDatabase database = server.createDatabase();
                HikariDataSource pool = database.newDataSource(4);
                JobQueue queue = JobQueue.open(pool)) {
            DatabaseProduct product = Databases.of(pool, "pawl_");
            Database own = new Database(pool, product.dialect());
            ClaimStrategy lanes = new SqlJobStore(product, own, Retention.DEFAULTS).strategy(Strategy.LANES);
            long worker = new WorkerRegistry(own).register("test", List.of("default"), List.of(), 1, 1, Map.of());
            ClaimRequest request =
                    new ClaimRequest("default", List.of("greet"), 10, worker, Duration.ofMinutes(1), false);
            long late;
            try (Connection connection = pool.getConnection()) {
                execute(connection, "INSERT INTO pawl_lane (queue, priority) VALUES ('default', 0)");
                connection.setAutoCommit(false);
                late = queue.within(connection).enqueue(GREET, "late").jobId();
                queue.enqueue(GREET, "in time");
                assertThat(lanes.claim(request)).hasSize(1);
                lanes.tidy();
                lanes.tidy(); // one writer has been seen
                execute(connection, "PREPARE TRANSACTION 'p'");
                connection.commit();
                connection.setAutoCommit(true);
            }
            lanes.tidy();
            server.kill();
            server.start();
            pool.getHikariPoolMXBean().softEvictConnections();
            await().atMost(SOON).ignoreExceptions().until(() -> {
                lanes.tidy();
                lanes.tidy();
                return true;
            });
            try (Connection connection = pool.getConnection()) {
                execute(connection, "COMMIT PREPARED 'p'");
            }
            for (int i = 0; i < 3; i++) {
                lanes.tidy();
            }
            assertThat(lanes.claim(request))
                    .extracting(grant -> grant.job().id())
                    .containsExactly(late);
        }
    }
}

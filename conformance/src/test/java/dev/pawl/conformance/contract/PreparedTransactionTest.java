package dev.pawl.conformance.contract;

import static dev.pawl.conformance.contract.Fixture.GREET;
import static dev.pawl.conformance.contract.Fixture.SOON;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.servers.TestDatabase;
import dev.pawl.servers.TestServer;
import dev.pawl.servers.TestServers;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The transactions of PostgreSQL that cannot notify: prepared ones. */
class PreparedTransactionTest {
    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static void enqueueAndPrepare(JobQueue queue, HikariDataSource pool) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            queue.enqueue(connection, GREET, "prepared");
            execute(connection, "PREPARE TRANSACTION 'p'");
            connection.commit();
            connection.setAutoCommit(true);
            execute(connection, "COMMIT PREPARED 'p'");
        }
    }

    @Test
    void aTransactionThatHasEnqueuedCanBePrepared() throws Exception {
        try (TestServer server = TestServers.newPostgres()) {
            try (TestDatabase database = server.createDatabase();
                    HikariDataSource pool = database.newDataSource(1);
                    Connection connection = pool.getConnection()) {
                execute(connection, "ALTER SYSTEM SET max_prepared_transactions = 2");
            }
            server.kill();
            server.start();
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
}

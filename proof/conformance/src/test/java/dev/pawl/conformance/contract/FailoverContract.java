package dev.pawl.conformance.contract;

import static dev.pawl.conformance.contract.Fixture.GREET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.api.DatabaseException;
import dev.pawl.api.JobState;
import dev.pawl.conformance.RunsOn;
import dev.pawl.servers.Capability;
import dev.pawl.servers.Product;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** After a failover the pool's connections lead to a server that has become read-only, but pass every probe; new connections can write. */
interface FailoverContract extends WithWorker {
    int CONNECTIONS = 4;

    private JobQueue queue(HikariDataSource pool) {
        return JobQueue.builder(pool)
                .tablePrefix(fixture().prefix)
                .notifications(false)
                .open();
    }

    /** Makes all current sessions of the pool read-only. */
    private void demote(HikariDataSource pool) throws SQLException {
        String readOnly = switch (fixture().product) {
            case POSTGRESQL -> "SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY";
            case MYSQL, MARIADB -> "SET SESSION TRANSACTION READ ONLY";
            case SQLITE -> throw new AssertionError("a file has no failover");
        };
        List<Connection> all = new ArrayList<>();
        try {
            for (int i = 0; i < CONNECTIONS; i++) {
                Connection connection = pool.getConnection();
                all.add(connection);
                try (Statement statement = connection.createStatement()) {
                    statement.execute(readOnly);
                }
            }
        } finally {
            for (Connection connection : all) {
                connection.close();
            }
        }
    }

    /** Regression: 40 enqueues failed, for 40 seconds after the database had become writable again. */
    @Test
    @RunsOn({Product.POSTGRESQL, Product.MARIADB, Product.MYSQL})
    default void aConnectionThatTakesNoWritesIsReplacedByAnEnqueue(Fixture fixture) throws Exception {
        fixture.assumeCan(Capability.SESSIONS);
        try (HikariDataSource pool = fixture.testDatabase.newDataSource(CONNECTIONS);
                JobQueue queue = queue(pool)) {
            demote(pool);
            assertThatThrownBy(() -> queue.enqueue(GREET, "refused"))
                    .isInstanceOfSatisfying(
                            DatabaseException.class,
                            e -> assertThat(e.isTransient()).isTrue());
            await().atMost(SOON)
                    .ignoreExceptionsInstanceOf(DatabaseException.class)
                    .until(() -> {
                        queue.enqueue(GREET, "taken");
                        return true;
                    });
            assertThat(fixture.liveJobs()).isEqualTo(1);
        }
    }

    @Test
    @RunsOn({Product.POSTGRESQL, Product.MARIADB, Product.MYSQL})
    default void aWorkerGoesOnAfterAFailover(Fixture fixture) throws Exception {
        fixture.assumeCan(Capability.SESSIONS);
        try (HikariDataSource pool = fixture.testDatabase.newDataSource(CONNECTIONS);
                JobQueue queue = queue(pool);
                Worker worker = Worker.on(queue)
                        .strategy(fixture.strategy)
                        .concurrency(2)
                        .handle(GREET, (text, run) -> {})
                        .start()) {
            awaitState(fixture.enqueue(), JobState.COMPLETED);
            demote(pool);
            List<Long> ids = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                ids.add(fixture.enqueue());
            }
            for (long id : ids) {
                awaitState(id, JobState.COMPLETED);
            }
            await().atMost(SOON).until(() -> worker.databaseLostFor().isEmpty());
        }
    }
}

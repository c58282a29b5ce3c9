package dev.pawl.lab.study;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.servers.Durability;
import dev.pawl.servers.TestDatabase;
import dev.pawl.servers.TestServers;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class BaselineTest {
    private static final int TASKS = 600;
    private static final int WORKERS = 8;

    @Test
    void onlyTheNaiveClaimsGiveATaskTwiceAndOnlyNowaitFails() throws Exception {
        try (TestDatabase database = TestServers.postgres(Durability.DISK).createDatabase();
                HikariDataSource pool = database.newDataSource(WORKERS)) {
            for (Baseline.Claim claim : Baseline.Claim.values()) {
                Baseline baseline = new Baseline(claim, 1);
                long twice = drain(pool, baseline);
                boolean naive = claim == Baseline.Claim.NAIVE || claim == Baseline.Claim.NAIVE_UPDATE;
                assertThat(twice > 0)
                        .as("%s: %d tasks taken twice", claim, twice)
                        .isEqualTo(naive);
                assertThat(baseline.lockErrors() > 0)
                        .as("%s: %d lock errors", claim, baseline.lockErrors())
                        .isEqualTo(claim == Baseline.Claim.NOWAIT);
            }
        }
    }

    /** Returns the number of surplus executions. */
    private static long drain(HikariDataSource pool, Baseline baseline) throws Exception {
        try (Connection connection = pool.getConnection()) {
            Baseline.create(connection, TASKS);
        }
        ExecutorService threads = Executors.newFixedThreadPool(WORKERS);
        CountDownLatch together = new CountDownLatch(WORKERS);
        List<Connection> connections = new ArrayList<>();
        try {
            // Gets all connections first: a worker without one would block the others, and here the test fails instead.
            for (int i = 0; i < WORKERS; i++) {
                connections.add(pool.getConnection());
            }
            List<Future<Integer>> workers = new ArrayList<>();
            for (Connection connection : connections) {
                workers.add(threads.submit(() -> {
                    together.countDown();
                    together.await();
                    return baseline.drain(connection);
                }));
            }
            for (Future<Integer> worker : workers) {
                assertThat(worker.get()).isNotNegative();
            }
        } finally {
            threads.shutdownNow();
            for (Connection connection : connections) {
                connection.close();
            }
        }
        assertThat(longOf(pool, "SELECT COUNT(*) FROM tasks WHERE status = 'pending'"))
                .isZero();
        return longOf(pool, "SELECT COUNT(*) - COUNT(DISTINCT task_id) FROM taken");
    }

    private static long longOf(HikariDataSource pool, String sql) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }
}

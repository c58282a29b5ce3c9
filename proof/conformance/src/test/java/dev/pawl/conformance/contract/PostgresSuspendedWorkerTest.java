package dev.pawl.conformance.contract;

import static dev.pawl.conformance.contract.Fixture.GREET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.servers.Delay;
import dev.pawl.servers.TestDatabase;
import dev.pawl.servers.TestServers;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * What the server sees of a suspended worker. Each test has a database of its own, and observes that database through a connection to
 * another one.
 */
@Execution(ExecutionMode.CONCURRENT)
class PostgresSuspendedWorkerTest {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final String LISTENS =
            " FROM pg_stat_activity WHERE application_name = 'pawl listen' AND datname = '";

    /** {@return the connections to that database, and when each sent its last statement} */
    private static List<String> sessions(DataSource outside, String database) throws SQLException {
        List<String> sessions = new ArrayList<>();
        try (Connection connection = outside.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT pid, query_start, state_change, query FROM"
                        + " pg_stat_activity WHERE backend_type = 'client backend' AND datname = '" + database
                        + "' ORDER BY pid")) {
            while (rows.next()) {
                sessions.add(
                        rows.getInt(1) + " " + rows.getString(2) + " " + rows.getString(3) + " " + rows.getString(4));
            }
        }
        return sessions;
    }

    private static long number(DataSource outside, String sql) throws SQLException {
        try (Connection connection = outside.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            return row.next() ? row.getLong(1) : 0;
        }
    }

    private static String nameOf(DataSource pool) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            return connection.getCatalog();
        }
    }

    /**
     * Waits until no session has sent a statement for some seconds. Reads the server's list of sessions from outside, because a query in
     * the database would keep it awake.
     */
    private static List<String> awaitSilence(DataSource outside, String database) {
        List<List<String>> seen = new ArrayList<>();
        await().atMost(SOON).pollInterval(Duration.ofSeconds(4)).until(() -> {
            seen.add(sessions(outside, database));
            return seen.size() > 1 && seen.get(seen.size() - 1).equals(seen.get(seen.size() - 2));
        });
        return seen.get(seen.size() - 1);
    }

    /** Watches for 35 seconds, because the listener of an active worker checks an idle connection after 30 seconds. */
    @Test
    void aSuspendedWorkerSendsNoStatements() throws Exception {
        AtomicInteger runs = new AtomicInteger();
        try (TestDatabase watched = TestServers.postgres().createDatabase();
                TestDatabase beside = TestServers.postgres().createDatabase();
                HikariDataSource pool = watched.newDataSource(5);
                HikariDataSource outside = beside.newDataSource(1);
                JobQueue queue = JobQueue.open(pool);
                Worker worker = Worker.on(queue)
                        .suspendWhenIdle()
                        .handle(GREET, (text, run) -> runs.incrementAndGet())
                        .start()) {
            String database = nameOf(pool);
            List<String> before = awaitSilence(outside, database);
            assertThat(before).anyMatch(session -> session.contains("SELECT 1") || session.contains("LISTEN"));
            Delay.quiet(35_000); // silence gives no signal
            assertThat(sessions(outside, database)).isEqualTo(before);
            enqueueElsewhere(watched);
            await().atMost(SOON).until(() -> runs.get() == 1);
            assertThat(worker.isAlive()).isTrue();
        }
    }

    /** Enqueues from a program with its own pool. */
    private static void enqueueElsewhere(TestDatabase database) {
        try (HikariDataSource pool = database.newDataSource(2);
                JobQueue other = JobQueue.open(pool)) {
            other.enqueue(GREET, "x");
        }
    }

    @Test
    void aWorkerWhoseListenerIsCutStaysAwakeUntilTheListenerReconnects() throws Exception {
        AtomicInteger runs = new AtomicInteger();
        try (TestDatabase watched = TestServers.postgres().createDatabase();
                TestDatabase beside = TestServers.postgres().createDatabase();
                HikariDataSource pool = watched.newDataSource(5);
                HikariDataSource outside = beside.newDataSource(1);
                JobQueue queue = JobQueue.open(pool);
                Worker worker = Worker.on(queue)
                        .suspendWhenIdle()
                        .handle(GREET, (text, run) -> runs.incrementAndGet())
                        .start()) {
            String database = nameOf(pool);
            List<String> before = awaitSilence(outside, database);
            long listener = number(outside, "SELECT pid" + LISTENS + database + "'");
            assertThat(listener).isPositive();
            assertThat(number(outside, "SELECT 1 WHERE pg_terminate_backend(" + listener + ")"))
                    .isOne();
            await().atMost(SOON)
                    .until(() ->
                            number(outside, "SELECT COUNT(*)" + LISTENS + database + "' AND pid <> " + listener) == 1);
            assertThat(awaitSilence(outside, database)).isNotEqualTo(before);
            enqueueElsewhere(watched);
            await().atMost(SOON).until(() -> runs.get() == 1);
            assertThat(worker.isAlive()).isTrue();
        }
    }

    /** A notification is lost if it is sent while nothing listens. So the worker polls before it suspends again. */
    @Test
    void aJobWhoseNotificationIsLostIsFound() throws Exception {
        AtomicInteger runs = new AtomicInteger();
        try (TestDatabase watched = TestServers.postgres().createDatabase();
                TestDatabase beside = TestServers.postgres().createDatabase();
                HikariDataSource pool = watched.newDataSource(5);
                HikariDataSource outside = beside.newDataSource(1);
                JobQueue queue = JobQueue.open(pool);
                Worker worker = Worker.on(queue)
                        .suspendWhenIdle()
                        .handle(GREET, (text, run) -> runs.incrementAndGet())
                        .start()) {
            String database = nameOf(pool);
            awaitSilence(outside, database);
            try (HikariDataSource quiet = watched.newDataSource(2);
                    JobQueue other =
                            JobQueue.builder(quiet).notifications(false).open()) {
                other.enqueue(GREET, "x"); // sends no notification
            }
            assertThat(runs.get()).isZero();
            assertThat(number(outside, "SELECT COUNT(pg_terminate_backend(pid))" + LISTENS + database + "'"))
                    .isOne();
            await().atMost(SOON).until(() -> runs.get() == 1);
            assertThat(worker.isAlive()).isTrue();
        }
    }

    /** Some databases suspend only while they have no connections. */
    @Test
    void withoutNotificationsASuspendedWorkerHasNoConnection() throws Exception {
        AtomicInteger runs = new AtomicInteger();
        try (TestDatabase watched = TestServers.postgres().createDatabase();
                TestDatabase beside = TestServers.postgres().createDatabase();
                HikariDataSource pool = watched.newDataSource(5);
                HikariDataSource outside = beside.newDataSource(1)) {
            pool.setMinimumIdle(0);
            pool.setIdleTimeout(10_000); // the minimum
            String database = nameOf(pool);
            try (JobQueue queue = JobQueue.builder(pool).notifications(false).open();
                    Worker worker = Worker.on(queue)
                            .suspendWhenIdle(Duration.ofHours(1))
                            .handle(GREET, (text, run) -> runs.incrementAndGet())
                            .start()) {
                await().atMost(Duration.ofSeconds(90))
                        .until(() -> sessions(outside, database).isEmpty());
                queue.enqueue(GREET, "x");
                await().atMost(SOON).until(() -> runs.get() == 1);
                assertThat(worker.isAlive()).isTrue();
            }
        }
    }
}

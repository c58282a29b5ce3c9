package dev.pawl.conformance.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.JobQueue;
import dev.pawl.admin.Admin;
import dev.pawl.conformance.Drawn;
import dev.pawl.servers.Delay;
import dev.pawl.servers.TestDatabase;
import dev.pawl.servers.TestServer;
import dev.pawl.servers.TestServers;
import dev.pawl.servers.process.JavaProcess;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/**
 * Three processes, each a worker with four handlers, sell tickets concurrently, 10,000 on PostgreSQL and 700 on each other database. Four
 * times, one of the processes is killed and replaced. No code is issued twice, and none is skipped.
 */
@Drawn(number = 0, of = 11, run = 1, all = "PAWL_KILLS")
class TicketTest {
    private static final int MANY = 10_000;
    private static final int SOME = 700;
    private static final Duration SOON = Duration.ofSeconds(90);
    private static final long DEADLINE = TimeUnit.SECONDS.toNanos(300);

    private static void sellOn(TestServer server, int tickets) throws Exception {
        List<JavaProcess> workers = new ArrayList<>();
        try (TestDatabase database = server.createDatabase();
                HikariDataSource pool = database.newDataSource(3);
                JobQueue queue = JobQueue.open(pool)) {
            execute(pool, "CREATE TABLE ticket (code varchar(20) PRIMARY KEY, buyer int NOT NULL)");
            queue.enqueueAll(
                    TicketWorker.SOLD, IntStream.range(0, tickets).boxed().toList());
            try {
                for (int i = 0; i < 3; i++) {
                    workers.add(start(database));
                }
                Random random = new Random();
                for (int kill = 0; kill < 4; kill++) {
                    int victim = random.nextInt(workers.size());
                    workers.get(victim).awaitOutput(" works", SOON);
                    Delay.random(random.nextInt(800));
                    workers.get(victim).close();
                    workers.set(victim, start(database));
                }
                long end = System.nanoTime() + DEADLINE;
                while (queue.admin().queues().list(Admin.UNLIMITED).stream()
                        .anyMatch(each -> each.available() + each.running() + each.retrying() > 0)) {
                    assertThat(System.nanoTime()).as("in time").isLessThan(end);
                    Delay.poll(100); // other processes complete the jobs and give no signal
                }
            } finally {
                workers.forEach(JavaProcess::close);
            }
            assertThat(longOf(pool, "SELECT COUNT(*) FROM ticket")).isEqualTo(tickets);
            assertThat(longOf(pool, "SELECT COUNT(DISTINCT buyer) FROM ticket")).isEqualTo(tickets);
            assertThat(longOf(pool, "SELECT COUNT(*) FROM pawl_slot WHERE state = 1"))
                    .isEqualTo(tickets);
            assertThat(longOf(pool, "SELECT MAX(ordinal) FROM pawl_slot WHERE state = 1"))
                    .isEqualTo(tickets);
            String last = "AAAA";
            for (int i = 1; i < tickets; i++) {
                last = TicketWorker.nextCode(last);
            }
            assertThat(TicketWorker.tickets(queue).lastUsed()).contains(last);
        }
    }

    private static JavaProcess start(TestDatabase database) {
        return JavaProcess.start(TicketWorker.class, Map.of(), database.jdbcUrl());
    }

    private static void execute(HikariDataSource pool, String sql) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static long longOf(HikariDataSource pool, String sql) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }

    @Test
    @Drawn(number = 0, of = 4, run = 1, all = "PAWL_KILLS")
    void ticketsAreSoldOnSqlite() throws Exception {
        sellOn(TestServers.sqlite(), SOME);
    }

    @Test
    @Drawn(number = 1, of = 4, run = 1, all = "PAWL_KILLS")
    void ticketsAreSoldOnPostgres() throws Exception {
        sellOn(TestServers.postgres(), MANY);
    }

    @Test
    @Drawn(number = 2, of = 4, run = 1, all = "PAWL_KILLS")
    void ticketsAreSoldOnMariaDb() throws Exception {
        sellOn(TestServers.mariaDb(), SOME);
    }

    @Test
    @EnabledIfEnvironmentVariable(named = "PAWL_TEST_MYSQL_URL", matches = "jdbc:.*")
    @Drawn(number = 3, of = 4, run = 1, all = "PAWL_KILLS")
    void ticketsAreSoldOnMySql() throws Exception {
        sellOn(TestServers.mySql().orElseThrow(), SOME);
    }
}

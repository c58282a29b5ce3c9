package dev.pawl.conformance.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.JobQueue;
import dev.pawl.admin.JobFilter;
import dev.pawl.api.Job;
import dev.pawl.api.Tick;
import dev.pawl.conformance.Drawn;
import dev.pawl.servers.Delay;
import dev.pawl.servers.TestDatabase;
import dev.pawl.servers.TestServer;
import dev.pawl.servers.TestServers;
import dev.pawl.servers.process.JavaProcess;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Processes with schedules are killed: no tick is skipped, and none gets two jobs. */
@Drawn(number = 7, of = 11, run = 1, all = "PAWL_KILLS")
@Execution(ExecutionMode.CONCURRENT)
class ScheduleKillTest {
    private static final Duration SOON = Duration.ofSeconds(90);
    private static final int KILLS = 8;
    private static final int TICKS = 6;

    private static void killOn(TestServer server) throws Exception {
        List<JavaProcess> workers = new ArrayList<>();
        try (TestDatabase database = server.createDatabase();
                HikariDataSource pool = database.newDataSource(3);
                JobQueue queue = JobQueue.open(pool)) {
            try {
                for (int i = 0; i < 2; i++) {
                    workers.add(start(database));
                }
                Random random = new Random();
                for (int kill = 0; kill < KILLS; kill++) {
                    int victim = random.nextInt(workers.size());
                    workers.get(victim).awaitOutput(" works", SOON);
                    Delay.random(random.nextInt(1_500));
                    workers.get(victim).close();
                    workers.set(victim, start(database));
                }
                await().atMost(SOON)
                        .until(() -> queue.schedules()
                                        .ticks(ScheduleWorker.name(0), 100)
                                        .size()
                                >= TICKS);
            } finally {
                workers.forEach(JavaProcess::close);
            }
            List<Job> jobs = queue.admin().jobs().list(JobFilter.ALL.limit(10_000));
            for (int i = 0; i < ScheduleWorker.SCHEDULES; i++) {
                assertOneJobForEachTick(queue, ScheduleWorker.name(i), jobs);
            }
        }
    }

    private static void assertOneJobForEachTick(JobQueue queue, String schedule, List<Job> all) {
        Map<Instant, Long> jobs = new TreeMap<>();
        for (Job job : all) {
            if (schedule.equals(job.headers().get(Tick.SCHEDULE_HEADER))) {
                Long other = jobs.put(Instant.parse(job.headers().get(Tick.HEADER)), job.id());
                assertThat(other)
                        .as("another job of the same tick as %d", job.id())
                        .isNull();
            }
        }
        assertThat(jobs).hasSizeGreaterThanOrEqualTo(TICKS - 1);
        Instant last = null;
        for (Instant tick : jobs.keySet()) {
            if (last != null) {
                assertThat(tick).as("none is left out").isEqualTo(last.plusSeconds(1));
            }
            last = tick;
        }
        Map<Instant, Long> ticks = new TreeMap<>();
        queue.schedules().ticks(schedule, 1_000).forEach(tick -> ticks.put(tick.tick(), tick.jobId()));
        assertThat(ticks).isEqualTo(jobs);
    }

    private static JavaProcess start(TestDatabase database) {
        return JavaProcess.start(ScheduleWorker.class, Map.of(), database.jdbcUrl());
    }

    @Test
    @Drawn(number = 0, of = 4, run = 1, all = "PAWL_KILLS")
    void schedulesOnSqlite() throws Exception {
        killOn(TestServers.sqlite());
    }

    @Test
    @Drawn(number = 1, of = 4, run = 1, all = "PAWL_KILLS")
    void schedulesOnPostgres() throws Exception {
        killOn(TestServers.postgres());
    }

    @Test
    @Drawn(number = 2, of = 4, run = 1, all = "PAWL_KILLS")
    void schedulesOnMariaDb() throws Exception {
        killOn(TestServers.mariaDb());
    }

    @Test
    @EnabledIfEnvironmentVariable(named = "PAWL_TEST_MYSQL_URL", matches = "jdbc:.*")
    @Drawn(number = 3, of = 4, run = 1, all = "PAWL_KILLS")
    void schedulesOnMySql() throws Exception {
        killOn(TestServers.mySql().orElseThrow());
    }
}

package dev.pawl.conformance.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.JobQueue;
import dev.pawl.admin.Choice;
import dev.pawl.admin.JobFilter;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.JobState;
import dev.pawl.conformance.Drawn;
import dev.pawl.servers.Delay;
import dev.pawl.servers.TestDatabase;
import dev.pawl.servers.TestServer;
import dev.pawl.servers.TestServers;
import dev.pawl.servers.process.JavaProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Kills processes that have released and claimed jobs of many keys, and halts them for longer than their leases. The handlers' logs must
 * show that all jobs ran, and that the jobs of each key ran in order and never two at a time.
 */
@Drawn(number = 3, of = 11, run = 1, all = "PAWL_KILLS")
@Execution(ExecutionMode.CONCURRENT)
class KeyKillTest {
    private static final Duration SOON = Duration.ofSeconds(150);
    private static final int KEYS = 24;
    private static final int JOBS = 6_000;
    private static final int TURNS = 6;

    /** On a busy machine a thread may resume late after a halt. */
    private static final long LATE = TimeUnit.SECONDS.toNanos(15);

    @TempDir
    private Path folder;

    @Test
    @Drawn(number = 0, of = 4, run = 1, all = "PAWL_KILLS")
    void orderOnSqlite() throws Exception {
        disturbOn(TestServers.sqlite());
    }

    @Test
    @Drawn(number = 1, of = 4, run = 1, all = "PAWL_KILLS")
    void orderOnPostgres() throws Exception {
        disturbOn(TestServers.postgres());
    }

    @Test
    @Drawn(number = 2, of = 4, run = 1, all = "PAWL_KILLS")
    void orderOnMariaDb() throws Exception {
        disturbOn(TestServers.mariaDb());
    }

    @Test
    @Drawn(number = 3, of = 4, run = 1, all = "PAWL_KILLS")
    @EnabledIfEnvironmentVariable(named = "PAWL_TEST_MYSQL_URL", matches = "jdbc:.*")
    void orderOnMySql() throws Exception {
        disturbOn(TestServers.mySql().orElseThrow());
    }

    private void disturbOn(TestServer server) throws Exception {
        try (TestDatabase database = server.createDatabase()) {
            disturb(database);
        }
    }

    private void disturb(TestDatabase database) throws Exception {
        List<Victim> all = new ArrayList<>();
        List<Victim> live = new ArrayList<>();
        try (HikariDataSource pool = database.newDataSource(3);
                JobQueue queue = JobQueue.open(pool)) {
            enqueue(queue);
            try {
                for (int i = 0; i < 3; i++) {
                    live.add(start(database, all));
                }
                Random random = new Random();
                for (int turn = 0; turn < TURNS; turn++) {
                    int chosen = random.nextInt(live.size());
                    live.get(chosen).process.awaitOutput(" works", SOON);
                    Delay.random(random.nextInt(700));
                    if (turn % 3 == 1) {
                        live.get(chosen).halt((int) KeyedWorker.LEASE.toMillis() + 1_000 + random.nextInt(1_000));
                    } else {
                        live.get(chosen).kill();
                        live.set(chosen, start(database, all));
                    }
                    if (turn < TURNS - 1) {
                        enqueue(queue); // so that there is always a job in flight
                    }
                }
                await().atMost(SOON).until(() -> isThrough(queue));
            } finally {
                live.forEach(Victim::kill);
            }
        }
        assertInTurn(all);
    }

    private static void enqueue(JobQueue queue) {
        queue.enqueueAll(
                KeyedWorker.QUICK,
                IntStream.range(0, JOBS / TURNS).mapToObj(String::valueOf).toList(),
                text -> EnqueueOptions.DEFAULTS.key("key-" + Integer.parseInt(text) % KEYS));
    }

    private static boolean isThrough(JobQueue queue) {
        List<JobState> live = Stream.of(JobState.values())
                .filter(state -> !state.isFinished())
                .toList();
        return queue.admin()
                .jobs()
                .list(JobFilter.ALL.states(Choice.of(live)).limit(1))
                .isEmpty();
    }

    private Victim start(TestDatabase database, List<Victim> all) {
        Path log = folder.resolve("log" + all.size());
        Victim victim =
                new Victim(JavaProcess.start(KeyedWorker.class, Map.of(), database.jdbcUrl(), log.toString()), log);
        all.add(victim);
        return victim;
    }

    /**
     * @param ended when the run had certainly ended, or no longer belonged to its worker
     * @param wasHalted whether its worker had been halted shortly before its start
     */
    private record Run(long job, long token, long ended, boolean wasHalted) {}

    private static void assertInTurn(List<Victim> all) throws IOException {
        Map<String, SortedMap<Long, Run>> runs = new TreeMap<>(); // by key, by start
        for (Victim victim : all) {
            Map<String, Long> open = new HashMap<>();
            for (String[] line : victim.lines()) {
                long nanos = Long.parseLong(line[0]);
                if (line.length < 4) {
                    continue;
                }
                if (line[1].equals("first")) {
                    open.put(line[2], nanos);
                    put(runs, line, nanos, victim.haltedBetween(nanos, victim.deadNanos), victim);
                } else if (line[1].equals("last") && open.containsKey(line[2])) {
                    long begun = open.getOrDefault(line[2], 0L);
                    put(runs, line, begun, victim.haltedBetween(begun, nanos), victim);
                }
            }
        }
        assertThat(runs).hasSize(KEYS);
        assertThat(runs.values().stream()
                        .flatMap(inOrder -> inOrder.values().stream())
                        .map(Run::job)
                        .distinct())
                .hasSize(JOBS);
        runs.forEach((key, inOrder) -> {
            Run last = new Run(0, 0, Long.MIN_VALUE, false);
            Map<Long, Long> tokens = new HashMap<>();
            inOrder.values().forEach(run -> tokens.merge(run.job, run.token, Math::max));
            for (Map.Entry<Long, Run> each : inOrder.entrySet()) {
                Run run = each.getValue();
                if (run.wasHalted && tokens.getOrDefault(run.job, 0L) > run.token) {
                    continue; // halted before it could log its start, and another worker has run the job
                }
                assertThat(each.getKey())
                        .as("job %d of %s begins while job %d runs", run.job, key, last.job)
                        .isGreaterThan(last.ended);
                assertThat(run.job).as("of %s", key).isGreaterThanOrEqualTo(last.job);
                last = run;
            }
        });
    }

    private static void put(
            Map<String, SortedMap<Long, Run>> runs, String[] line, long begun, long ended, Victim victim) {
        int slash = line[2].indexOf('/');
        runs.computeIfAbsent(line[3], key -> new TreeMap<>())
                .put(
                        begun,
                        new Run(
                                Long.parseLong(line[2].substring(0, slash)),
                                Long.parseLong(line[2].substring(slash + 1)),
                                ended,
                                victim.haltedBetween(begun - LATE, begun) < begun));
    }
}

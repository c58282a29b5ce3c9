package dev.pawl.manager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.JobQueue;
import dev.pawl.admin.Admin;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.JobRequest;
import dev.pawl.servers.Delay;
import dev.pawl.servers.TestDatabase;
import dev.pawl.servers.TestServers;
import dev.pawl.servers.process.JavaProcess;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Path;
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
import org.junit.jupiter.api.io.TempDir;

/**
 * Two managers and workers in Java, Python and shell run jobs of one to five seconds. A manager's port changes whenever it starts. Managers
 * are killed, or stopped as by a deploy, and sometimes both are down at the same time. Workers are killed, too. According to the workers'
 * own records no job ever has two live runs, and nothing is lost.
 */
class ManagerChaosTest {
    private static final int JOBS = Integer.getInteger("pawl.chaos.jobs", 90);
    private static final int FAULTS = Integer.getInteger("pawl.chaos.blows", 7);
    private static final String SECRET = "a-secret-of-the-test";
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final long DEADLINE = TimeUnit.SECONDS.toNanos(Integer.getInteger("pawl.chaos.seconds", 300));

    /** A process that can be killed and restarted, and the log of its runs. */
    private interface Victim {
        void start() throws Exception;

        void kill() throws Exception;

        Path log();
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private static boolean has(String program) throws Exception {
        return new ProcessBuilder("sh", "-c", "command -v " + program)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .waitFor()
                == 0;
    }

    private static final class Java implements Victim {
        private final Class<?> main;
        private final Path log;
        private final String[] arguments;
        private final String ready;
        private JavaProcess process;

        Java(Class<?> main, String ready, Path log, String... arguments) {
            this.main = main;
            this.ready = ready;
            this.log = log;
            this.arguments = arguments;
            this.process = JavaProcess.start(main, Map.of(), arguments);
        }

        @Override
        public void start() {
            process = JavaProcess.start(main, Map.of(), arguments);
        }

        @Override
        public void kill() {
            process.awaitOutput(ready, SOON);
            process.close();
        }

        /** Stops it as a rolling deploy does. */
        void stop() {
            process.awaitOutput(ready, SOON);
            process.terminate();
            process.waitFor(SOON);
        }

        @Override
        public Path log() {
            return log;
        }
    }

    private static final class Program implements Victim {
        private final Path log;
        private final List<String> command;
        private Process process;

        Program(Path log, String... command) throws IOException {
            this.log = log;
            this.command = List.of(command);
            this.process = run();
        }

        private Process run() throws IOException {
            ProcessBuilder builder = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD);
            builder.environment().put("PAWL_SECRET", SECRET);
            return builder.start();
        }

        @Override
        public void start() throws IOException {
            process = run();
        }

        @Override
        public void kill() throws Exception {
            List<ProcessHandle> all = process.descendants().toList();
            process.destroyForcibly().waitFor();
            for (ProcessHandle one : all) {
                one.destroyForcibly();
                one.onExit().get(60, TimeUnit.SECONDS);
            }
        }

        @Override
        public Path log() {
            return log;
        }
    }

    private static long unfinished(JobQueue queue) {
        return queue.admin().queues().list(Admin.UNLIMITED).stream()
                .mapToLong(each -> each.available() + each.running() + each.retrying())
                .sum();
    }

    @Test
    void noJobHasTwoLiveRunsAndNothingIsLost(@TempDir Path folder) throws Exception {
        assumeTrue(
                has("python3") && has("socat") && has("curl") && has("setpriv") && has("flock"),
                "python3, socat, curl and util-linux are needed for the workers in Python and shell");
        long seed = Long.getLong("pawl.chaos.seed", System.nanoTime());
        Random random = new Random(seed);
        RecordedRuns recorded = new RecordedRuns();
        List<Victim> all = new ArrayList<>();
        try (TestDatabase database = TestServers.postgres().createDatabase();
                HikariDataSource pool = database.newDataSource(3);
                JobQueue queue = JobQueue.open(pool)) {
            execute(pool, "CREATE TABLE effect (job_id bigint NOT NULL)");
            queue.enqueueAll(IntStream.range(0, JOBS)
                    .mapToObj(i -> new JobRequest(
                            "work",
                            "{\"n\":" + i + ",\"seconds\":" + (1 + random.nextInt(40) / 10.0) + "}",
                            EnqueueOptions.DEFAULTS))
                    .toList());
            try {
                List<Java> managers = start(all, folder, database.jdbcUrl());
                long end = System.nanoTime() + DEADLINE;
                for (int fault = 0; unfinished(queue) > 0; fault++) {
                    Delay.random(1000 + random.nextInt(1500));
                    if (fault < FAULTS) {
                        injectFault(fault, managers, all, random, recorded);
                    }
                    assertThat(System.nanoTime()).as("in time (seed %d)", seed).isLessThan(end);
                }
            } finally {
                for (Victim one : all) {
                    one.kill();
                    recorded.killed(one.log());
                }
            }
            assertThat(queue.admin().queues().finished(Admin.UNLIMITED))
                    .singleElement()
                    .satisfies(finished -> assertThat(finished.completed()).isEqualTo(JOBS));
            assertThat(longOf(pool, "SELECT COUNT(DISTINCT worker) FROM pawl_assignment"))
                    .as("workers: three elsewhere and the managers' own threads")
                    .isEqualTo(4);
            assertThat(longOf(pool, "SELECT COUNT(DISTINCT job_id) FROM effect"))
                    .as("effects, each once")
                    .isEqualTo(longOf(pool, "SELECT COUNT(*) FROM effect"));
            for (Victim one : all) {
                recorded.read(one.log());
            }
            assertThat(recorded.overlaps())
                    .as("two live runs of a job (seed %d)", seed)
                    .isEmpty();
            assertThat(recorded.longRuns())
                    .as("runs long enough to see an overlap")
                    .isGreaterThan(JOBS / 2);
            Duration stall = recorded.longestStall();
            System.out.printf(
                    "managers under fire: %d jobs, %d runs, %d faults, cut short %s, longest time without a start %d ms%n",
                    JOBS, recorded.size(), FAULTS, recorded.cutShort(), stall.toMillis());
            assertThat(recorded.cutShort().keySet())
                    .as("workers that were killed during a run")
                    .containsAnyOf("java", "python", "shell");
            assertThat(stall).as("no long stall").isLessThan(SOON);
        }
    }

    private static List<Java> start(List<Victim> all, Path folder, String url) throws Exception {
        int[] ports = {freePort(), freePort(), freePort()};
        Path examples = Path.of("..", "examples").toAbsolutePath();
        Path javaLog = folder.resolve("java");
        Path pythonLog = folder.resolve("python");
        Path shellLog = folder.resolve("shell");
        all.add(new Java(WorkerProcess.class, "listening", javaLog, SECRET, "" + ports[0], javaLog.toString()));
        all.add(new Program(
                pythonLog, "python3", examples.resolve("worker.py").toString(), "" + ports[1], pythonLog.toString()));
        all.add(new Program(
                shellLog, "bash", examples.resolve("worker.sh").toString(), "" + ports[2], shellLog.toString()));
        List<Java> managers = new ArrayList<>();
        for (String name : List.of("one", "two")) {
            Path log = folder.resolve(name);
            managers.add(new Java(
                    ManagerProcess.class,
                    "manages",
                    log,
                    url,
                    SECRET,
                    log.toString(),
                    "http://127.0.0.1:" + ports[0],
                    "http://127.0.0.1:" + ports[1],
                    "http://127.0.0.1:" + ports[2]));
        }
        all.addAll(managers);
        return managers;
    }

    /** The first faults are one of each type in a fixed order; later ones are random. */
    private static void injectFault(
            int fault, List<Java> managers, List<Victim> all, Random random, RecordedRuns recorded) throws Exception {
        int type = fault < 6 ? fault : random.nextInt(6);
        switch (type) {
            case 0 -> killAndStart(managers.get(0), recorded);
            case 1 -> {
                managers.get(1).stop();
                recorded.killed(managers.get(1).log());
                managers.get(1).start();
            }
            case 2 -> { // no manager is running for a moment
                for (Java manager : managers) {
                    manager.kill();
                    recorded.killed(manager.log());
                }
                for (Java manager : managers) {
                    manager.start();
                }
            }
            default -> {
                Victim worker = all.get(type - 3);
                long patience = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
                // At a random moment most workers are idle, because jobs wait for the leases of runs that earlier
                // faults ended.
                while (!isRunning(worker, recorded) && System.nanoTime() - patience < 0) {
                    Delay.poll(20); // a file gives no signal to wait for
                }
                killAndStart(worker, recorded);
            }
        }
    }

    private static boolean isRunning(Victim worker, RecordedRuns recorded) throws IOException {
        return recorded.isRunning(worker.log());
    }

    private static void killAndStart(Victim victim, RecordedRuns recorded) throws Exception {
        victim.kill();
        recorded.killed(victim.log());
        victim.start();
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
}

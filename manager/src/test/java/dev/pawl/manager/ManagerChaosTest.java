package dev.pawl.manager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.EnqueueOptions;
import dev.pawl.JobQueue;
import dev.pawl.JobRequest;
import dev.pawl.testkit.process.JavaProcess;
import dev.pawl.testkit.server.TestDatabase;
import dev.pawl.testkit.server.TestServers;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two managers and three workers, in Java, Python and shell; each is killed and started again at random. */
class ManagerChaosTest {
    private static final int JOBS = 5_000;
    private static final String SECRET = "a-secret-of-the-test";
    private static final Duration SOON = Duration.ofSeconds(30);
    private static final long DEADLINE = TimeUnit.SECONDS.toNanos(240);

    /** Something that can be killed and started again. */
    private interface Killable {
        void start() throws Exception;

        void kill() throws Exception;
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

    private static final class Java implements Killable {
        private final Class<?> main;
        private final String[] arguments;
        private final String ready;
        private JavaProcess process;

        Java(Class<?> main, String ready, String... arguments) {
            this.main = main;
            this.ready = ready;
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
    }

    private static final class Program implements Killable {
        private final List<String> command;
        private Process process;

        Program(String... command) throws IOException {
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
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly().waitFor();
        }
    }

    @Test
    void nothingIsLostAndNoJobRunsTwiceAtATime(@TempDir Path folder) throws Exception {
        assumeTrue(has("python3") && has("socat"), "python3 and socat are needed for the workers in Python and shell");
        int javaPort = freePort();
        int pythonPort = freePort();
        int shellPort = freePort();
        List<Path> logs = List.of(folder.resolve("java"), folder.resolve("python"), folder.resolve("shell"));
        List<Killable> all = new ArrayList<>();
        try (TestDatabase database = TestServers.postgres().createDatabase();
                HikariDataSource pool = database.newDataSource(3);
                JobQueue queue = JobQueue.open(pool)) {
            execute(pool, "CREATE TABLE effect (job_id bigint NOT NULL)");
            queue.enqueueAll(IntStream.range(0, JOBS)
                    .mapToObj(i -> new JobRequest("work", "{\"n\":" + i + "}", EnqueueOptions.DEFAULTS))
                    .toList());
            try {
                Path examples = Path.of("..", "examples").toAbsolutePath();
                all.add(new Java(
                        WorkerProcess.class,
                        "listening",
                        SECRET,
                        Integer.toString(javaPort),
                        logs.get(0).toString()));
                all.add(new Program(
                        "python3",
                        examples.resolve("worker.py").toString(),
                        "" + pythonPort,
                        logs.get(1).toString()));
                all.add(new Program(
                        "bash",
                        examples.resolve("worker.sh").toString(),
                        "" + shellPort,
                        logs.get(2).toString()));
                String[] manager = {
                    database.jdbcUrl(),
                    SECRET,
                    "http://127.0.0.1:" + javaPort,
                    "http://127.0.0.1:" + pythonPort,
                    "http://127.0.0.1:" + shellPort
                };
                all.add(new Java(ManagerProcess.class, "manages", manager));
                all.add(new Java(ManagerProcess.class, "manages", manager));
                Random random = new Random();
                long end = System.nanoTime() + DEADLINE;
                for (int round = 0; longOf(pool, "SELECT COUNT(*) FROM pawl_job") > 0; round++) {
                    TimeUnit.MILLISECONDS.sleep(200 + random.nextInt(600)); // a random moment is the point
                    if (round < 8) {
                        Killable victim = all.get(round < all.size() ? round : random.nextInt(all.size()));
                        victim.kill();
                        victim.start();
                    }
                    assertThat(System.nanoTime()).as("in time").isLessThan(end);
                }
            } finally {
                for (Killable one : all) {
                    one.kill();
                }
            }
            assertThat(longOf(pool, "SELECT COUNT(*) FROM pawl_job_history WHERE state = 2"))
                    .isEqualTo(JOBS);
            assertThat(longOf(pool, "SELECT COUNT(DISTINCT worker) FROM pawl_assignment"))
                    .as("workers: three elsewhere and the managers' own threads")
                    .isEqualTo(4);
            assertThat(longOf(pool, "SELECT COUNT(DISTINCT job_id) FROM effect"))
                    .as("effects, each once")
                    .isEqualTo(longOf(pool, "SELECT COUNT(*) FROM effect"))
                    .isEqualTo(longOf(pool, """
                            SELECT COUNT(*) FROM pawl_job_history h JOIN pawl_assignment a
                                ON a.job_id = h.id AND a.lease_token = h.lease_token WHERE a.worker = 'local'
                            """));
            assertNoOverlap(logs);
        }
    }

    /** A run that began with a higher token may not begin before the end of one with a lower token. */
    private static void assertNoOverlap(List<Path> logs) throws IOException {
        record Run(long token, long begin, long end) {}
        Map<Long, List<Run>> runs = new HashMap<>();
        for (Path log : logs) {
            assertThat(log).isNotEmptyFile();
            boolean otherClock = log.endsWith("shell"); // the shell has no clock that runs with the others
            Map<String, Long> begun = new HashMap<>();
            for (String line : Files.readAllLines(log)) {
                String[] words = line.split(" ", -1);
                if (words.length != 4 || otherClock) {
                    continue;
                }
                String key = words[1] + " " + words[2];
                long time = Long.parseLong(words[3]);
                Long begin = begun.remove(key);
                if (words[0].equals("begin")) {
                    begun.put(key, time);
                } else if (begin != null) {
                    runs.computeIfAbsent(Long.parseLong(words[1]), id -> new ArrayList<>())
                            .add(new Run(Long.parseLong(words[2]), begin, time));
                }
            }
        }
        runs.forEach((job, all) -> {
            all.sort((a, b) -> Long.compare(a.token, b.token));
            for (int i = 1; i < all.size(); i++) {
                assertThat(all.get(i).begin())
                        .as("job %d: %s after %s", job, all.get(i), all.get(i - 1))
                        .isGreaterThanOrEqualTo(all.get(i - 1).end());
            }
        });
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

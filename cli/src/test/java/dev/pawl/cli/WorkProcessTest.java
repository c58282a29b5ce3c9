package dev.pawl.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.pawl.servers.Delay;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code pawl work} as a separate process, with signals as a terminal or a service manager sends them. */
class WorkProcessTest {
    private static final long TIMEOUT_SECONDS = 60;

    @TempDir
    private Path folder = Path.of("");

    private Program program = new Program("");

    @BeforeEach
    void requireSetsid() throws Exception {
        assumeTrue(
                new ProcessBuilder("sh", "-c", "command -v setsid").start().waitFor() == 0, "there is no setsid here");
        program = Program.onFile(folder);
    }

    /** Starts the worker in a process group of its own, so the id of the group is that of the process. */
    private Process work(String command) throws IOException {
        return start(command, Map.of());
    }

    private Process start(String command, Map<String, String> environment, String... options) throws IOException {
        List<String> words = new ArrayList<>(List.of("setsid", javaProgram(), "-XX:TieredStopAtLevel=1"));
        words.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName(), "work"));
        words.addAll(List.of("--db", folder.resolve("test.db").toString(), "--handler", "slow=exec:" + command));
        words.addAll(List.of(options));
        ProcessBuilder builder = new ProcessBuilder(words)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("output").toFile());
        builder.environment().putAll(environment);
        return builder.start();
    }

    private static String javaProgram() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIMEOUT_SECONDS);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - deadline)
                    .as("waited for %s s", TIMEOUT_SECONDS)
                    .isNegative();
            Delay.poll(20); // a file sends no signal to wait for
        }
    }

    private boolean hasWritten(String text) {
        try {
            return Files.readString(folder.resolve("output")).contains(text);
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void groupSignalsLetCommandsEndWithinTheGraceTime() throws Exception {
        program.run("enqueue", "slow", "--max-attempts", "1");
        Process worker = work("touch begun; while [ ! -e go ]; do sleep 0.05; done");
        try {
            await(() -> Files.exists(folder.resolve("begun")));
            assertThat(new ProcessBuilder("kill", "-TERM", "--", "-" + worker.pid())
                            .start()
                            .waitFor())
                    .isZero();
            await(() -> hasWritten("stopping; running jobs may go on for 30s"));
            Files.createFile(folder.resolve("go"));
            assertThat(worker.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)).isTrue();
            assertThat(Files.readString(folder.resolve("output"))).containsOnlyOnce("completed 1, failed attempts 0");
            assertThat(program.run("job", "1").out()).contains("completed").doesNotContain("discarded");
        } finally {
            worker.destroyForcibly();
        }
    }

    @Test
    void commandsDieWithAKilledWorker() throws Exception {
        program.run("enqueue", "slow");
        Process worker = work("sleep 600 & echo $! > child; mv child begun; wait");
        try {
            await(() -> Files.exists(folder.resolve("begun")));
            long child =
                    Long.parseLong(Files.readString(folder.resolve("begun")).strip());
            assertThat(ProcessHandle.of(child)).isPresent();
            worker.destroyForcibly().waitFor();
            await(() -> ProcessHandle.of(child).filter(ProcessHandle::isAlive).isEmpty());
        } finally {
            worker.destroyForcibly();
        }
    }

    /** A command's output is kept with its job, and a command may be untrusted. */
    @Test
    void commandsDoNotSeeTheSecretsOfTheirWorker() throws Exception {
        program.run("enqueue", "slow");
        Map<String, String> environment = new HashMap<>(Map.of("PATH_TO_MY_DATA", "plain"));
        for (String secret : List.of(
                "PAWL_DB",
                "PAWL_SECRET",
                "PAWL_HTTP_SECRET",
                "PAWL_TLS_PASSWORD",
                "TOKEN_OF_A_HEADER",
                "PAWL_DB_A",
                "PAWL_REPLICA",
                "PAWL_SHARDS",
                "PAWL_DASHBOARD_TOKEN")) {
            environment.put(secret, "hush-" + secret);
        }
        Process worker = start(
                "env > environment",
                environment,
                "--until-empty",
                "--header",
                "Authorization: Bearer $TOKEN_OF_A_HEADER");
        try {
            assertThat(worker.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)).isTrue();
            assertThat(Files.readString(folder.resolve("environment")))
                    .contains("PATH_TO_MY_DATA=plain", "PAWL_JOB_ID=1", "PAWL_KIND=slow")
                    .doesNotContain("hush-");
        } finally {
            worker.destroyForcibly();
        }
    }
}

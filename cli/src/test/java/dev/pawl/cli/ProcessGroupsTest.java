package dev.pawl.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** No command outlives its worker, whether the worker dies just before the command begins or just after. */
class ProcessGroupsTest {
    @TempDir
    private Path folder = Path.of("");

    @BeforeEach
    void requireSetsid() throws Exception {
        assumeTrue(
                new ProcessBuilder("sh", "-c", "command -v setsid").start().waitFor() == 0, "there is no setsid here");
    }

    /** The test closes the command's input, which the death of a worker also does. */
    @Test
    void unguardedCommandsDoNotBegin() throws Exception {
        Process command = new ProcessBuilder(ProcessGroups.command("touch begun"))
                .directory(folder.toFile())
                .start();
        command.getOutputStream().close();
        assertThat(command.waitFor()).isNotZero();
        assertThat(folder.resolve("begun")).doesNotExist();
    }

    @Test
    void startedCommandsAreGuarded() throws Exception {
        Process worker = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        HaltedWorker.class.getName(),
                        "echo $$ > pid; mv pid begun; exec sleep 600",
                        folder.resolve("begun").toString())
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        assertThat(worker.waitFor(60, TimeUnit.SECONDS)).isTrue();
        long pid = Long.parseLong(Files.readString(folder.resolve("begun")).strip());
        ProcessHandle command = ProcessHandle.of(pid).orElse(null);
        if (command != null) {
            try {
                ProcessHandle unused = command.onExit().get(60, TimeUnit.SECONDS);
            } finally {
                command.destroyForcibly();
            }
        }
    }
}

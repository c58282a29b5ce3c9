package dev.pawl.servers.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Runs a program to its end. */
public final class Command {
    private Command() {}

    public static void run(List<String> command) throws IOException {
        run(command, Map.of());
    }

    /**
     * @param environment added to that of this JVM
     * @throws IllegalStateException if it fails, with its output
     */
    public static void run(List<String> command, Map<String, String> environment) throws IOException {
        Path output = Files.createTempFile("pawl-cluster-", ".log");
        try {
            ProcessBuilder builder = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectInput(
                            ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                    .redirectOutput(output.toFile());
            builder.environment().putAll(environment);
            Process process = builder.start();
            boolean ended = process.waitFor(5, TimeUnit.MINUTES);
            if (!ended || process.exitValue() != 0) {
                process.destroyForcibly();
                throw new IllegalStateException(
                        command + (ended ? " failed:\n" : " did not end:\n") + Files.readString(output));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while " + command + " was running", e);
        } finally {
            Files.deleteIfExists(output);
        }
    }
}

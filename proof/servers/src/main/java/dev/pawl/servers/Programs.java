package dev.pawl.servers;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Runs programs of the operating system. */
final class Programs {
    private static final Duration LONGEST = Duration.ofMinutes(3);
    private static final int TAIL = 20;

    private Programs() {}

    /** {@return whether a program of that name is on the PATH} */
    static boolean exists(String name) {
        @Nullable String path = System.getenv("PATH");
        return path != null
                && Stream.of(path.split(File.pathSeparator, -1))
                        .anyMatch(folder -> Files.isExecutable(Path.of(folder, name)));
    }

    /** {@return whether the program succeeds; false if it is missing} */
    static boolean succeeds(String... command) {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return ended(process, command[0]) && process.exitValue() == 0;
        } catch (IOException missing) {
            return false;
        }
    }

    /** Runs a program; on failure the error contains the end of its output. */
    static void run(List<String> command, Path output) {
        String line = String.join(" ", command);
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .redirectInput(new File("/dev/null"))
                    .start();
            if (!ended(process, line)) {
                throw new ServerException(line + " did not end within " + LONGEST.toSeconds() + " s:\n" + tail(output));
            }
            if (process.exitValue() != 0) {
                throw new ServerException(line + " ended with " + process.exitValue() + ":\n" + tail(output));
            }
        } catch (IOException e) {
            throw new ServerException("cannot run " + line + ": " + e.getMessage(), e);
        }
    }

    private static boolean ended(Process process, String line) {
        try {
            if (process.waitFor(LONGEST.toSeconds(), TimeUnit.SECONDS)) {
                return true;
            }
            process.destroyForcibly();
            return false;
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new ServerException("interrupted while this ran: " + line, e);
        }
    }

    /** {@return the last lines of a log} */
    static String tail(Path output) {
        try (Stream<String> lines = Files.lines(output)) {
            List<String> all = lines.toList();
            return String.join("\n", all.subList(Math.max(0, all.size() - TAIL), all.size()));
        } catch (IOException | UncheckedIOException e) {
            return "(no output: " + e.getMessage() + ")";
        }
    }
}

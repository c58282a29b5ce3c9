package dev.pawl.testkit.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A running server. It dies with this process, however that ends: a shell that reads our pipe to its end kills it. */
final class ServerProcess {
    /** Starts the server, and waits in the background for the end of standard input to kill it. */
    private static final String WATCHDOG = """
            exec 3<&0
            "$@" </dev/null 3<&- &
            server=$!
            ( cat <&3 >/dev/null; kill -9 $server ) 2>/dev/null &
            exec 3<&-
            wait $server
            """;

    private final Process process;
    private final Path output;

    private ServerProcess(Process process, Path output) {
        this.process = process;
        this.output = output;
    }

    static ServerProcess start(List<String> command, Path output) {
        List<String> watched = new ArrayList<>(List.of("sh", "-c", WATCHDOG, "pawl-test-server"));
        watched.addAll(command);
        try {
            Process process = new ProcessBuilder(watched)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()))
                    .start();
            return new ServerProcess(process, output);
        } catch (IOException e) {
            throw new ServerException("cannot start " + command.get(0) + ": is there a POSIX shell (sh)?", e);
        }
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Ends the whole family at once. */
    void kill() {
        List<ProcessHandle> family = process.descendants().toList();
        family.forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        try {
            process.waitFor(10, TimeUnit.SECONDS);
            for (ProcessHandle member : family) {
                member.onExit().get(10, TimeUnit.SECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (java.util.concurrent.ExecutionException | java.util.concurrent.TimeoutException e) {
            throw new ServerException("the server did not die", e);
        }
    }

    /** {@return the last lines that it wrote} */
    String tail() {
        return tail(output);
    }

    static String tail(Path output) {
        try (Stream<String> lines = Files.lines(output)) {
            List<String> all = lines.toList();
            return String.join("\n", all.subList(Math.max(0, all.size() - 20), all.size()));
        } catch (IOException | java.io.UncheckedIOException e) {
            return "(no output: " + e.getMessage() + ")";
        }
    }

    /** Runs a program to its end; its output goes into the error if it fails. */
    static void run(List<String> command, Path output) {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .redirectInput(
                            ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                    .start();
            if (!process.waitFor(120, TimeUnit.SECONDS) || process.exitValue() != 0) {
                process.destroyForcibly();
                throw new ServerException(command.get(0) + " failed:\n" + tail(output));
            }
        } catch (IOException e) {
            throw new ServerException("cannot run " + command.get(0), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ServerException("interrupted while running " + command.get(0), e);
        }
    }
}

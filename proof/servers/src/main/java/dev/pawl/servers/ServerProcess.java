package dev.pawl.servers;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A running server. A shell starts the server and reads a pipe from this JVM. A line means "kill the server". The end of the pipe means
 * that the server was closed or that this JVM has died in any way. Then the shell kills the server and also deletes its folder.
 *
 * <p>The server is halted before its children are listed, so that it cannot start another child that is missed. PostgreSQL's shared memory
 * outlives a kill; the seventh line of its postmaster.pid identifies it. The server has its own session, so that the terminal's Ctrl-C only
 * reaches this JVM.
 */
final class ServerProcess {
    private static final String KEEPER = """
            folder=$1
            shift
            exec 3<&0
            "$@" </dev/null 3<&- &
            server=$!
            (
                read -r order <&3 || order=discard
                trap '' TERM
                kill -STOP $server
                kill -9 $(cat /proc/$server/task/$server/children) $server
                ipcrm -m $(sed -n '7s/.* //p' "$folder/data/postmaster.pid")
                if [ "$order" = discard ]; then
                    rm -rf "$folder" || { sleep 2; rm -rf "$folder"; }
                fi
            ) >/dev/null 2>&1 &
            keeper=$!
            exec 3<&-
            wait $server
            status=$?
            kill $keeper
            exit $status
            """;

    private static final Duration DEATH = Duration.ofSeconds(20);

    private final Process process;
    private final Path output;

    private ServerProcess(Process process, Path output) {
        this.process = process;
        this.output = output;
    }

    /** Starts the server in this folder; its log is the file "output" in it. */
    static ServerProcess start(List<String> command, Path folder) {
        List<String> kept = new ArrayList<>();
        if (Programs.exists("setsid")) {
            kept.add("setsid");
        }
        kept.addAll(List.of("sh", "-c", KEEPER, "pawl-test-server", folder.toString()));
        kept.addAll(command);
        Path output = folder.resolve("output");
        try {
            Process process = new ProcessBuilder(kept)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()))
                    .start();
            return new ServerProcess(process, output);
        } catch (IOException e) {
            throw new ServerException(
                    "cannot start " + command + " (" + e.getMessage() + "): is there a POSIX shell (sh) on the PATH?",
                    e);
        }
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** {@return the last lines of the server's log} */
    String tail() {
        return Programs.tail(output);
    }

    /** Kills all processes of the server at once and waits until they have ended. */
    void kill() {
        end("kill\n");
    }

    /** Kills the server and deletes its folder. */
    void discard() {
        end("");
    }

    private void end(String order) {
        List<ProcessHandle> family = new ArrayList<>(process.descendants().toList());
        family.add(process.toHandle());
        try (OutputStream pipe = process.getOutputStream()) {
            pipe.write(order.getBytes(StandardCharsets.US_ASCII));
        } catch (IOException ended) {
            // The shell has ended, and so has the server that it waited for.
        }
        long deadline = System.nanoTime() + DEATH.toNanos();
        while (!family.stream().allMatch(ServerProcess::isGone)) {
            if (System.nanoTime() - deadline > 0) {
                throw new ServerException("these processes of a server do not die: " + family);
            }
            pause();
        }
    }

    /** In a container whose first process is not an init, dead processes remain as zombies. */
    static boolean isGone(ProcessHandle member) {
        if (!member.isAlive()) {
            return true;
        }
        try {
            return Files.readString(Path.of("/proc", Long.toString(member.pid()), "stat"))
                    .contains(") Z ");
        } catch (IOException noSuchProcessOrNoProc) {
            return !member.isAlive();
        }
    }

    /** Neither a starting server nor dying orphans send a signal to wait for. */
    static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(20);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ServerException("interrupted while waiting for a server", e);
        }
    }
}

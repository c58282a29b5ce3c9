package dev.pawl.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Runs shell commands in their own process groups, if {@code setsid} is available. The terminal sends Ctrl-C only to the worker's group, so
 * the commands can go on during the worker's grace time. A second shell, the guard, reads the id of each group from a pipe and kills groups
 * on request. When the worker dies, the pipe ends, and the guard kills all remaining groups. Thread-safe.
 */
final class ProcessGroups {
    /** Lines are: + to guard a group, - to forget it, k to kill it. */
    private static final String GUARD = """
            live=' '
            while read -r what group; do
                case $what in
                    +) live="$live$group " ;;
                    -) case $live in *" $group "*) live="${live%% $group *} ${live#* $group }" ;; esac ;;
                    k) kill -s KILL -- "-$group" 2>/dev/null ;;
                esac
            done
            for group in $live; do kill -s KILL -- "-$group" 2>/dev/null; done
            """;

    /** Begins the command when {@link #guard} sends a line. If the worker dies first, the command never begins. */
    private static final String WAIT_FOR_GUARD = "read -r go && exec sh -c \"$1\"";

    private static final boolean SETSID = isInstalled("setsid");

    private static @Nullable ProcessGroups shared;

    private final Process guard;

    private ProcessGroups() throws IOException {
        guard = new ProcessBuilder("setsid", "sh", "-c", GUARD)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    /** {@return the command line that starts a shell command in its own group; {@link #guard} lets it begin} */
    static List<String> command(String command) {
        return SETSID ? List.of("setsid", "sh", "-c", WAIT_FOR_GUARD, "sh", command) : List.of("sh", "-c", command);
    }

    private static boolean isInstalled(String program) {
        String path = System.getenv("PATH");
        return path != null
                && List.of(path.split(":", -1)).stream()
                        .anyMatch(folder -> Files.isExecutable(Path.of(folder.isEmpty() ? "." : folder, program)));
    }

    /** Lets a command begin; its group is killed when this program dies. */
    static void guard(Process process) throws IOException {
        if (SETSID) {
            report('+', process);
            process.getOutputStream().write('\n');
            process.getOutputStream().flush();
        }
    }

    /** Stops guarding a process that has ended by itself, so that its background processes can continue. */
    static void forget(Process process) {
        report('-', process);
    }

    /** Kills a command and all its descendants. */
    static void kill(Process process) {
        report('k', process);
        report('-', process);
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }

    private static synchronized void report(char what, Process process) {
        if (!SETSID) {
            return;
        }
        try {
            if (shared == null || !shared.guard.isAlive()) {
                shared = new ProcessGroups();
            }
            OutputStream pipe = shared.guard.getOutputStream();
            pipe.write((what + " " + process.pid() + "\n").getBytes(StandardCharsets.US_ASCII));
            pipe.flush();
        } catch (IOException noGuard) {
            shared = null; // commands run without a guard; the next report starts one
        }
    }
}

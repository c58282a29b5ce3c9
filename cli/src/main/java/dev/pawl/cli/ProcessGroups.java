package dev.pawl.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Shell commands in process groups of their own, if {@code setsid} is there: Ctrl-C, which the terminal sends to the
 * worker's group, leaves them to the worker's grace time. A small shell beside them, the guard, learns of every group
 * through a pipe, kills those that it is told to, and kills all that are left when the pipe ends because the worker has
 * died. Thread-safe.
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

    /** Begins when told to, so that no command runs unguarded: the pipe breaks if the worker dies first. */
    private static final String HELD_BACK = "read -r go && exec sh -c \"$1\"";

    private static final boolean SETSID = isInstalled("setsid");

    private static @Nullable ProcessGroups shared;

    private final Process guard;

    private ProcessGroups() throws IOException {
        guard = new ProcessBuilder("setsid", "sh", "-c", GUARD)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    /** {@return how to start a shell command in a group of its own; {@link #guard} lets it begin} */
    static List<String> command(String command) {
        return SETSID ? List.of("setsid", "sh", "-c", HELD_BACK, "sh", command) : List.of("sh", "-c", command);
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
            tell('+', process);
            process.getOutputStream().write('\n');
            process.getOutputStream().flush();
        }
    }

    /** The process has ended by itself; what it left behind on purpose goes on. */
    static void forget(Process process) {
        tell('-', process);
    }

    /** Kills a command and everything that it has started. */
    static void kill(Process process) {
        tell('k', process);
        tell('-', process);
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }

    private static synchronized void tell(char what, Process process) {
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
            shared = null; // commands run all the same; the next one tries again
        }
    }
}

package dev.pawl.servers.process;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A child JVM with this JVM's class path. Its output, standard and error, goes to a file. It dies with this JVM, even
 * if that is killed, unless it is {@linkplain #pause paused} at that moment. Thread-safe.
 */
public final class JavaProcess implements AutoCloseable {
    /** The hundreds of children live too briefly for optimised compilation to pay off. */
    private static final List<String> QUICK_START = List.of(
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-XX:+IgnoreUnrecognizedVMOptions",
            "-XX:+UnlockDiagnosticVMOptions",
            "-XX:-BytecodeVerificationRemote");

    private static final String USUAL_HEAP = "256m";
    private static @Nullable ClassArchive archive;

    private final String name;
    private final Process process;
    private final Path output;

    private JavaProcess(String name, Process process, Path output) {
        this.name = name;
        this.process = process;
        this.output = output;
    }

    /**
     * Starts a process for tests: quick to start, without optimised compilation.
     *
     * @param main the class to run; it need not be public
     * @param environment added to that of this JVM
     * @param arguments of the program
     * @return the started process
     */
    public static JavaProcess start(Class<?> main, Map<String, String> environment, String... arguments) {
        return start(USUAL_HEAP, main, environment, arguments);
    }

    /**
     * Starts a process for measurements: slower to start, with normal speed.
     *
     * @param main the class to run; it need not be public
     * @param environment added to that of this JVM
     * @param arguments of the program
     * @return the started process
     */
    public static JavaProcess startFast(Class<?> main, Map<String, String> environment, String... arguments) {
        List<String> command = jvm();
        command.addAll(List.of("-Xmx" + USUAL_HEAP, "-XX:+UseSerialGC", "-cp", classPath()));
        return start(command, main, environment, arguments);
    }

    /**
     * @param heap maximum heap, as in {@code -Xmx}
     * @param main the class to run; it need not be public
     * @param arguments of the program
     * @return the started process
     */
    public static JavaProcess startWithHeap(String heap, Class<?> main, String... arguments) {
        return start(heap, main, Map.of(), arguments);
    }

    /**
     * Starts a process that simulates another build of the program.
     *
     * @param folder prepended to the class path, so that its files hide files with the same name on this JVM's class path
     * @param main the class to run; it need not be public
     * @param environment added to that of this JVM
     * @param arguments of the program
     * @return the started process
     */
    public static JavaProcess startOtherBuild(
            Path folder, Class<?> main, Map<String, String> environment, String... arguments) {
        List<String> command = quickJvm();
        command.addAll(List.of("-Xmx" + USUAL_HEAP, "-cp", folder + File.pathSeparator + classPath()));
        return start(command, main, environment, arguments);
    }

    private static JavaProcess start(String heap, Class<?> main, Map<String, String> environment, String... arguments) {
        List<String> command = quickJvm();
        command.add("-Xmx" + heap);
        try {
            ClassArchive archive = archive();
            command.addAll(archive.options());
            command.addAll(List.of("-cp", archive.classPath()));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write to " + System.getProperty("java.io.tmpdir"), e);
        }
        return start(command, main, environment, arguments);
    }

    private static synchronized ClassArchive archive() throws IOException {
        ClassArchive known = archive;
        if (known == null) {
            known = new ClassArchive(quickJvm(), classPath());
            archive = known;
        }
        return known;
    }

    static List<String> quickJvm() {
        List<String> command = jvm();
        command.addAll(QUICK_START);
        return command;
    }

    private static List<String> jvm() {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(option -> option.startsWith("--enable-native-access"))
                .forEach(command::add);
        command.add("-Djava.io.tmpdir=" + System.getProperty("java.io.tmpdir"));
        return command;
    }

    private static JavaProcess start(
            List<String> jvm, Class<?> main, Map<String, String> environment, String... arguments) {
        List<String> command = new ArrayList<>(jvm);
        try {
            Path output = Files.createTempFile("pawl-child-", ".log");
            output.toFile().deleteOnExit();
            command.addAll(List.of(Tethered.class.getName(), output.toString(), main.getName()));
            command.addAll(Arrays.asList(arguments));
            ProcessBuilder builder =
                    new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
            builder.environment().putAll(environment);
            return new JavaProcess(main.getName(), builder.start(), output);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start " + main.getName() + " in a JVM of its own", e);
        }
    }

    /** Surefire may start its JVM with a jar that only references the class path. It puts the real class path into a system property. */
    static String classPath() {
        return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    }

    /** {@return the process id} */
    public long pid() {
        return process.pid();
    }

    /** Kills the process like {@code kill -9}, and waits until it has ended. */
    public void kill() {
        process.destroyForcibly();
        try {
            process.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Requests the end of the process, like {@code kill}. */
    public void terminate() {
        process.toHandle().destroy(); // Process.destroy would also close its standard input, which halts it
    }

    /** Suspends the process (SIGSTOP): it does not run, and does not notice that this JVM has ended. */
    public void pause() {
        signal("STOP");
    }

    /** Continues the process (SIGCONT). */
    public void resume() {
        signal("CONT");
    }

    private void signal(String signal) {
        try {
            int exit = new ProcessBuilder("kill", "-" + signal, Long.toString(pid()))
                    .inheritIO()
                    .start()
                    .waitFor();
            if (exit != 0) {
                throw new IllegalStateException("kill -" + signal + " " + pid() + " ended with " + exit);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot run the program kill: install procps, and put it on the PATH", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while " + name + " was sent " + signal, e);
        }
    }

    /** {@return whether the process is running} */
    public boolean isAlive() {
        return process.isAlive();
    }

    /**
     * Waits for the end of the process.
     *
     * @param timeout maximum wait
     * @return its exit code
     * @throws IllegalStateException if it still runs
     */
    public int waitFor(Duration timeout) {
        try {
            if (!process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new IllegalStateException(name + " still runs after " + timeout + ":\n" + tail(50));
            }
            return process.exitValue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for the end of " + name, e);
        }
    }

    /**
     * Waits until the process has written a complete line that contains a text.
     *
     * @param text to search for
     * @param timeout maximum wait
     * @return the first such line
     * @throws IllegalStateException if the line does not appear in time, or the process ends without it; the message has the end of the
     *     output
     */
    public String awaitOutput(String text, Duration timeout) {
        long deadline = System.nanoTime() + timeout.toNanos();
        while (true) {
            boolean alive = isAlive(); // checked before its output is read, so that its last lines count
            Optional<String> line =
                    wholeLines().filter(found -> found.contains(text)).findFirst();
            if (line.isPresent()) {
                return line.get();
            }
            if (!alive || System.nanoTime() - deadline > 0) {
                throw new IllegalStateException("waited " + timeout + " for '" + text + "' from " + name + ", which "
                        + (alive ? "runs" : "has ended with " + process.exitValue()) + " and wrote:\n" + tail(50));
            }
            try {
                TimeUnit.MILLISECONDS.sleep(20); // a file sends no signal to wait for
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted while waiting for '" + text + "' from " + name, e);
            }
        }
    }

    private Stream<String> wholeLines() {
        String all = output();
        return all.substring(0, all.lastIndexOf('\n') + 1).lines();
    }

    Path outputFile() {
        return output;
    }

    /** {@return all its output} */
    public String output() {
        try {
            return Files.readString(output);
        } catch (IOException e) {
            return "(no output: " + e.getMessage() + ")";
        }
    }

    /**
     * @param lines maximum number
     * @return the last lines of its output
     */
    public String tail(int lines) {
        List<String> all = output().lines().toList();
        return String.join("\n", all.subList(Math.max(0, all.size() - lines), all.size()));
    }

    /** Kills the process and deletes its output. */
    @Override
    public void close() {
        kill();
        try {
            Files.deleteIfExists(output);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot delete " + output, e);
        }
    }
}

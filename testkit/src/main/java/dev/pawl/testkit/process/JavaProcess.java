package dev.pawl.testkit.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A child JVM with this JVM's class path. Its output goes to a file. Thread-safe. */
public final class JavaProcess implements AutoCloseable {
    private final Process process;
    private final Path output;

    private JavaProcess(Process process, Path output) {
        this.process = process;
        this.output = output;
    }

    /**
     * @param main the class to run
     * @param environment added to ours
     * @param arguments of the program
     * @return the started process
     */
    public static JavaProcess start(Class<?> main, Map<String, String> environment, String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(Arrays.asList(arguments));
        try {
            Path output = Files.createTempFile("pawl-child-", ".log");
            ProcessBuilder builder =
                    new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
            builder.environment().putAll(environment);
            return new JavaProcess(builder.start(), output);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start " + main.getName() + " in a process of its own", e);
        }
    }

    /** Ends it as {@code kill -9} does, and waits until it is gone. */
    public void kill() {
        process.destroyForcibly();
        try {
            process.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Asks it to end, as {@code kill} does. */
    public void terminate() {
        process.destroy();
    }

    /** Halts it (SIGSTOP): it neither runs nor dies. */
    public void pause() {
        signal("STOP");
    }

    /** Lets it run on (SIGCONT). */
    public void resume() {
        signal("CONT");
    }

    private void signal(String name) {
        try {
            int exit = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                    .inheritIO()
                    .start()
                    .waitFor();
            if (exit != 0) {
                throw new IllegalStateException("kill -" + name + " " + process.pid() + " ended with " + exit);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot run kill", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** {@return whether it runs} */
    public boolean isAlive() {
        return process.isAlive();
    }

    /**
     * Waits for its end.
     *
     * @param timeout how long
     * @return its exit code
     * @throws IllegalStateException if it still runs
     */
    public int waitFor(Duration timeout) {
        try {
            if (!process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new IllegalStateException("the process still runs after " + timeout + ":\n" + output());
            }
            return process.exitValue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    /**
     * Waits until it has written a line that contains a text.
     *
     * @param text to look for
     * @param timeout how long
     * @throws IllegalStateException if it does not come, with all that was written
     */
    public void awaitOutput(String text, Duration timeout) {
        long deadline = System.nanoTime() + timeout.toNanos();
        while (!output().contains(text)) {
            if (!process.isAlive() || System.nanoTime() - deadline > 0) {
                throw new IllegalStateException("waited for '" + text + "', got:\n" + output());
            }
            try {
                TimeUnit.MILLISECONDS.sleep(20); // a file gives no signal to wait for
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted", e);
            }
        }
    }

    /** {@return all that it has written} */
    public String output() {
        try {
            return Files.readString(output);
        } catch (IOException e) {
            return "(no output: " + e.getMessage() + ")";
        }
    }

    /** Kills it and deletes its output. */
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

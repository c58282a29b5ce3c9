package dev.pawl.lab.run;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The environment of the measurements.
 *
 * @param at when it began
 * @param commit of the checkout; "unknown" without one
 * @param java version and vendor
 * @param javaOptions of the lab's process
 * @param system name, version and architecture
 * @param cpu model
 * @param cores available to the lab; clients and embedded servers share them
 * @param memoryMiB of the machine
 * @param heapMiB maximum heap of the lab
 * @param disk type of the file system of the temporary folder, where embedded servers keep their data
 * @param fsyncMicros median time to force a small write there
 */
public record Environment(
        String at,
        String commit,
        String java,
        String javaOptions,
        String system,
        String cpu,
        int cores,
        long memoryMiB,
        long heapMiB,
        String disk,
        double fsyncMicros) {
    /** {@return the current environment} */
    public static Environment here() {
        Runtime runtime = Runtime.getRuntime();
        return new Environment(
                Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(),
                checkedOut(),
                System.getProperty("java.vendor") + " " + System.getProperty("java.runtime.version"),
                String.join(
                        " ",
                        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                                .filter(option -> option.startsWith("-X"))
                                .toList()),
                System.getProperty("os.name") + " " + System.getProperty("os.version") + " "
                        + System.getProperty("os.arch"),
                line("/proc/cpuinfo", "model name"),
                runtime.availableProcessors(),
                memory(),
                runtime.maxMemory() >> 20,
                fileSystem(),
                Disk.fsyncMicros());
    }

    /** {@return the differences except the time, as text: trials in different environments do not belong to one run} */
    List<String> differences(Environment other) {
        List<String> differences = new ArrayList<>();
        differ(differences, "commit of Pawl", commit, other.commit);
        differ(differences, "Java", java + javaOptions + heapMiB, other.java + other.javaOptions + other.heapMiB);
        differ(
                differences,
                "machine",
                system + cpu + cores + " " + memoryMiB,
                other.system + other.cpu + other.cores + " " + other.memoryMiB);
        differ(differences, "disk", disk, other.disk);
        return differences;
    }

    private static void differ(List<String> differences, String what, String one, String other) {
        if (!one.equals(other)) {
            differences.add(what);
        }
    }

    /** A commit is meaningless if the sources have changed since, so the text also says whether they have. */
    private static String checkedOut() {
        String commit = output("git", "rev-parse", "--short=12", "HEAD");
        if (commit.isEmpty()) {
            return "unknown";
        }
        String changes = output("git", "status", "--porcelain", "--", "*/src/main", "*pom.xml", "pawl");
        return changes.isEmpty()
                ? commit
                : commit + " with changes "
                        + Integer.toHexString(
                                (changes + output("git", "diff", "HEAD", "--", "*/src/main", "*pom.xml", "pawl"))
                                        .hashCode());
    }

    private static String output(String... command) {
        try {
            Process process = new ProcessBuilder(command)
                    .directory(Path.of(System.getProperty("pawl.home", ".")).toFile())
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            return process.waitFor(10, TimeUnit.SECONDS) && process.exitValue() == 0 ? output : "";
        } catch (IOException noGit) {
            return "";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "";
        }
    }

    private static String line(String file, String key) {
        try {
            return Files.readAllLines(Path.of(file)).stream()
                    .filter(line -> line.startsWith(key))
                    .findFirst()
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .orElse("unknown");
        } catch (IOException notLinux) {
            return "unknown";
        }
    }

    private static long memory() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof com.sun.management.OperatingSystemMXBean system
                ? system.getTotalMemorySize() >> 20
                : 0;
    }

    private static String fileSystem() {
        try {
            return Files.getFileStore(Path.of(System.getProperty("java.io.tmpdir")))
                    .type();
        } catch (IOException e) {
            return "unknown";
        }
    }
}

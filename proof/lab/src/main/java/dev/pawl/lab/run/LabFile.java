package dev.pawl.lab.run;

import dev.pawl.lab.contender.Contenders;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * A whole run: everything needed to repeat it, and its results. A file contains one run, and is complete at every moment.
 *
 * @param format {@value #FORMAT}
 * @param command that created it
 * @param environment of the run
 * @param targets by the name of the database
 * @param settings of each system on each database, as text, by {@code database/system}
 * @param plan of the run
 * @param skipped requested but impossible cells, with the reason
 * @param trials that are done
 * @param deadlocks as the servers listed them, at most one for each system on each database
 */
public record LabFile(
        String format,
        String command,
        Environment environment,
        Map<String, TargetFacts> targets,
        Map<String, String> settings,
        Plan plan,
        List<String> skipped,
        List<Trial> trials,
        List<DeadlockListing> deadlocks) {
    /** The format of this version. */
    public static final String FORMAT = "pawl-lab-1";

    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(SerializationFeature.INDENT_OUTPUT)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    /**
     * The plan of a run.
     *
     * @param cells of the matrix
     * @param rounds repetitions of each, interleaved
     * @param warmUp jobs that each system runs once on each database before the measurement
     * @param delayed number of jobs of {@link Cell.Disturbance#DELAYED}
     * @param leaseMillis length of leases in {@link Cell.Measure#RECOVERY}
     * @param backlog number of jobs of {@link Cell.Disturbance#BACKLOG}; null if there is none
     * @param loadSeconds duration of {@link Cell.Measure#LOAD}; null if it is not measured
     * @param settleSeconds maximum time, before a drain, for servers to finish background work for the enqueued jobs;
     *     null to begin at once
     */
    public record Plan(
            List<Cell> cells,
            int rounds,
            int warmUp,
            int delayed,
            long leaseMillis,
            @Nullable Integer backlog,
            @Nullable Integer loadSeconds,
            @Nullable Integer settleSeconds) {
        int backlogJobs() {
            return backlog == null ? 0 : backlog;
        }

        int secondsOfLoad() {
            return loadSeconds == null ? 1 : loadSeconds;
        }
    }

    /**
     * A database.
     *
     * @param product postgresql, mariadb, mysql or sqlite
     * @param version of server and driver
     * @param ours whether its processes run on this machine and are known, so that their CPU time counts
     * @param variables settings that affect results
     */
    public record TargetFacts(String product, String version, boolean ours, Map<String, String> variables) {}

    /**
     * @param file to read
     * @return the run in it
     * @throws IOException if it does not contain a run; the message says why
     */
    public static LabFile read(Path file) throws IOException {
        if (!Files.isRegularFile(file)) {
            throw new IOException(file + " is not there: give a file that 'pawl lab run' has written");
        }
        try {
            @Nullable LabFile run = JSON.readValue(text(file), LabFile.class);
            if (run == null || !FORMAT.equals(run.format)) {
                throw new IOException(file + " is not a file of 'pawl lab run' (format " + FORMAT + ")");
            }
            run.requireWhole(file);
            return run;
        } catch (JacksonException e) {
            throw new IOException(file + " is not a file of 'pawl lab run': " + e.getOriginalMessage(), e);
        }
    }

    /** The file may have been edited, or written by another version. */
    @SuppressWarnings("ConstantValue") // JSON has no types that are never null
    private void requireWhole(Path file) throws IOException {
        if (Stream.of(command, environment, targets, settings, plan, skipped, trials, deadlocks)
                .anyMatch(Objects::isNull)) {
            throw new IOException(file + " lacks parts of a file of 'pawl lab run': it was cut off, or edited");
        }
        for (Cell cell : plan.cells()) {
            try {
                Contenders.Family unused = Contenders.family(cell.system());
            } catch (IllegalArgumentException e) {
                throw new IOException(
                        file + " contains a system that this version does not know: " + e.getMessage(), e);
            }
        }
    }

    /** Long-term files are compressed. */
    private static byte[] text(Path file) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        if (!file.toString().endsWith(".gz")) {
            return bytes;
        }
        try (GZIPInputStream unpacked = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
            return unpacked.readAllBytes();
        } catch (ZipException | EOFException e) {
            throw new IOException(file + " is named as a file of gzip, but is none", e);
        }
    }

    /** Removes failed trials, so that they are repeated. */
    LabFile withoutFailures() {
        return new LabFile(
                format,
                command,
                environment,
                targets,
                settings,
                plan,
                skipped,
                trials.stream().filter(trial -> trial.failure() == null).toList(),
                deadlocks);
    }

    LabFile with(Trial trial) {
        List<Trial> more = new ArrayList<>(trials);
        more.add(trial);
        return new LabFile(format, command, environment, targets, settings, plan, skipped, more, deadlocks);
    }

    LabFile with(String system, String words) {
        Map<String, String> more = new TreeMap<>(settings);
        more.put(system, words);
        return new LabFile(format, command, environment, targets, more, plan, skipped, trials, deadlocks);
    }

    /** Keeps the newest listing of each system on each database. */
    LabFile with(DeadlockListing listing) {
        List<DeadlockListing> more = new ArrayList<>(deadlocks);
        more.removeIf(
                old -> old.database().equals(listing.database()) && old.system().equals(listing.system()));
        more.add(listing);
        return new LabFile(format, command, environment, targets, settings, plan, skipped, trials, more);
    }

    /** Replaces the file atomically, so that a crash leaves either the old one or the new one. */
    void write(Path file) throws IOException {
        Path part = file.resolveSibling(file.getFileName() + ".part");
        try (FileChannel channel = FileChannel.open(
                part, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            ByteBuffer text = ByteBuffer.wrap(JSON.writeValueAsBytes(this));
            while (text.hasRemaining()) {
                int unused = channel.write(text);
            }
            channel.force(true);
        }
        Files.move(part, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    }
}

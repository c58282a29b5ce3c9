package dev.pawl.conformance.chaos;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The logs of all processes' handlers, read as the intervals in which a job ran. */
final class RunLogFile {
    /**
     * The end of a run whose handler was killed. The real end of such a run does not matter, because the next run may start only after the
     * lease of the killed run has expired.
     */
    private static final long KILLED = Long.MIN_VALUE;

    private record Run(long token, long begin, long end) {}

    /**
     * A run whose transaction has committed.
     *
     * @param nanos when the commit had returned
     */
    record Commit(long job, long token, long nanos) {}

    /** The start of a run: the token of its claim, and the payload that its job had. */
    private record Begun(long job, long token, String payload) {}

    private final Map<Long, List<Run>> runsByJob = new HashMap<>();
    private final Set<Begun> begins = new HashSet<>();
    private final List<Commit> commits = new ArrayList<>();

    /** {@link System#nanoTime} is one clock for all processes of a Linux machine since its boot. */
    RunLogFile(List<Path> files) throws IOException {
        for (Path file : files) {
            if (!Files.exists(file)) {
                continue; // killed before it had opened its log, or all jobs were done before
            }
            Map<String, Long> begun = new HashMap<>();
            for (String line : Files.readAllLines(file)) {
                String[] words = line.split(" ", -1);
                if (words.length != 5 || words[0].equals("refused")) {
                    continue; // cut off by the kill, or not about a run
                }
                String key = words[1] + " " + words[2];
                if (words[0].equals("begin")) {
                    begins.add(new Begun(Long.parseLong(words[1]), Long.parseLong(words[2]), words[4]));
                    begun.put(key, Long.parseLong(words[3]));
                } else {
                    long nanos = Long.parseLong(words[3]);
                    add(key, begun.remove(key), nanos);
                    if (words[0].equals("done")) {
                        commits.add(new Commit(Long.parseLong(words[1]), Long.parseLong(words[2]), nanos));
                    }
                }
            }
            begun.forEach((key, begin) -> add(key, begin, KILLED));
        }
    }

    private void add(String key, @Nullable Long begin, long end) {
        if (begin != null) {
            String[] words = key.split(" ", -1);
            runsByJob
                    .computeIfAbsent(Long.parseLong(words[0]), id -> new ArrayList<>())
                    .add(new Run(Long.parseLong(words[1]), begin, end));
        }
    }

    /** {@return whether a run of the job began with this token and payload} */
    boolean hasRun(long job, long token, String payload) {
        return begins.contains(new Begun(job, token, payload));
    }

    /** {@return the runs whose transactions have committed} */
    List<Commit> commits() {
        return List.copyOf(commits);
    }

    /**
     * {@return how many runs had another payload than the job that has the same id now} The jobs of these runs were lost, and their ids
     * were given to other jobs.
     *
     * @param payload of each job
     */
    long runsOfLostJobs(Map<Long, String> payload) {
        return begins.stream()
                .filter(run -> !run.payload.equals(payload.getOrDefault(run.job, run.payload)))
                .count();
    }

    int jobs() {
        return runsByJob.size();
    }

    long runs() {
        return runsByJob.values().stream().mapToLong(List::size).sum();
    }

    /** {@return descriptions of every case in which two runs of a job overlap, or one token was run twice} */
    List<String> violations() {
        List<String> violations = new ArrayList<>();
        runsByJob.forEach((job, unsorted) -> {
            List<Run> runs = new ArrayList<>(unsorted);
            runs.sort((a, b) -> Long.compare(a.begin, b.begin));
            for (int i = 1; i < runs.size(); i++) {
                Run before = runs.get(i - 1);
                Run next = runs.get(i);
                if (next.token <= before.token) {
                    violations.add("job " + job + ": token " + next.token + " ran after token " + before.token);
                }
                if (before.end != KILLED && next.begin < before.end) {
                    violations.add("job " + job + ": " + next + " began before the end of " + before);
                }
            }
        });
        return violations;
    }
}

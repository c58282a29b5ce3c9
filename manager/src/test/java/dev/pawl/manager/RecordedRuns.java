package dev.pawl.manager;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** Evaluates the workers' records of their runs. All times are on the monotonic clock that the programs of a machine share. */
final class RecordedRuns {
    /** The offset from the shell worker's clock, which counts hundredths of a second since the machine was started, to {@code nanoTime}. */
    private final long shellClock = System.nanoTime() - uptime();

    private final Map<Path, List<Long>> kills = new HashMap<>();
    private final List<Run> runs = new ArrayList<>();
    private final Map<String, Integer> cutShort = new TreeMap<>();

    record Run(long job, long token, String where, long begin, long end) {}

    private static long uptime() {
        try {
            return (long) (Double.parseDouble(
                            Files.readString(Path.of("/proc/uptime")).split(" ", -1)[0])
                    * 1e9);
        } catch (IOException e) {
            return 0; // without it there is no shell worker either
        }
    }

    /** Records that a kill has ended every run of a log's worker. */
    void killed(Path log) {
        kills.computeIfAbsent(log, path -> new ArrayList<>()).add(System.nanoTime());
    }

    void read(Path log) throws IOException {
        String where = log.getFileName().toString();
        long offset = where.equals("shell") ? shellClock : 0;
        Map<String, Long> begun = new TreeMap<>();
        for (String line : Files.exists(log) ? Files.readAllLines(log) : List.<String>of()) {
            String[] words = line.split(" ", -1);
            if (words.length != 4) {
                continue; // truncated by a kill
            }
            String key = words[1] + " " + words[2];
            long time = Long.parseLong(words[3]) + offset;
            if (words[0].equals("begin")) {
                begun.put(key, time);
                continue;
            }
            Long begin = begun.remove(key);
            if (begin != null) {
                add(key, where, begin, time);
            }
        }
        begun.forEach((key, begin) -> {
            add(key, where, begin, killAfter(log, begin));
            cutShort.merge(where, 1, Integer::sum);
        });
    }

    /** {@return how many runs a kill has interrupted, by the name of the log} */
    Map<String, Integer> cutShort() {
        return cutShort;
    }

    /** {@return whether a log's worker has a run in progress, by what it logged since its last kill} */
    boolean isRunning(Path log) throws IOException {
        long offset = log.getFileName().toString().equals("shell") ? shellClock : 0;
        long lastKill = kills.getOrDefault(log, List.of()).stream()
                .mapToLong(Long::longValue)
                .max()
                .orElse(Long.MIN_VALUE);
        Set<String> begun = new HashSet<>();
        for (String line : Files.exists(log) ? Files.readAllLines(log) : List.<String>of()) {
            String[] words = line.split(" ", -1);
            if (words.length == 4 && Long.parseLong(words[3]) + offset > lastKill) {
                String key = words[1] + " " + words[2];
                boolean unused = words[0].equals("begin") ? begun.add(key) : begun.remove(key);
            }
        }
        return !begun.isEmpty();
    }

    private long killAfter(Path log, long begin) {
        return kills.getOrDefault(log, List.of()).stream()
                .filter(kill -> kill >= begin)
                .findFirst()
                .orElseThrow(() -> new AssertionError("a run in " + log + " that never ended"));
    }

    private void add(String key, String where, long begin, long end) {
        String[] words = key.split(" ", -1);
        runs.add(new Run(Long.parseLong(words[0]), Long.parseLong(words[1]), where, begin, end));
    }

    int size() {
        return runs.size();
    }

    long longRuns() {
        return runs.stream()
                .filter(run -> run.end - run.begin >= TimeUnit.MILLISECONDS.toNanos(900))
                .count();
    }

    /** Lists runs of one job that were alive at the same time, as text. */
    List<String> overlaps() {
        Map<Long, List<Run>> byJob = new TreeMap<>();
        runs.forEach(
                run -> byJob.computeIfAbsent(run.job, job -> new ArrayList<>()).add(run));
        List<String> found = new ArrayList<>();
        byJob.forEach((job, all) -> {
            all.sort(Comparator.comparingLong(Run::begin));
            Run last = all.get(0);
            for (Run next : all.subList(1, all.size())) {
                if (next.begin < last.end) {
                    found.add(last + " and " + next + ": for " + TimeUnit.NANOSECONDS.toMillis(last.end - next.begin)
                            + " ms");
                }
                last = next.end > last.end ? next : last;
            }
        });
        return found;
    }

    /** Returns the longest time in which no run began anywhere, from the first start to the last. */
    Duration longestStall() {
        List<Long> begins = runs.stream().map(Run::begin).sorted().toList();
        long longest = 0;
        for (int i = 1; i < begins.size(); i++) {
            longest = Math.max(longest, begins.get(i) - begins.get(i - 1));
        }
        return Duration.ofNanos(longest);
    }
}

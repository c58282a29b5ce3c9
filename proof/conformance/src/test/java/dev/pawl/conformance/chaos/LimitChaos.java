package dev.pawl.conformance.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.JobQueue;
import dev.pawl.admin.JobFilter;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.JobState;
import dev.pawl.limit.Limit;
import dev.pawl.servers.Delay;
import dev.pawl.servers.TestDatabase;
import dev.pawl.servers.process.JavaProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/** Processes with limits are killed and halted: the handlers' logs must show that no limit is ever exceeded. */
final class LimitChaos {
    private static final Duration SOON = Duration.ofSeconds(60);
    /** A long time, because on a busy machine few jobs start under a rate, as the manual says. */
    private static final Duration AT_LAST = Duration.ofMinutes(4);

    private static final int AT_ONCE = 3;
    private static final int STARTS = 40;
    private static final int TURNS = 6;
    private static final int JOBS = 400;
    private static final int KEYS = 12;
    private static final int KEYED = 240;
    private static final int STARTS_OF_KEY = 10;
    private static final int PACED = 160;
    private static final int PACED_KEYS = 4;
    private static final int CALLED = 10;
    private static final int CALLED_ATTEMPTS = 8;

    private static final long SLACK = Victim.SLACK;

    private final AtomicInteger keys = new AtomicInteger();

    private final Path folder;
    private final List<String> urls;

    /**
     * @param folder for the handlers' logs
     * @param urls of the same database, assigned to the processes in turn
     */
    LimitChaos(Path folder, List<String> urls) {
        this.folder = folder;
        this.urls = urls;
    }

    void disturb(TestDatabase database) throws Exception {
        List<Victim> all = new ArrayList<>();
        List<Victim> live = new ArrayList<>();
        try (HikariDataSource pool = database.newDataSource(3);
                JobQueue queue = JobQueue.open(pool)) {
            queue.limits().set(Limit.kind("counted").atOnce(AT_ONCE));
            queue.limits().set(Limit.kind("rated").rate(STARTS, Duration.ofSeconds(1)));
            queue.limits()
                    .set(Limit.keysOf("paced")
                            .rate(STARTS_OF_KEY, Duration.ofSeconds(1))
                            .atOnce(STARTS_OF_KEY));
            queue.enqueueAll(
                    LimitedWorker.PACED,
                    IntStream.range(0, PACED).mapToObj(i -> "x").toList(),
                    text -> LimitedWorker.PACED.defaults().key("key-" + keys.incrementAndGet() % PACED_KEYS));
            queue.enqueueAll(
                    LimitedWorker.COUNTED,
                    IntStream.range(0, JOBS).mapToObj(i -> "x").toList());
            queue.enqueueAll(
                    LimitedWorker.RATED,
                    IntStream.range(0, JOBS).mapToObj(i -> "x").toList());
            queue.enqueueAll(
                    LimitedWorker.KEYED,
                    IntStream.range(0, KEYED).mapToObj(i -> "x").toList(),
                    text -> EnqueueOptions.DEFAULTS.key("key-" + keys.incrementAndGet() % KEYS));
            Path down = Files.createFile(folder.resolve(LimitedWorker.DOWN));
            for (String tenant : List.of(LimitedWorker.DOWN, "well")) {
                queue.enqueueAll(
                        LimitedWorker.CALLED,
                        IntStream.range(0, CALLED).mapToObj(i -> "x").toList(),
                        text -> LimitedWorker.CALLED.defaults().key(tenant).maxAttempts(CALLED_ATTEMPTS));
            }
            try {
                for (int i = 0; i < 3; i++) {
                    live.add(start(all));
                }
                Random random = new Random();
                for (int turn = 0; turn < TURNS; turn++) {
                    int chosen = random.nextInt(live.size());
                    live.get(chosen).process.awaitOutput(" works", SOON);
                    Delay.random(random.nextInt(700));
                    if (turn % 3 == 0) {
                        live.get(chosen).halt(500 + random.nextInt(700));
                    } else {
                        live.get(chosen).kill();
                        live.set(chosen, start(all));
                    }
                }
                await().atMost(AT_LAST).until(() -> finished(queue) == 2 * JOBS + KEYED + PACED + CALLED);
                await("enough calls in vain, were they attempts")
                        .atMost(SOON)
                        .until(() -> calls(all).size() > CALLED + CALLED_ATTEMPTS);
                Files.delete(down);
                await("the key that works again")
                        .atMost(SOON)
                        .until(() -> finished(queue) == 2 * JOBS + KEYED + PACED + 2 * CALLED);
                meet(queue);
            } finally {
                live.forEach(Victim::kill);
            }
        }
        assertAtOnce(all);
        assertInTurn(all);
        assertRate(starts(all).getOrDefault("", List.of()), STARTS, JOBS / 2);
        assertHeld(all);
        for (int key = 0; key < PACED_KEYS; key++) {
            assertRate(starts(all).getOrDefault("key-" + key, List.of()), STARTS_OF_KEY, PACED / PACED_KEYS / 2);
        }
    }

    /**
     * Checks that each permit comes back. As many jobs as the limit allows wait for each other, so they end only if all of them run at the
     * same time. The concurrency in the logs would not prove this, because workers that are killed in turn may hold all permits.
     */
    private static void meet(JobQueue queue) {
        queue.enqueueAll(LimitedWorker.COUNTED, Collections.nCopies(AT_ONCE, "meet " + AT_ONCE));
        await("places that come back")
                .atMost(SOON)
                .until(() -> finished(queue) == 2 * JOBS + KEYED + PACED + 2 * CALLED + AT_ONCE);
    }

    private static long finished(JobQueue queue) {
        return queue.admin()
                .jobs()
                .list(JobFilter.ALL.state(JobState.COMPLETED).limit(10_000))
                .size();
    }

    private Victim start(List<Victim> all) {
        Path log = folder.resolve("log" + all.size());
        Victim victim = new Victim(
                JavaProcess.start(LimitedWorker.class, Map.of(), urls.get(all.size() % urls.size()), log.toString()),
                log);
        all.add(victim);
        return victim;
    }

    /** Checks the concurrency. A run without a logged end counts as ended when its process was dead. */
    private static void assertAtOnce(List<Victim> all) throws IOException {
        TreeMap<Long, Integer> changes = new TreeMap<>();
        int runs = 0;
        for (Victim victim : all) {
            Map<String, Long> open = new TreeMap<>();
            for (String[] line : victim.lines()) {
                long nanos = Long.parseLong(line[0]);
                if (line[1].equals("begin")) {
                    open.put(line[2], nanos);
                } else if (line[1].equals("end")) {
                    Long begun = open.remove(line[2]);
                    runs += begun == null ? 0 : add(changes, begun, nanos);
                }
            }
            for (Long begun : open.values()) {
                runs += add(changes, begun, victim.deadNanos);
            }
        }
        assertThat(runs).isGreaterThanOrEqualTo(JOBS + AT_ONCE);
        int running = 0;
        int most = 0;
        for (int change : changes.values()) {
            running += change;
            most = Math.max(most, running);
        }
        assertThat(most).as("handlers at the same time").isEqualTo(AT_ONCE);
    }

    /** Checks that each key has one run at a time, and that a job begins only after the last run of the previous job. */
    private static void assertInTurn(List<Victim> all) throws IOException {
        Map<String, TreeMap<Long, long[]>> runs = new TreeMap<>(); // by key, by start: the job and its end
        for (Victim victim : all) {
            Map<String, long[]> open = new TreeMap<>();
            for (String[] line : victim.lines()) {
                long nanos = Long.parseLong(line[0]);
                if (line[1].equals("first") && line.length > 3) {
                    long[] run = {Long.parseLong(line[2].replaceFirst("/.*", "")), victim.deadNanos};
                    open.put(line[2], run);
                    runs.computeIfAbsent(line[3], key -> new TreeMap<>()).put(nanos, run);
                } else if (line[1].equals("last") && open.containsKey(line[2])) {
                    open.getOrDefault(line[2], new long[2])[1] = nanos;
                }
            }
        }
        assertThat(runs).hasSize(KEYS);
        runs.forEach((key, inOrder) -> {
            long job = 0;
            long ended = Long.MIN_VALUE;
            for (Map.Entry<Long, long[]> run : inOrder.entrySet()) {
                assertThat(run.getKey())
                        .as("job %d of %s begins while job %d runs", run.getValue()[0], key, job)
                        .isGreaterThan(ended);
                assertThat(run.getValue()[0]).as("of %s", key).isGreaterThanOrEqualTo(job);
                job = run.getValue()[0];
                ended = run.getValue()[1];
            }
        });
    }

    private static int add(Map<Long, Integer> changes, long begun, long ended) {
        changes.merge(begun, 1, Integer::sum);
        changes.merge(ended, -1, Integer::sum);
        return 1;
    }

    /** Start times by key; starts without a key are under the empty name. */
    private static Map<String, List<Long>> starts(List<Victim> all) throws IOException {
        Map<String, List<Long>> starts = new TreeMap<>();
        for (Victim victim : all) {
            for (String[] line : victim.lines()) {
                long nanos = Long.parseLong(line[0]);
                if (victim.wasHalted(nanos)) { // it may have got its permit before the halt
                    continue;
                }
                if (line[1].equals("start")) {
                    starts.computeIfAbsent("", key -> new ArrayList<>()).add(nanos);
                } else if (line[1].equals("start-of-key") && line.length > 3) {
                    starts.computeIfAbsent(line[3], key -> new ArrayList<>()).add(nanos);
                }
            }
        }
        return starts;
    }

    /** Calls to the tenant that is down, successful or not. */
    private static List<String[]> calls(List<Victim> all) throws IOException {
        List<String[]> calls = new ArrayList<>();
        for (Victim victim : all) {
            for (String[] line : victim.lines()) {
                if (line[1].equals("call") && !victim.wasHalted(Long.parseLong(line[0]))) {
                    calls.add(line);
                }
            }
        }
        calls.sort(Comparator.comparingLong(call -> Long.parseLong(call[0])));
        return calls;
    }

    /** Checks that after a failed call no worker of the cluster calls again before the pause expires, even if the caller was killed. */
    private static void assertHeld(List<Victim> all) throws IOException {
        long earliest = Long.MIN_VALUE;
        for (String[] call : calls(all)) {
            long nanos = Long.parseLong(call[0]);
            assertThat(nanos).as("next call of a held key").isGreaterThan(earliest);
            earliest = call[2].equals("in-vain") ? nanos + LimitedWorker.HELD.toNanos() - SLACK : nanos;
        }
    }

    private static void assertRate(List<Long> starts, int most, int least) {
        assertThat(starts).hasSizeGreaterThan(least);
        starts.sort(Long::compare);
        for (int i = most; i < starts.size(); i++) {
            assertThat(starts.get(i) - starts.get(i - most))
                    .as("nanoseconds for %d starts", most + 1)
                    .isGreaterThan(TimeUnit.SECONDS.toNanos(1) - SLACK);
        }
    }
}

package dev.pawl.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.api.JobState;
import dev.pawl.api.Outcome;
import dev.pawl.internal.store.RunTimes;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RunTallyTest extends EngineFixture {
    private static long runs(RunTally tally, String kind) {
        return Arrays.stream(RunTimes.read(tally.json()).getOrDefault(kind, new long[0]))
                .sum();
    }

    @Test
    void beforeTheFirstRunThereIsNothingToReport() {
        assertThat(new RunTally().json()).isNull();
    }

    @Test
    void runsAreCountedByKindAndLength() {
        RunTally tally = new RunTally();
        for (int i = 0; i < 1_000; i++) {
            tally.count("mail", TimeUnit.MILLISECONDS.toNanos(30));
        }
        tally.count("mail", TimeUnit.MINUTES.toNanos(3));
        Map<String, long[]> told = RunTimes.read(tally.json());
        assertThat(told).containsOnlyKeys("mail");
        long[] mail = told.getOrDefault("mail", new long[0]);
        assertThat(mail[RunTimes.bucket(TimeUnit.MILLISECONDS.toNanos(30))]).isEqualTo(1_000);
        assertThat(mail[RunTimes.bucket(TimeUnit.MINUTES.toNanos(3))]).isEqualTo(1);
        assertThat(runs(tally, "mail")).isEqualTo(1_001);
    }

    @Test
    void kindsBeyondTheFirstSixteenAreCountedTogether() {
        RunTally tally = new RunTally();
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < 40; i++) {
                tally.count("kind" + i, 1_000_000);
            }
        }
        assertThat(RunTimes.read(tally.json())).hasSize(17).containsKeys("kind0", "kind15", RunTimes.OTHERS);
        assertThat(runs(tally, "kind3")).isEqualTo(2);
        assertThat(runs(tally, RunTimes.OTHERS)).isEqualTo(48);
        assertThat(tally.json()).hasSizeLessThan(1_000);
    }

    @Test
    void manyThreadsLoseNothing() throws Exception {
        RunTally tally = new RunTally();
        CountDownLatch done = new CountDownLatch(4);
        for (int thread = 0; thread < 4; thread++) {
            Thread counts = new Thread(() -> {
                for (int i = 0; i < 10_000; i++) {
                    tally.count("kind" + i % 50, i);
                }
                done.countDown();
            });
            counts.setDaemon(true);
            counts.start();
        }
        assertThat(done.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(RunTimes.read(tally.json()).values().stream()
                        .mapToLong(counts -> Arrays.stream(counts).sum())
                        .sum())
                .isEqualTo(40_000);
    }

    /** Snoozed runs say nothing about the duration of the work, so they are not counted. */
    @Test
    void aWorkerReportsCompletedAndFailedRunsWhenItStopsAtTheLatest() throws Exception {
        shutdownTimeouts = ShutdownTimeouts.USUAL;
        for (String what : List.of("fail", "fail", "snooze", "snooze", "done")) {
            store.add(what, 1);
        }
        Engine engine = start(1, (payload, run) -> switch (payload) {
            case "fail" -> throw new IllegalStateException("no");
            case "snooze" -> Outcome.snoozeFor(Duration.ofHours(1));
            default -> Outcome.completed();
        });
        await(() -> store.count(JobState.DISCARDED) == 2 && store.count(JobState.COMPLETED) == 1);
        engine.stop(Duration.ofSeconds(20));
        assertThat(Arrays.stream(RunTimes.read(store.reportedRuns).get("greet")).sum())
                .isEqualTo(3);
    }
}

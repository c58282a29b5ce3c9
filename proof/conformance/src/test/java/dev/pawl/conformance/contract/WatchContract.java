package dev.pawl.conformance.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.pawl.Worker;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.spi.Leader;
import dev.pawl.spi.Leadership;
import dev.pawl.spi.QueueSample;
import dev.pawl.spi.RunLengths;
import dev.pawl.spi.Sample;
import dev.pawl.spi.Series;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** One process of the cluster samples the queues, and does other work that must be done once. */
interface WatchContract extends Contract {
    private void age(long seconds) throws Exception {
        fixture()
                .execute(
                        "UPDATE pawl_sample SET taken_at = " + fixture().product.earlier("taken_at", seconds));
        fixture()
                .execute("UPDATE pawl_leader SET held_until = "
                        + fixture().product.earlier("held_until", seconds));
    }

    @Test
    default void aDutyHasOneOwnerAndGoesOnFromItsState(Fixture fixture) throws Exception {
        Leadership leadership = fixture.queue.unwrap(Leadership.class);
        Leader first = leadership.hold("alerts", "one", Duration.ofSeconds(30)).orElseThrow();
        assertThat(first.state()).isEmpty();
        assertThat(leadership.hold("alerts", "two", Duration.ofSeconds(30))).isEmpty();
        assertThat(leadership.save(first, "told: ärger")).isTrue();
        assertThat(leadership.hold("alerts", "one", Duration.ofSeconds(30)).orElseThrow())
                .isEqualTo(new Leader("alerts", "one", first.token(), "told: ärger"));
        age(60);
        Leader second = leadership.hold("alerts", "two", Duration.ofSeconds(30)).orElseThrow();
        assertThat(second.state()).isEqualTo("told: ärger");
        assertThat(second.token()).isGreaterThan(first.token());
        assertThat(leadership.save(first, "late")).isFalse();
        assertThat(leadership.hold("alerts", "one", Duration.ofSeconds(30))).isEmpty();
        leadership.release(first); // has no effect
        leadership.release(second);
        assertThat(leadership
                        .hold("alerts", "one", Duration.ofSeconds(30))
                        .orElseThrow()
                        .state())
                .isEqualTo("told: ärger");
    }

    @Test
    default void samplesTellHowManyWaitAndHowManyHaveEnded(Fixture fixture) throws Exception {
        Series series = fixture.queue.unwrap(Series.class);
        for (int i = 0; i < 3; i++) {
            fixture.enqueue(EnqueueOptions.DEFAULTS.maxAttempts(1));
        }
        fixture.enqueue(EnqueueOptions.DEFAULTS.queue("later").delay(Duration.ofHours(1)));
        assertThat(series.take("one")).isTrue();
        assertThat(series.take("one")).as("not yet").isFalse();
        assertThat(series.take("two")).as("another program took it").isFalse();
        List<Sample> samples = series.last(Duration.ofHours(1));
        assertThat(samples).hasSize(1);
        assertThat(samples.get(0).queues())
                .extracting(QueueSample::queue, QueueSample::available, QueueSample::delayed, QueueSample::completed)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple("default", 3L, 0L, 0L),
                        org.assertj.core.groups.Tuple.tuple("later", 0L, 1L, 0L));
        assertThat(samples.get(0).queues().get(0).oldestAge()).isNotNull();

        AtomicInteger ran = new AtomicInteger();
        try (Worker worker = fixture.newWorker()
                .handle(Fixture.GREET, (text, run) -> {
                    if (ran.incrementAndGet() == 1) {
                        throw new IllegalStateException("one of three");
                    }
                })
                .start()) {
            worker.awaitIdle(Fixture.SOON);
        }
        await().atMost(Fixture.SOON).untilAsserted(() -> {
            age(12);
            assertThat(series.take("one")).isTrue();
            List<QueueSample> queues = series.last(Duration.ofHours(1)).stream()
                    .flatMap(sample -> sample.queues().stream())
                    .filter(queue -> queue.queue().equals("default"))
                    .toList();
            assertThat(queues.stream().mapToLong(QueueSample::completed).max()).hasValue(2);
            assertThat(queues.stream().mapToLong(QueueSample::discarded).max()).hasValue(1);
        });
        // The first sample was also a coarse one. The next coarse sample has the later completions, and old fine
        // samples are deleted.
        age(Duration.ofHours(4).toSeconds());
        assertThat(series.take("two")).isTrue();
        assertThat(series.last(Duration.ofHours(2))).hasSize(1);
        assertThat(series.last(Duration.ofDays(1))).hasSizeBetween(2, 50);
        assertThat(fixture.longOf("SELECT COUNT(*) FROM pawl_sample WHERE resolution = 0"))
                .isEqualTo(1);
    }

    /** Each worker reports with its heartbeat, and when it stops; each report is counted once. */
    @Test
    default void samplesTellHowLongRunsTook(Fixture fixture) throws Exception {
        Series series = fixture.queue.unwrap(Series.class);
        runs(fixture, 3);
        assertThat(series.take("one")).isTrue();
        assertThat(series.last(Duration.ofHours(1)).get(0).runs())
                .as("when they ended is not known")
                .isEmpty();
        runs(fixture, 4);
        age(12);
        assertThat(series.take("one")).isTrue();
        List<RunLengths> runs = last(series).runs();
        assertThat(runs).extracting(RunLengths::kind).containsExactly(Fixture.GREET.kind());
        assertThat(runs.get(0).runs()).isEqualTo(4);
        assertThat(runs.get(0).quantile(0.5)).isBetween(Duration.ofNanos(1), Fixture.SOON);
        age(12);
        assertThat(series.take("one")).isTrue();
        assertThat(last(series).runs()).as("nothing has run since").isEmpty();
        // Every five minutes there is a coarse sample, which has all runs of these minutes.
        age(Duration.ofMinutes(6).toSeconds());
        assertThat(series.take("one")).isTrue();
        List<Sample> coarse = series.last(Duration.ofDays(1));
        assertThat(RunLengths.together(coarse.get(coarse.size() - 1).runs()).runs())
                .isEqualTo(4);
    }

    private void runs(Fixture fixture, int jobs) throws Exception {
        for (int i = 0; i < jobs; i++) {
            fixture.enqueue(EnqueueOptions.DEFAULTS);
        }
        try (Worker worker =
                fixture.newWorker().handle(Fixture.GREET, (text, run) -> {}).start()) {
            worker.awaitIdle(Fixture.SOON);
        }
    }

    private static Sample last(Series series) {
        List<Sample> samples = series.last(Duration.ofHours(1));
        return samples.get(samples.size() - 1);
    }
}

package dev.pawl.conformance.contract;

import static dev.pawl.conformance.contract.Fixture.GREET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.EnqueueResult;
import dev.pawl.api.JobRequest;
import dev.pawl.api.OnDuplicate;
import dev.pawl.api.Retention;
import dev.pawl.conformance.Specified;
import dev.pawl.internal.store.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Keys with a duration, keys derived from payloads, and merged jobs. */
@Specified
@WhiteBox
interface UniqueContract extends Contract {
    private static EnqueueOptions hourly() {
        return EnqueueOptions.DEFAULTS.uniqueKey("k", Duration.ofHours(1));
    }

    private EnqueueResult enqueue(EnqueueOptions options) {
        return fixture().queue.enqueue(new JobRequest("greet", "\"hello\"", options));
    }

    private void finish() throws Exception {
        assertThat(fixture().finish(fixture().claimOne().lease(), new Verdict.Completed()))
                .isTrue();
        fixture().sweepMarked();
    }

    @Test
    default void aKeyThatHoldsForATimeOutlivesItsJob() throws Exception {
        EnqueueResult first = enqueue(hourly());
        assertThat(first).isInstanceOf(EnqueueResult.Inserted.class);
        assertThat(enqueue(hourly())).isEqualTo(new EnqueueResult.Duplicate(first.jobId()));
        finish();
        assertThat(enqueue(hourly())).isEqualTo(new EnqueueResult.Duplicate(first.jobId()));
        assertThat(enqueue(EnqueueOptions.DEFAULTS.uniqueKey("k")))
                .as("without a time it counts only live jobs")
                .isInstanceOf(EnqueueResult.Inserted.class);
    }

    @Test
    default void whenTheTimeIsOverTheKeyIsFreeAgain() throws Exception {
        EnqueueOptions brief = EnqueueOptions.DEFAULTS.uniqueKey("k", Duration.ofMillis(300));
        long first = enqueue(brief).jobId();
        finish();
        await().atMost(Fixture.SOON)
                .until(() -> enqueue(brief) instanceof EnqueueResult.Inserted inserted && inserted.jobId() != first);
        await().atMost(Fixture.SOON).untilAsserted(() -> {
            long unused = fixture().admin.maintenance().prune(Retention.DEFAULTS);
            assertThat(fixture().longOf("SELECT COUNT(*) FROM pawl_unique")).isZero();
        });
        assertThat(enqueue(brief))
                .as("while the job is live it keeps its key")
                .isInstanceOf(EnqueueResult.Duplicate.class);
    }

    @Test
    default void aWaitingJobMayBeReplacedWithinItsTime() throws Exception {
        EnqueueResult first = enqueue(hourly());
        assertThat(enqueue(hourly().onDuplicate(OnDuplicate.REPLACE).priority(3)))
                .isEqualTo(new EnqueueResult.Replaced(first.jobId()));
        assertThat(fixture().job(first.jobId()).priority()).isEqualTo(3);
        finish();
        assertThat(enqueue(hourly().onDuplicate(OnDuplicate.REPLACE)))
                .isEqualTo(new EnqueueResult.Duplicate(first.jobId()));
    }

    /** Each event postpones the job: it runs once, after a time without events. */
    @Test
    default void aBurstBecomesOneJobAfterItsEnd() throws Exception {
        EnqueueOptions debounced = EnqueueOptions.DEFAULTS.uniqueKey("k").onDuplicate(OnDuplicate.REPLACE);
        Duration hour = Duration.ofHours(1);
        long id = enqueue(debounced.delay(hour)).jobId();
        Instant due = fixture().job(id).availableAt();
        for (int i = 1; i <= 3; i++) {
            Duration longer = hour.plusMillis(i); // a clock may show the same millisecond as before
            assertThat(enqueue(debounced.delay(longer))).isEqualTo(new EnqueueResult.Replaced(id));
            Instant later = fixture().job(id).availableAt();
            assertThat(later).as("it is put off").isAfter(due);
            due = later;
        }
        assertThat(fixture().claim(10)).isEmpty();
        assertThat(enqueue(debounced.delay(Duration.ofMillis(50)))).isEqualTo(new EnqueueResult.Replaced(id));
        await().atMost(Fixture.SOON).until(() -> fixture().claim(10).size() == 1);
        assertThat(fixture().liveJobs()).isEqualTo(1);
    }

    /** A rolled-back transaction leaves the key free. */
    @Test
    default void aRolledBackEnqueueTakesNoKey() throws Exception {
        try (var connection = fixture().pool.getConnection()) {
            connection.setAutoCommit(false);
            assertThat(fixture().queue.within(connection).enqueue(GREET, "x", hourly()))
                    .isInstanceOf(EnqueueResult.Inserted.class);
            connection.rollback();
        }
        assertThat(enqueue(hourly())).isInstanceOf(EnqueueResult.Inserted.class);
    }

    @Test
    default void oneOfManyConcurrentEnqueuesGetsTheKey() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            for (int round = 0; round < 5; round++) {
                EnqueueOptions options = EnqueueOptions.DEFAULTS.uniqueKey("round " + round, Duration.ofHours(1));
                List<Future<EnqueueResult>> results = new ArrayList<>();
                for (int i = 0; i < 4; i++) {
                    results.add(threads.submit(() -> enqueue(options)));
                }
                int inserted = 0;
                for (Future<EnqueueResult> result : results) {
                    inserted += result.get() instanceof EnqueueResult.Inserted ? 1 : 0;
                }
                assertThat(inserted).isEqualTo(1);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    default void jobsAreUniqueByTheirPayload() {
        EnqueueOptions options = EnqueueOptions.DEFAULTS.uniqueByPayload();
        long first = fixture().queue.enqueue(GREET, "Ada", options).jobId();
        assertThat(fixture().queue.enqueue(GREET, "Ada", options)).isEqualTo(new EnqueueResult.Duplicate(first));
        assertThat(fixture().queue.enqueue(GREET, "Grace", options)).isInstanceOf(EnqueueResult.Inserted.class);
        assertThat(fixture()
                        .queue
                        .enqueueAll(GREET, List.of("Ada", "Barbara", "Barbara"), payload -> options)
                        .duplicates())
                .isEqualTo(2);
        assertThat(fixture().job(first).uniqueKey()).startsWith("payload ").hasSize(72);
    }

    @Test
    default void jobsAreMerged() throws Exception {
        EnqueueOptions options = EnqueueOptions.DEFAULTS.uniqueKey("all").delay(Duration.ofHours(1));
        long first = fixture()
                .queue
                .enqueueMerged(GREET, "Ada", options, (a, b) -> a + ", " + b)
                .jobId();
        assertThat(fixture().queue.enqueueMerged(GREET, "Grace", options.delay(Duration.ZERO), (a, b) -> a + ", " + b))
                .isEqualTo(new EnqueueResult.Replaced(first));
        assertThat(fixture().job(first).payload()).isEqualTo("\"Ada, Grace\"");
        fixture().assumeNoTransactionAroundHandlers();
        assertThat(fixture().claimOne().lease().jobId()).isEqualTo(first);
        assertThat(fixture().queue.enqueueMerged(GREET, "Barbara", options, (a, b) -> a + ", " + b))
                .as("it has begun")
                .isEqualTo(new EnqueueResult.Duplicate(first));
        assertThatThrownBy(() -> fixture().queue.enqueueMerged(GREET, "x", EnqueueOptions.DEFAULTS, (a, b) -> a))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("uniqueKey");
    }

    @Test
    default void noneOfManyMergedJobsIsLost() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        EnqueueOptions options = EnqueueOptions.DEFAULTS.uniqueKey("all").delay(Duration.ofHours(1));
        try {
            List<Future<EnqueueResult>> results = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                String one = "<" + i + ">";
                results.add(threads.submit(() -> fixture().queue.enqueueMerged(GREET, one, options, (a, b) -> a + b)));
            }
            long id = 0;
            for (Future<EnqueueResult> result : results) {
                id = result.get().jobId();
            }
            String payload = fixture().job(id).payload();
            for (int i = 0; i < 20; i++) {
                assertThat(payload).contains("<" + i + ">");
            }
        } finally {
            threads.shutdownNow();
        }
    }
}

package dev.pawl.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.internal.store.AbandonedJob;
import dev.pawl.internal.store.Lease;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class RetrySpacingTest {
    private static AbandonedJob job(long id, long worker, boolean mayHaveBegun) {
        return job(id, worker, mayHaveBegun, 1);
    }

    private static AbandonedJob job(long id, long worker, boolean mayHaveBegun, int attempt) {
        return new AbandonedJob(
                new Lease(id, 1), Instant.EPOCH, "kind", null, attempt, 99, worker, "worker", mayHaveBegun);
    }

    private static List<Long> millis(RetrySpacing spacing, List<AbandonedJob> jobs) {
        return jobs.stream()
                .map(job -> spacing.delayOf(job).toMillis())
                .sorted()
                .toList();
    }

    @Test
    void startedJobsOfEachWorkerAreSpacedAndUnstartedOnesAreNot() {
        List<AbandonedJob> ofOne =
                LongStream.rangeClosed(1, 5).mapToObj(id -> job(id, 7, true)).toList();
        List<AbandonedJob> ofAnother =
                LongStream.rangeClosed(6, 8).mapToObj(id -> job(id, 8, true)).toList();
        List<AbandonedJob> notBegun =
                LongStream.rangeClosed(9, 20).mapToObj(id -> job(id, 7, false)).toList();
        List<AbandonedJob> all = new ArrayList<>(notBegun);
        all.addAll(ofOne);
        all.addAll(ofAnother);
        RetrySpacing spacing = new RetrySpacing(all);
        assertThat(millis(spacing, ofOne)).containsExactly(0L, 500L, 1000L, 1500L, 2000L);
        assertThat(millis(spacing, ofAnother)).containsExactly(0L, 500L, 1000L);
        assertThat(millis(spacing, notBegun)).containsOnly(0L);
    }

    /**
     * Regression: five innocent jobs were discarded, because their process took longer to start than the whole time over which their
     * retries were spread.
     */
    @Test
    void eachDeathIncreasesTheSpacing() {
        List<AbandonedJob> second = List.of(job(1, 7, true, 1), job(2, 7, true, 2), job(3, 7, true, 1));
        assertThat(millis(new RetrySpacing(second), second)).containsExactly(0L, 2_000L, 4_000L);
        List<AbandonedJob> tenth = List.of(job(1, 7, true, 10), job(2, 7, true, 10), job(3, 7, true, 10));
        assertThat(millis(new RetrySpacing(tenth), tenth)).containsExactly(0L, 10_000L, 20_000L);
        List<AbandonedJob> many = LongStream.rangeClosed(1, 200)
                .mapToObj(id -> job(id, 7, true, 30))
                .toList();
        assertThat(millis(new RetrySpacing(many), many)).endsWith(199_000L);
    }

    /** In the order of their claim, the same jobs would run side by side again. */
    @Test
    void theOrderIsMadeByChance() {
        List<AbandonedJob> jobs =
                LongStream.rangeClosed(1, 50).mapToObj(id -> job(id, 7, true)).toList();
        List<Long> first = jobs.stream()
                .map(new RetrySpacing(jobs)::delayOf)
                .map(turn -> turn.toMillis())
                .toList();
        List<Long> second = jobs.stream()
                .map(new RetrySpacing(jobs)::delayOf)
                .map(turn -> turn.toMillis())
                .toList();
        assertThat(first).isNotEqualTo(second).containsExactlyInAnyOrderElementsOf(second);
    }
}

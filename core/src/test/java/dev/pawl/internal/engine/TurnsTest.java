package dev.pawl.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.internal.store.AbandonedJob;
import dev.pawl.internal.store.Lease;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class TurnsTest {
    private static AbandonedJob job(long id, long worker, boolean mayHaveBegun) {
        return new AbandonedJob(new Lease(id, 1), Instant.EPOCH, "kind", 1, 9, worker, "worker", mayHaveBegun);
    }

    private static List<Long> millis(Turns turns, List<AbandonedJob> jobs) {
        return jobs.stream().map(job -> turns.of(job).toMillis()).sorted().toList();
    }

    @Test
    void thoseOfEachWorkerTakeTurnsAndWhatHadNotBegunTakesNone() {
        List<AbandonedJob> ofOne =
                LongStream.rangeClosed(1, 5).mapToObj(id -> job(id, 7, true)).toList();
        List<AbandonedJob> ofAnother =
                LongStream.rangeClosed(6, 8).mapToObj(id -> job(id, 8, true)).toList();
        List<AbandonedJob> notBegun =
                LongStream.rangeClosed(9, 20).mapToObj(id -> job(id, 7, false)).toList();
        List<AbandonedJob> all = new ArrayList<>(notBegun);
        all.addAll(ofOne);
        all.addAll(ofAnother);
        Turns turns = new Turns(all);
        assertThat(millis(turns, ofOne)).containsExactly(0L, 500L, 1000L, 1500L, 2000L);
        assertThat(millis(turns, ofAnother)).containsExactly(0L, 500L, 1000L);
        assertThat(millis(turns, notBegun)).containsOnly(0L);
    }

    /** In the order in which they were claimed the same neighbours would meet again. */
    @Test
    void theOrderIsMadeByChance() {
        List<AbandonedJob> jobs =
                LongStream.rangeClosed(1, 50).mapToObj(id -> job(id, 7, true)).toList();
        List<Long> first = jobs.stream()
                .map(new Turns(jobs)::of)
                .map(turn -> turn.toMillis())
                .toList();
        List<Long> second = jobs.stream()
                .map(new Turns(jobs)::of)
                .map(turn -> turn.toMillis())
                .toList();
        assertThat(first).isNotEqualTo(second).containsExactlyInAnyOrderElementsOf(second);
    }
}

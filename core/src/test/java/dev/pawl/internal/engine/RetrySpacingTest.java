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
        return job(id, worker, mayHaveBegun, 1);
    }

    private static AbandonedJob job(long id, long worker, boolean mayHaveBegun, int attempt) {
        return new AbandonedJob(new Lease(id, 1), Instant.EPOCH, "kind", attempt, 99, worker, "worker", mayHaveBegun);
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

    /** Found as five innocent jobs discarded: their process took longer to start than all turns together. */
    @Test
    void eachDeathPutsMoreTimeBetweenThem() {
        List<AbandonedJob> second = List.of(job(1, 7, true, 1), job(2, 7, true, 2), job(3, 7, true, 1));
        assertThat(millis(new Turns(second), second)).containsExactly(0L, 2_000L, 4_000L);
        List<AbandonedJob> tenth = List.of(job(1, 7, true, 10), job(2, 7, true, 10), job(3, 7, true, 10));
        assertThat(millis(new Turns(tenth), tenth)).containsExactly(0L, 10_000L, 20_000L);
        List<AbandonedJob> many = LongStream.rangeClosed(1, 200)
                .mapToObj(id -> job(id, 7, true, 30))
                .toList();
        assertThat(millis(new Turns(many), many)).endsWith(199_000L);
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

package dev.pawl.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.api.Job;
import dev.pawl.api.JobState;
import dev.pawl.api.Strategy;
import dev.pawl.internal.quota.LocalLimits;
import dev.pawl.internal.store.Admission;
import dev.pawl.internal.store.Allocation;
import dev.pawl.internal.store.Allocation.Permits;
import dev.pawl.internal.store.Allocation.Starts;
import dev.pawl.internal.store.Grant;
import dev.pawl.limit.Subject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Jobs that wait for limiters, and the reports that the limiters get about them. */
class WaitingJobsTest {
    private static final Subject LIMITED = Subject.kind("limited");

    private final FakeStore store = new FakeStore();
    private final LocalLimits localLimits = new LocalLimits(subject -> 4, queue -> false, Set.of("limited", "free"));
    private final WaitingJobs waiting = new WaitingJobs(localLimits, new Capacity(8, Map.of()));
    private long ids;

    private HeldJob job(String kind, int cost) {
        return job(kind, job -> job.cost(cost));
    }

    private HeldJob ofKey(String key) {
        return job("limited", job -> job.key(key));
    }

    private HeldJob job(String kind, UnaryOperator<Job.Builder> options) {
        Job job = options.apply(Job.builder(++ids, kind, "default")
                        .state(JobState.RUNNING)
                        .attempt(1)
                        .maxAttempts(20)
                        .leaseToken(1)
                        .payload("{}"))
                .build();
        return new HeldJob(
                new Grant(job),
                store.strategy(Strategy.AUTO),
                false,
                System.nanoTime(),
                new LeaseTerms(Duration.ofHours(1)));
    }

    private void dealt(Allocation dealt) {
        assertThat(localLimits.limited(Set.of(LIMITED)) || !localLimits.none()).isTrue();
        boolean unused = localLimits.allocated(LIMITED, dealt, System.nanoTime());
    }

    private static Allocation atOnce(int share) {
        return new Allocation(true, new Permits(share, share, 0), null, Duration.ZERO, false);
    }

    private static Allocation starts(int now, int most) {
        return new Allocation(
                true,
                null,
                new Starts(now, Duration.ofMinutes(1), Duration.ofHours(1), 0.01, most),
                Duration.ZERO,
                false);
    }

    private int room() {
        return localLimits.plan("default", List.of("limited"), 10, 0).parts().stream()
                .mapToInt(Admission.Part::limit)
                .sum();
    }

    private List<HeldJob> takeAll() {
        return takeAll(waiting);
    }

    private static List<HeldJob> takeAll(WaitingJobs waiting) {
        List<HeldJob> all = new ArrayList<>();
        for (List<HeldJob> next = waiting.next(); !next.isEmpty(); next = waiting.next()) {
            all.addAll(next);
        }
        return all;
    }

    @Test
    void jobsWithoutALimiterAreNotCountedByTheLimiterOfOthers() {
        dealt(atOnce(4));
        waiting.addAll(List.of(job("free", 1), job("free", 1), job("free", 1), job("limited", 1), job("free", 1)));
        waiting.sortAgain();
        assertThat(takeAll()).hasSize(5);
        assertThat(room()).as("one of four runs, and none waits").isEqualTo(3);
        waiting.addAll(List.of(job("free", 1), job("limited", 1)));
        assertThat(waiting.removeAll()).hasSize(2);
        assertThat(room()).isEqualTo(3);
    }

    @Test
    void removedJobsAreForgottenByTheirLimiter() {
        dealt(atOnce(4));
        HeldJob kept = job("limited", 1);
        waiting.addAll(List.of(kept, job("limited", 1), job("free", 1), job("limited", 1)));
        assertThat(waiting.removeAllBut(kept)).hasSize(3);
        assertThat(waiting.remove(kept)).isTrue();
        assertThat(waiting.size()).isZero();
        assertThat(room()).isEqualTo(4);
    }

    /** Otherwise cheaper jobs ahead of an expensive one would use up the starts allocated for it, again and again. */
    @Test
    void aJobForWhichSeveralStartsWereAllocatedGoesFirst() {
        dealt(starts(0, 100));
        HeldJob maxCost = job("limited", 50);
        waiting.addAll(List.of(job("limited", 1), job("limited", 1), maxCost, job("limited", 1)));
        assertThat(waiting.next()).isEmpty();
        dealt(starts(51, 100));
        assertThat(takeAll()).first().isSameAs(maxCost);
    }

    @Test
    void onlyJobsThatCouldStartAreRemovedAsExcess() {
        dealt(atOnce(1));
        HeldJob limited = job("limited", 1);
        HeldJob behind = job("limited", 1);
        HeldJob first = job("free", 1);
        HeldJob last = job("free", 1);
        waiting.addAll(List.of(limited, behind, first, last));
        assertThat(waiting.removeBeyond(2)).containsExactly(last);
        assertThat(takeAll()).containsExactly(limited, first);
    }

    @Test
    void thousandsOfKeysWithARateWaitIndependently() {
        LocalLimits ofKeys = new LocalLimits(subject -> 4, queue -> true, Set.of("limited"));
        WaitingJobs each = new WaitingJobs(ofKeys, new Capacity(8, Map.of()));
        assertThat(ofKeys.limited(Set.of(Subject.keysOf("default")))).isTrue();
        List<HeldJob> jobs =
                IntStream.range(0, 20_000).mapToObj(i -> ofKey("key " + i)).toList();
        each.addAll(jobs);
        assertThat(each.next()).isEmpty();
        assertThat(each.first(100)).isEmpty();
        for (int i : List.of(17_000, 5, 19_999)) {
            assertThat(ofKeys.allocated("default", Map.of("key " + i, starts(1, 1)), System.nanoTime()))
                    .isTrue();
        }
        assertThat(each.first(2)).containsExactly(jobs.get(5), jobs.get(17_000));
        HeldJob later = ofKey("key 5");
        each.addAll(List.of(later));
        assertThat(takeAll(each)).containsExactly(jobs.get(5), jobs.get(17_000), jobs.get(19_999));
        assertThat(each.remove(later)).isTrue();
        assertThat(each.size()).isEqualTo(19_997);
        assertThat(each.removeAll()).startsWith(jobs.get(0)).endsWith(jobs.get(19_998));
    }

    @Test
    void jobsWhoseNextStartIsFarAwayAreRemoved() {
        LocalLimits ofKeys = new LocalLimits(subject -> 4, queue -> true, Set.of("limited"));
        WaitingJobs each = new WaitingJobs(ofKeys, new Capacity(8, Map.of()));
        assertThat(ofKeys.limited(Set.of(Subject.keysOf("default")))).isTrue();
        HeldJob far = ofKey("far");
        HeldJob behind = ofKey("far");
        HeldJob near = ofKey("near");
        each.addAll(List.of(far, near, behind));
        assertThat(ofKeys.allocated("default", Map.of("far", starts(0, 1), "near", starts(1, 1)), System.nanoTime()))
                .isTrue();
        assertThat(each.removeExhausted()).containsExactly(far, behind);
        assertThat(each.size()).isEqualTo(1);
        assertThat(takeAll(each)).containsExactly(near);
    }

    @Test
    void waitingJobsMustPassANewLimit() {
        waiting.addAll(List.of(job("limited", 1)));
        assertThat(localLimits.limited(Set.of(LIMITED))).isTrue();
        waiting.sortAgain();
        assertThat(waiting.next()).isEmpty();
        dealt(atOnce(1));
        assertThat(waiting.next()).isNotEmpty();
    }

    @Test
    void waitingJobsOfKeysMustPassANewRateButNotARemovedOne() {
        LocalLimits ofKeys = new LocalLimits(subject -> 4, queue -> true, Set.of("limited"));
        WaitingJobs each = new WaitingJobs(ofKeys, new Capacity(8, Map.of()));
        each.addAll(List.of(ofKey("a"), ofKey("b")));
        assertThat(ofKeys.limited(Set.of(Subject.keysOf("default")))).isTrue();
        each.sortAgain();
        assertThat(each.next()).isEmpty();
        boolean unused = ofKeys.limited(Set.of());
        each.sortAgain();
        assertThat(takeAll(each)).hasSize(2);
    }
}

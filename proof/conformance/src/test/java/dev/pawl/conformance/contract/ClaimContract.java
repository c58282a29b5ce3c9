package dev.pawl.conformance.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.pawl.admin.Admin;
import dev.pawl.admin.QueueStats;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.Job;
import dev.pawl.api.JobRequest;
import dev.pawl.api.JobState;
import dev.pawl.api.Strategy;
import dev.pawl.internal.store.ClaimRequest;
import dev.pawl.internal.store.Grant;
import dev.pawl.internal.store.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

@WhiteBox
interface ClaimContract extends Contract {
    @Test
    default void aClaimSetsTheLeaseTheAttemptAndTheToken(Fixture fixture) throws Exception {
        long id = fixture.enqueue();
        List<Grant> claimed = fixture.claim(5);
        assertThat(claimed).hasSize(1);
        Job job = claimed.get(0).job();
        assertThat(job.id()).isEqualTo(id);
        assertThat(job.state()).isEqualTo(JobState.RUNNING);
        assertThat(job.attempt()).isEqualTo(1);
        assertThat(job.leaseToken()).as("exact in a double").isBetween(1L, 1L << 53);
        assertThat(job.leasedBy()).isEqualTo(fixture.worker);
        assertThat(Duration.between(job.startedAt(), job.leaseExpiresAt())).isEqualTo(Duration.ofSeconds(30));
        assertThat(fixture.job(id)).isEqualTo(job);
        assertThat(fixture.claim(5)).isEmpty();
    }

    @Test
    default void theTokenGrowsWithEveryClaim(Fixture fixture) throws Exception {
        fixture.enqueue();
        long before = 0;
        for (int claim = 1; claim <= 4; claim++) {
            Grant claimed = fixture.claim(1).get(0);
            assertThat(claimed.lease().token()).isGreaterThan(before);
            before = claimed.lease().token();
            fixture.finish(claimed.lease(), new Verdict.Snooze(Duration.ZERO));
        }
    }

    @Test
    default void jobsAreClaimedByPriorityThenByDueTime(Fixture fixture) throws Exception {
        fixture.assumeOneServer("a node leaves jobs behind a gap of ids for a moment");
        assumeFalse(
                fixture.strategy instanceof Strategy.Optimistic optimistic && optimistic.pick() != Strategy.Pick.FIRST,
                "it picks any of its window");
        long late = fixture.enqueue(EnqueueOptions.DEFAULTS.priority(5));
        long second = fixture.enqueue();
        long first = fixture.enqueue(EnqueueOptions.DEFAULTS.priority(-5));
        long third = fixture.enqueue();
        fixture.enqueue(EnqueueOptions.DEFAULTS.priority(-9).delay(Duration.ofHours(1)));
        assertThat(fixture.claim(3)).extracting(claimed -> claimed.job().id()).containsExactly(first, second, third);
        assertThat(fixture.claim(3)).extracting(claimed -> claimed.job().id()).containsExactly(late);
    }

    @Test
    default void aClaimTakesAtMostItsLimit(Fixture fixture) throws Exception {
        for (int i = 0; i < 30; i++) {
            fixture.enqueue(EnqueueOptions.DEFAULTS.priority(i % 3));
        }
        assertThat(fixture.claim(7)).hasSize(7);
        assertThat(fixture.admin.queues().list(Admin.UNLIMITED))
                .singleElement()
                .satisfies(queue -> assertThat(queue.running()).isEqualTo(7));
        assertThat(fixture.claim(100)).hasSize(23);
    }

    @Test
    default void unknownKindsAndOtherQueuesAreLeftAlone(Fixture fixture) throws Exception {
        fixture.queue.enqueue(new JobRequest("unknown", "{}", EnqueueOptions.DEFAULTS));
        fixture.enqueue(EnqueueOptions.DEFAULTS.queue("other"));
        long ours = fixture.enqueue();
        assertThat(fixture.claim(10)).extracting(claimed -> claimed.job().id()).containsExactly(ours);
    }

    @Test
    default void nothingIsClaimedFromAPausedQueue(Fixture fixture) throws Exception {
        fixture.enqueue();
        fixture.admin.queues().pause("default");
        assertThat(fixture.claim(10)).isEmpty();
        fixture.admin.queues().resume("default");
        assertThat(fixture.claim(10)).hasSize(1);
    }

    /** This includes a queue that is created later; queues that were paused individually stay paused. */
    @Test
    default void nothingIsClaimedWhileAllQueuesArePaused(Fixture fixture) throws Exception {
        fixture.enqueue();
        assertThat(fixture.admin.queues().resumeAll()).isFalse();
        fixture.admin.queues().pauseAll();
        fixture.enqueue(EnqueueOptions.DEFAULTS.queue("later"));
        fixture.enqueueRow();
        assertThat(fixture.claim(10)).isEmpty();
        assertThat(fixture.store
                        .strategy(fixture.strategy)
                        .claim(new ClaimRequest("later", List.of("greet"), 10, fixture.worker, Fixture.LEASE, false)))
                .isEmpty();
        assertThat(fixture.admin.queues().allPausedSince()).isPresent();
        assertThat(fixture.admin.queues().pausedSince()).isEmpty();
        assertThat(fixture.admin.queues().list(Admin.UNLIMITED)).isNotEmpty().allMatch(QueueStats::paused);
        assertThat(fixture.admin.maintenance().diagnose())
                .filteredOn(finding -> finding.topic().equals("pause"))
                .hasSize(1);
        fixture.admin.queues().pause("later");
        assertThat(fixture.admin.queues().resumeAll()).isTrue();
        assertThat(fixture.admin.queues().allPausedSince()).isEmpty();
        assertThat(fixture.claim(10)).hasSize(2);
        assertThat(fixture.admin.queues().list(Admin.UNLIMITED))
                .filteredOn(QueueStats::paused)
                .extracting(QueueStats::name)
                .containsExactly("later");
        assertThat(fixture.admin.queues().pausedSince()).containsOnlyKeys("later");
    }

    @Test
    default void concurrentClaimsNeverReturnTheSameJob(Fixture fixture) throws Exception {
        int jobs = 600;
        fixture.queue.enqueueAll(
                Fixture.GREET, IntStream.range(0, jobs).mapToObj(i -> "n" + i).toList());
        Set<Long> seen = ConcurrentHashMap.newKeySet();
        AtomicInteger twice = new AtomicInteger();
        ExecutorService threads = Executors.newFixedThreadPool(6);
        try {
            List<Future<?>> workers = new ArrayList<>();
            for (int w = 0; w < 6; w++) {
                workers.add(threads.submit(() -> {
                    // Another worker may hold the rest of the window, so an empty result does not mean that all jobs
                    // are claimed.
                    while (seen.size() < jobs) {
                        for (Grant claimed : fixture.claim(7)) {
                            if (!seen.add(claimed.job().id())) {
                                twice.incrementAndGet();
                            }
                        }
                    }
                    return null;
                }));
            }
            for (Future<?> worker : workers) {
                worker.get();
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(twice).hasValue(0);
        assertThat(seen).hasSize(jobs);
    }

    /** On PostgreSQL a claim starts where the last full batch ended; it must not skip jobs. */
    @Test
    default void jobsThatAppearBeforeTheLastBatchAreStillClaimed(Fixture fixture) throws Exception {
        fixture.queue.enqueueAll(
                Fixture.GREET, IntStream.range(0, 450).mapToObj(i -> "n" + i).toList());
        List<Grant> first = fixture.claim(100);
        assertThat(fixture.claim(100)).hasSize(100);
        fixture.finish(first.get(0).lease(), new Verdict.Snooze(Duration.ZERO));
        long urgent = fixture.enqueue(EnqueueOptions.DEFAULTS.priority(-1));
        // The update stands for an enqueue that commits late: its job sorts before jobs that were claimed already.
        long late = fixture.enqueue();
        fixture.execute("UPDATE pawl_job SET available_at = created_at WHERE id = "
                + first.get(0).job().id());
        List<Long> rest = new ArrayList<>();
        for (List<Grant> claimed = fixture.claim(100); !claimed.isEmpty(); claimed = fixture.claim(100)) {
            claimed.forEach(one -> rest.add(one.job().id()));
        }
        assertThat(rest).hasSize(253).contains(urgent, late, first.get(0).job().id());
    }

    /**
     * Six claimers claim one job at a time, and starts are ordered by the database's clock, so a later claim may be a few positions early.
     * Many claims overtake a claimer that the operating system suspends, so 5 % of the jobs are not counted.
     */
    @Test
    default void jobsStartInTheDocumentedOrder(Fixture fixture) throws Exception {
        fixture.assumeOneServer("a node leaves jobs behind a gap of ids for a moment");
        int jobs = 400;
        fixture.queue.enqueueAll(
                Fixture.GREET, IntStream.range(0, jobs).mapToObj(i -> "n" + i).toList());
        List<Job> started = java.util.Collections.synchronizedList(new ArrayList<>());
        ExecutorService threads = Executors.newFixedThreadPool(6);
        try {
            List<Future<?>> claimers = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                claimers.add(threads.submit(() -> {
                    while (started.size() < jobs) {
                        fixture.claim(1).forEach(one -> started.add(one.job()));
                    }
                    return null;
                }));
            }
            for (Future<?> claimer : claimers) {
                claimer.get();
            }
        } finally {
            threads.shutdownNow();
        }
        List<Job> byStart = started.stream()
                .sorted(java.util.Comparator.comparing(Job::startedAt).thenComparing(Job::id))
                .toList();
        long firstId = started.stream().mapToLong(Job::id).min().orElseThrow();
        long[] distances = IntStream.range(0, jobs)
                .mapToLong(i -> Math.abs(byStart.get(i).id() - firstId - i))
                .sorted()
                .toArray();
        boolean anyOfAWindow = fixture.strategy instanceof Strategy.Optimistic optimistic
                && optimistic.pick() == Strategy.Pick.UNIFORM;
        assertThat(distances[jobs * 95 / 100]).isLessThanOrEqualTo(anyOfAWindow ? jobs : 20);
    }
}

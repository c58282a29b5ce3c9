package dev.pawl.conformance.contract;

import static dev.pawl.conformance.contract.Fixture.GREET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.pawl.EnqueueOptions;
import dev.pawl.InvalidJobException;
import dev.pawl.JobQueue;
import dev.pawl.JobState;
import dev.pawl.Worker;
import dev.pawl.WorkerBuilder;
import dev.pawl.admin.JobFilter;
import dev.pawl.limit.Limit;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Workers whose queues are given by a pattern. */
interface PatternContract extends Contract {
    private static EnqueueOptions in(String queue) {
        return EnqueueOptions.DEFAULTS.queue(queue);
    }

    private WorkerBuilder matching(Set<String> ran, String... patterns) {
        return fixture()
                .newWorker()
                .queuesLike(patterns)
                .handle(GREET, (text, run) -> ran.add(run.job().queue()));
    }

    /** Some were there before, one comes from this process, one from another. */
    @Test
    default void queuesAreServedAsTheyAppear() {
        Set<String> ran = ConcurrentHashMap.newKeySet();
        fixture().enqueue(in("mail-a"));
        fixture().enqueue(in("mail-b").uniqueKey("it has a row"));
        fixture().enqueue(in("other"));
        Worker worker = matching(ran, "mail-*").start();
        try (worker) {
            await().atMost(Duration.ofSeconds(30)).until(() -> ran.containsAll(List.of("mail-a", "mail-b")));
            fixture().enqueue(in("mail-c"));
            try (JobQueue elsewhere = JobQueue.builder(fixture().pool)
                    .tablePrefix(fixture().prefix)
                    .migrate(false)
                    .notifications(false)
                    .open()) {
                long unused = elsewhere.enqueue(GREET, "x", in("mail-d")).jobId();
            }
            await().atMost(Duration.ofSeconds(30)).until(() -> ran.containsAll(List.of("mail-c", "mail-d")));
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> fixture().admin.workers().stream()
                            .anyMatch(one -> one.queues().containsAll(List.of("mail-a", "mail-d"))));
        }
        assertThat(ran).doesNotContain("other");
        assertThat(fixture().admin.list(JobFilter.ALL.state(JobState.AVAILABLE)))
                .hasSize(1);
    }

    /** Also before the worker knows of the queue. */
    @Test
    default void limitsOfQueuesHoldFromTheFirstJobOn() {
        fixture().queue.limits().set(Limit.queue("mail-x").atOnce(1));
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        AtomicInteger done = new AtomicInteger();
        Worker worker = fixture()
                .newWorker()
                .concurrency(8)
                .queuesLike("mail-*")
                .handle(GREET, (text, run) -> {
                    most.accumulateAndGet(running.incrementAndGet(), Math::max);
                    TimeUnit.MILLISECONDS.sleep(10);
                    running.decrementAndGet();
                    done.incrementAndGet();
                })
                .start();
        try (worker) {
            fixture().enqueue(in("mail-other")); // it has settled in when this is done
            await().atMost(Duration.ofSeconds(30)).until(() -> done.get() == 1);
            for (int i = 0; i < 20; i++) {
                fixture().enqueue(in("mail-x"));
            }
            await().atMost(Duration.ofSeconds(30)).until(() -> done.get() == 21);
        }
        assertThat(most).hasValue(1);
    }

    @Test
    default void idleMeansThatNoQueueThatMatchesHasJobs() throws Exception {
        Set<String> ran = ConcurrentHashMap.newKeySet();
        for (int i = 0; i < 20; i++) {
            fixture().enqueue(in("q" + i));
        }
        Worker worker = matching(ran, "*").start();
        try (worker) {
            assertThat(worker.awaitIdle(Duration.ofSeconds(30))).isTrue();
        }
        assertThat(ran).hasSize(20);
    }

    @Test
    default void badPatternsAreRefused() {
        assertThatThrownBy(() -> matching(Set.of())).isInstanceOf(InvalidJobException.class);
        assertThatThrownBy(() -> matching(Set.of(), " *")).isInstanceOf(InvalidJobException.class);
    }
}

package dev.pawl.conformance.contract;

import static dev.pawl.conformance.contract.Fixture.GREET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.pawl.Worker;
import dev.pawl.WorkerBuilder;
import dev.pawl.admin.WorkerInfo;
import dev.pawl.api.HandlerOptions;
import dev.pawl.api.JobHandler;
import dev.pawl.api.JobType;
import dev.pawl.api.Prefetch;
import dev.pawl.limit.Limit;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The capacity of a worker: jobs with a weight, and workers that are scaled. */
interface CapacityContract extends Contract {
    JobType<String> LARGE = JobType.of("large", String.class);

    /** Counts running jobs, and their maximum. */
    final class Running {
        private final AtomicInteger now = new AtomicInteger();
        private final AtomicInteger most = new AtomicInteger();
        private final AtomicInteger begun = new AtomicInteger();
        private final Semaphore mayEnd = new Semaphore(0);

        JobHandler<String> handler() {
            return (text, run) -> {
                most.accumulateAndGet(now.incrementAndGet(), Math::max);
                begun.incrementAndGet();
                try {
                    mayEnd.acquire();
                } finally {
                    now.decrementAndGet();
                }
            };
        }

        void await(int running) {
            org.awaitility.Awaitility.await().atMost(Fixture.SOON).until(() -> now.get() == running);
        }
    }

    private void enqueue(JobType<String> type, int jobs) {
        fixture()
                .queue
                .enqueueAll(
                        type, IntStream.range(0, jobs).mapToObj(i -> "job " + i).toList());
    }

    private void awaitCompleted(Worker worker, int jobs) {
        await().atMost(Fixture.SOON).until(() -> worker.stats().completed() == jobs);
    }

    private WorkerBuilder worker(Running large, Running small) {
        return fixture()
                .newWorker()
                .concurrency(8)
                .handle(LARGE, large.handler(), HandlerOptions.DEFAULTS.weight(4))
                .handle(GREET, small.handler());
    }

    @Test
    default void largeJobsUseTheirWeightInCapacity() {
        Running large = new Running();
        enqueue(LARGE, 40);
        try (Worker worker = worker(large, new Running()).start()) {
            large.await(2);
            assertThat(worker.stats().claimed() - worker.stats().released())
                    .as("two run, and no more wait than would fill the worker once more")
                    .isLessThanOrEqualTo(4);
            large.mayEnd.release(40);
            awaitCompleted(worker, 40);
            assertThat(large.most).hasValue(2);
        } finally {
            large.mayEnd.release(1000);
        }
    }

    /** Jobs of both kinds are always waiting, and each large job finds the capacity in use. */
    @Test
    default void largeJobsBesideSmallOnesDoNotStarve() {
        Running large = new Running();
        Running small = new Running();
        enqueue(GREET, 8);
        try (Worker worker = worker(large, small).start()) {
            small.await(8);
            enqueue(LARGE, 1);
            enqueue(GREET, 100);
            int ended = 0;
            while (large.begun.get() == 0) {
                assertThat(ended).as("small ones that ended while it waited").isLessThan(40);
                int before = small.begun.get();
                small.mayEnd.release();
                int now = ++ended;
                await().atMost(Fixture.SOON).until(() -> worker.stats().completed() >= now);
                await().atMost(Fixture.SOON)
                        .until(() -> small.begun.get() > before || small.now.get() <= 8 - 1 || large.begun.get() > 0);
            }
            assertThat(small.now.get()).as("beside one of weight four").isLessThanOrEqualTo(4);
            large.mayEnd.release(10);
            small.mayEnd.release(200);
            awaitCompleted(worker, 109);
        } finally {
            large.mayEnd.release(1000);
            small.mayEnd.release(1000);
        }
    }

    @Test
    default void aWorkerThatCouldNeverRunAKindDoesNotStart() {
        assertThatThrownBy(() -> fixture()
                        .newWorker()
                        .concurrency(3)
                        .handle(LARGE, (text, run) -> {}, HandlerOptions.DEFAULTS.weight(4))
                        .start())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("a job of kind 'large' takes 4 places, and the worker has 3");
        assertThatThrownBy(() -> HandlerOptions.DEFAULTS.weight(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> fixture()
                        .newWorker()
                        .concurrency(3)
                        .maxConcurrency(2)
                        .handle(GREET, (text, run) -> {})
                        .start())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("maxConcurrency 2 is less than the worker's concurrency 3");
        for (double wrong : new double[] {0.49, 1, Double.NaN}) {
            assertThatThrownBy(() -> Prefetch.DEFAULTS.maxHeapUse(wrong)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    private WorkerInfo info(Worker worker) {
        return fixture().admin.workers().list().stream()
                .filter(one -> one.id() == worker.id())
                .findAny()
                .orElseThrow();
    }

    /**
     * Scales one worker, and all workers of another queue within their bounds. One test does both to save time, because workers follow only
     * at their next heartbeats.
     */
    @Test
    default void aWorkerIsScaledRemotelyWithoutStoppingRuns() {
        Running running = new Running();
        enqueue(GREET, 60);
        JobHandler<String> idle = (text, run) -> {};
        Worker worker = fixture()
                .newWorker()
                .concurrency(6)
                .maxConcurrency(12)
                .handle(GREET, running.handler())
                .start();
        WorkerBuilder mail = fixture().newWorker().queues("mail").handle(GREET, idle);
        WorkerBuilder more = fixture().newWorker().queues("sms", "mail").handle(GREET, idle);
        try (worker;
                Worker wide = mail.concurrency(2).maxConcurrency(9).start();
                Worker narrow = more.concurrency(3).start()) {
            running.await(6);
            assertThat(List.of(wide.id(), narrow.id()))
                    .as("they are in the list")
                    .allMatch(id -> id > 0);
            assertThat(info(worker).maxConcurrency()).isEqualTo(12);
            assertThat(info(worker).wantedConcurrency()).isNull();
            assertThatThrownBy(() -> fixture().admin.workers().scale(worker.id(), 13))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("its program allows 12");
            assertThatThrownBy(() -> fixture().admin.workers().scale(worker.id(), 0))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThat(fixture().admin.workers().scale(worker.id(), 2)).isTrue();
            assertThat(info(worker).wantedConcurrency()).isEqualTo(2);
            assertThat(fixture().admin.workers().scaleQueue("mail", 7)).isEqualTo(Map.of(wide.id(), 7, narrow.id(), 3));
            assertThat(fixture().admin.workers().scaleQueue("nobody", 7)).isEmpty();
            assertThat(info(worker).wantedConcurrency()).as("of another queue").isEqualTo(2);
            await().atMost(Duration.ofSeconds(30)).until(() -> info(worker).concurrency() == 2);
            assertThat(info(worker).wantedConcurrency()).as("done").isNull();
            assertThat(worker.concurrency()).isEqualTo(2);
            assertThat(running.now).hasValue(6);
            running.mayEnd.release(6);
            awaitCompleted(worker, 6);
            running.await(2);
            worker.concurrency(12);
            running.await(12);
            await().atMost(Duration.ofSeconds(30)).until(() -> wide.concurrency() == 7);
            assertThat(narrow.concurrency()).isEqualTo(3);
            running.mayEnd.release(1000);
        } finally {
            running.mayEnd.release(1000);
            worker.close();
        }
        assertThat(fixture().admin.workers().scale(worker.id(), 3))
                .as("it has stopped")
                .isFalse();
    }

    /** A worker that is scaled up gets a larger share, within the limit. */
    @Test
    default void sharesOfLimitsFollow() {
        fixture().queue.limits().set(Limit.kind("greet").atOnce(5));
        Running running = new Running();
        enqueue(GREET, 40);
        try (Worker worker = fixture()
                .newWorker()
                .concurrency(2)
                .maxConcurrency(20)
                .handle(GREET, running.handler())
                .start()) {
            running.await(2);
            worker.concurrency(20);
            running.await(5);
            worker.concurrency(1);
            running.mayEnd.release(5);
            awaitCompleted(worker, 5);
            running.await(1);
            running.mayEnd.release(40);
            awaitCompleted(worker, 40);
            assertThat(running.most).hasValue(5);
        } finally {
            running.mayEnd.release(1000);
        }
    }
}

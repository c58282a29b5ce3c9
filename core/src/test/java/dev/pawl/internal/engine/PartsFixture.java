package dev.pawl.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.api.HandlerOptions;
import dev.pawl.api.Job;
import dev.pawl.api.JobState;
import dev.pawl.api.Outcome;
import dev.pawl.api.Retention;
import dev.pawl.api.RetryPolicy;
import dev.pawl.api.Strategy;
import dev.pawl.api.WorkerEvent;
import dev.pawl.internal.store.ClaimRequest;
import dev.pawl.internal.store.Declaration;
import dev.pawl.internal.store.Grant;
import dev.pawl.internal.store.NextMoment;
import dev.pawl.internal.wake.WakeHub;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;

/** The parts of a worker without threads: the test acts as each thread in turn, so nothing happens by itself. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
abstract class PartsFixture {
    static final Duration LONG = Duration.ofHours(1);
    static final ShutdownTimeouts SHORT = new ShutdownTimeouts(
            Duration.ofMillis(50), Duration.ofMillis(50), Duration.ofMillis(400), Duration.ofMillis(50));

    final FakeStore store = new FakeStore();
    final List<WorkerEvent> events = new ArrayList<>();
    final List<Runnable> runners = new ArrayList<>();
    /** Wraps what each handler thread runs, before the thread is created. */
    UnaryOperator<Runnable> watched = runner -> runner;

    List<Consumer<WorkerEvent>> listeners = List.of(events::add);
    HandlerOptions options = HandlerOptions.DEFAULTS;
    Strategy strategy = Strategy.AUTO;
    QueueOrder order = new QueueOrder.Strict(List.of("default"));
    Duration lease = LONG;
    RetryPolicy policy = RetryPolicy.fixed(Duration.ofSeconds(7));
    int batch = 1000;
    int maxConcurrency;

    @Nullable
    SharedCapacity shared;

    MemoryGuard.@Nullable Heap heap;
    OptionalInt connections = OptionalInt.empty();

    @AfterEach
    void clearInterrupt() {
        boolean unused = Thread.interrupted();
    }

    List<Declaration> schedules = List.of();

    WorkerConfig config(int handlers, EngineFixture.Work work) {
        Handlers kinds = new Handlers(new EngineFixture.NoCodec());
        kinds.encoded("greet", work::run, options);
        return new WorkerConfig(
                "test",
                kinds,
                order,
                handlers,
                Math.max(handlers, maxConcurrency),
                heap == null ? 0 : 0.8,
                2000,
                16 << 20,
                batch,
                lease,
                Duration.ofMillis(20),
                null,
                policy,
                strategy,
                false,
                SHORT,
                schedules,
                false,
                listeners,
                shared);
    }

    /** The parts of a worker with this many handlers of this action. */
    WorkerParts parts(int handlers, EngineFixture.Work work) {
        WorkerConfig config = config(handlers, work);
        Ports ports = new Ports(
                store,
                store,
                store,
                store,
                (queues, kinds, keyed, declared) -> NextMoment.Moments.NONE,
                FakeFeatures.of(store, List.of(), List.of(new PauseOfBatches())),
                Retention.DEFAULTS,
                new WakeHub(WakeHub.localMessenger()),
                connections,
                () -> 0);
        return new WorkerParts(
                ports,
                config,
                runner -> {
                    runners.add(runner);
                    return watched.apply(runner);
                },
                request -> {},
                heap);
    }

    WorkerParts parts() {
        return parts(1, (payload, run) -> Outcome.completed());
    }

    /** The parts of a worker that has read the database's clock for long enough to trust it. */
    WorkerParts experienced() {
        WorkerParts parts = parts();
        long then = System.nanoTime() - LONG.toNanos();
        parts.clock.read(TimeUnit.NANOSECONDS.toMicros(then), then, then);
        return parts;
    }

    /** Claims all available jobs, as the fetcher does. */
    List<HeldJob> claim(boolean ahead, Duration length) throws SQLException {
        return claim(store, strategy, ahead, length);
    }

    static List<HeldJob> claim(FakeStore store, Strategy strategy, boolean ahead, Duration length) throws SQLException {
        List<HeldJob> held = new ArrayList<>();
        long sent = System.nanoTime();
        ClaimRequest request = new ClaimRequest("default", List.of("greet"), 10_000, 7, length, ahead);
        for (Grant grant : store.strategy(strategy).claim(request)) {
            held.add(new HeldJob(grant, store.strategy(strategy), ahead, sent, new LeaseTerms(length)));
        }
        return held;
    }

    List<HeldJob> claim(WorkerParts parts, boolean ahead) throws SQLException {
        List<HeldJob> held = claim(ahead, lease);
        held.forEach(parts.heldJobs::add);
        return held;
    }

    /** Enqueues this many jobs and claims them for idle handlers. */
    List<HeldJob> held(WorkerParts parts, int jobs) throws SQLException {
        store.add(jobs, 20);
        return claim(parts, false);
    }

    HeldJob held(WorkerParts parts) throws SQLException {
        return held(parts, 1).get(0);
    }

    /** Takes the next job; null if the buffer is closed. */
    static @Nullable HeldJob take(Buffer buffer) throws InterruptedException {
        return take(buffer, null);
    }

    /** Takes the next job of a thread. */
    static @Nullable HeldJob take(Buffer buffer, @Nullable HeldJob ended) throws InterruptedException {
        List<HeldJob> taken = buffer.take(ended == null ? List.of() : List.of(ended));
        assertThat(taken).hasSizeLessThan(2);
        return taken.isEmpty() ? null : taken.get(0);
    }

    static Job job(int attempt, int maxAttempts) {
        return Job.builder(1, "greet", "default")
                .state(JobState.RUNNING)
                .attempt(attempt)
                .maxAttempts(maxAttempts)
                .leaseToken(1)
                .payload("{}")
                .build();
    }

    /** Waits until the thread is blocked. */
    static void awaitWaiting(Thread thread) throws InterruptedException {
        EngineFixture.await(
                () -> thread.getState() == Thread.State.WAITING || thread.getState() == Thread.State.TIMED_WAITING);
    }
}

package dev.pawl.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.api.ChunkInterceptor;
import dev.pawl.api.HandlerOptions;
import dev.pawl.api.JobRun;
import dev.pawl.api.JobState;
import dev.pawl.api.Outcome;
import dev.pawl.api.PayloadCodec;
import dev.pawl.api.Retention;
import dev.pawl.api.RetryPolicy;
import dev.pawl.api.RunInterceptor;
import dev.pawl.api.Strategy;
import dev.pawl.api.TypeToken;
import dev.pawl.api.WorkerEvent;
import dev.pawl.internal.Delay;
import dev.pawl.internal.store.Duty;
import dev.pawl.internal.store.NextMoment;
import dev.pawl.internal.store.WorkerFeatures;
import dev.pawl.internal.wake.WakeHub;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;

/** A worker over a store in memory, with helpers for tests. */
@Timeout(60)
abstract class EngineFixture {
    /** Long enough for a busy machine; tests of expiry set {@link #SHORT_LEASE}. */
    static final Duration LEASE = Duration.ofSeconds(10);

    static final Duration SHORT_LEASE = Duration.ofMillis(400);
    /** Short enough for a test to wait for several lease lengths, and long enough to be renewed in time on a busy machine. */
    static final Duration FIRM_LEASE = Duration.ofSeconds(3);

    static final ShutdownTimeouts SHORT = new ShutdownTimeouts(
            Duration.ofMillis(200), Duration.ofSeconds(1), Duration.ofMillis(300), Duration.ofMillis(500));

    final FakeStore store = new FakeStore();
    final List<Consumer<WorkerEvent>> listeners = new ArrayList<>();
    final List<RunInterceptor> interceptors = new ArrayList<>();
    final List<ChunkInterceptor> chunkInterceptors = new ArrayList<>();
    final CountDownLatch released = new CountDownLatch(1);
    final Set<Long> begun = ConcurrentHashMap.newKeySet();
    final List<Engine> engines = new ArrayList<>();
    RetryPolicy policy = RetryPolicy.fixed(Duration.ZERO);
    Strategy strategy = Strategy.AUTO;
    int maxConcurrency;
    HandlerOptions options = HandlerOptions.DEFAULTS;
    Duration lease = LEASE;
    long bufferBytes = 16 << 20;
    List<String> queues = List.of("default");
    ShutdownTimeouts shutdownTimeouts = SHORT;
    Duration pollInterval = Duration.ofMillis(20);
    WakeHub wakes = new WakeHub(WakeHub.localMessenger());
    OptionalInt connections = OptionalInt.empty();

    @Nullable
    Duration maxSuspend;

    NextMoment next = (queues, kinds, keyed, declared) -> NextMoment.Moments.NONE;
    List<Duty> duties = List.of();

    @AfterEach
    void stop() {
        released.countDown();
        engines.forEach(engine -> engine.stop(Duration.ZERO));
    }

    /** The action of a handler on its payload. */
    interface Work {
        Outcome run(String payload, JobRun run) throws Exception;
    }

    Engine start(int handlers, Work work) {
        Handlers kinds = new Handlers(new NoCodec());
        kinds.encoded(
                "greet",
                (payload, run) -> {
                    begun.add(run.job().id());
                    return work.run(payload, run);
                },
                options);
        return start(handlers, kinds);
    }

    Engine start(int handlers, Handlers kinds) {
        WorkerConfig config = new WorkerConfig(
                "test",
                kinds.chunksIntercepted(List.copyOf(chunkInterceptors)).intercepted(List.copyOf(interceptors)),
                new QueueOrder.Strict(queues),
                handlers,
                Math.max(handlers, maxConcurrency),
                0,
                2000,
                bufferBytes,
                1000,
                lease,
                pollInterval,
                maxSuspend,
                policy,
                strategy,
                false,
                shutdownTimeouts,
                List.of(),
                false,
                List.copyOf(listeners),
                null);
        WorkerFeatures features = FakeFeatures.of(store, duties, List.of());
        Ports ports =
                new Ports(store, store, store, store, next, features, Retention.DEFAULTS, wakes, connections, () -> 0);
        Engine engine = new Engine(ports, config);
        engines.add(engine);
        engine.start();
        return engine;
    }

    static final class NoCodec implements PayloadCodec {
        @Override
        public <T> String encode(T payload, TypeToken<T> type) {
            throw new UnsupportedOperationException();
        }

        @Override
        public <T> T decode(String text, TypeToken<T> type) {
            throw new UnsupportedOperationException();
        }
    }

    static void await(BooleanSupplier condition) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - deadline).as("waited for 20 s").isNegative();
            Delay.poll(2); // the condition may be one that sends no signal
        }
    }

    void awaitCompleted(long jobs) throws InterruptedException {
        await(() -> store.count(JobState.COMPLETED) == jobs);
    }

    Outcome block() throws InterruptedException {
        released.await();
        return Outcome.completed();
    }
}

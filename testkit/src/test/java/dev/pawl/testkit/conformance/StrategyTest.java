package dev.pawl.testkit.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.pawl.Strategy;
import dev.pawl.Worker;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** The worker over every strategy that is not the database's own. */
@ParameterizedClass
@MethodSource("strategies")
abstract class StrategyTest extends DatabaseTest implements WorkerContract, WorkerLifeContract {
    @Parameter
    Strategy strategy = Strategy.AUTO;

    static List<Strategy> strategies() {
        return List.of(
                Strategy.optimistic(Strategy.Optimistic.FOLLOW_WORKERS, Strategy.Pick.UNIFORM),
                new Strategy.Pessimistic(5, true),
                Strategy.TRANSACTIONAL);
    }

    @Override
    Strategy strategy() {
        return strategy;
    }

    /** The queue says how; the worker leaves it open. */
    @Test
    void aQueueMayChooseItsStrategy() throws Exception {
        fixture().admin.setStrategy("default", strategy);
        assertThat(fixture().admin.queues())
                .singleElement()
                .satisfies(queue -> assertThat(queue.strategy()).isEqualTo(strategy.toString()));
        fixture()
                .queue
                .enqueueAll(
                        Fixture.GREET,
                        IntStream.range(0, 200).mapToObj(i -> "n" + i).toList());
        try (Worker worker = Worker.on(fixture().queue)
                .handle(Fixture.GREET, (name, run) -> {})
                .start()) {
            await().until(() -> worker.stats().completed() == 200);
        }
        fixture().admin.setStrategy("default", Strategy.AUTO);
        while (fixture().store.sweep(1000) > 0) {}
        assertThat(fixture().admin.queues()).isEmpty();
    }
}

package dev.pawl.conformance.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.pawl.Worker;
import dev.pawl.admin.Admin;
import dev.pawl.api.Strategy;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.Parameter;

/** Every strategy that is not the database's default; the tests of a class run concurrently. */
@Execution(ExecutionMode.CONCURRENT)
abstract class StrategyTest extends DatabaseTest implements StrategyConformance {
    @Parameter
    Strategy strategy = Strategy.AUTO;

    @Override
    Strategy strategy() {
        return strategy;
    }

    /** The queue sets the strategy; the worker leaves it open. */
    @Test
    void aQueueMaySetTheStrategyOfItsWorkers(Fixture fixture) throws Exception {
        fixture.admin.queues().setStrategy("default", strategy);
        assertThat(fixture.admin.queues().list(Admin.UNLIMITED))
                .singleElement()
                .satisfies(queue -> assertThat(queue.strategy()).isEqualTo(strategy.toString()));
        fixture.queue.enqueueAll(
                Fixture.GREET, IntStream.range(0, 200).mapToObj(i -> "n" + i).toList());
        try (Worker worker = Worker.on(fixture.queue)
                .handle(Fixture.GREET, (name, run) -> {})
                .start()) {
            await().until(() -> worker.stats().completed() == 200);
        }
        fixture.admin.queues().setStrategy("default", Strategy.AUTO);
        fixture.sweepMarked();
        assertThat(fixture.admin.queues().list(Admin.UNLIMITED)).isEmpty();
    }
}

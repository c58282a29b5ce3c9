package dev.pawl.testkit.conformance;

import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import dev.pawl.JobState;
import dev.pawl.Strategy;
import dev.pawl.Worker;
import dev.pawl.WorkerBuilder;
import java.time.Duration;

/** What the contracts of the engine share. */
interface WithWorker extends Contract {
    Duration SOON = Duration.ofSeconds(20);

    default WorkerBuilder worker() {
        return Worker.on(fixture().queue)
                .strategy(fixture().strategy)
                .pollInterval(Duration.ofMillis(100))
                .grace(Duration.ofSeconds(5));
    }

    /** What a worker does every second. */
    default void sweepMarked() throws Exception {
        while (fixture().store.sweep(1000) > 0) {}
    }

    /** Its open transaction keeps others from the row, and on SQLite from the whole file. */
    default void assumeNoTransactionAroundHandlers() {
        assumeThat(fixture().strategy).isNotInstanceOf(Strategy.Transactional.class);
    }

    default void awaitState(long id, JobState state) {
        await().atMost(SOON).until(() -> fixture().job(id).state() == state);
    }
}

package dev.pawl.conformance.contract;

import dev.pawl.WorkerBuilder;
import dev.pawl.api.JobState;
import java.time.Duration;

/** Helpers of the engine's contracts. */
interface WithWorker extends Contract {
    Duration SOON = Fixture.SOON;

    default WorkerBuilder worker() {
        return fixture().newWorker();
    }

    default void sweepMarked() throws Exception {
        fixture().sweepMarked();
    }

    default void assumeNoTransactionAroundHandlers() {
        fixture().assumeNoTransactionAroundHandlers();
    }

    default void awaitState(long id, JobState state) {
        fixture().awaitState(id, state);
    }
}

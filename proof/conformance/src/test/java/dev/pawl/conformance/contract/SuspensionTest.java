package dev.pawl.conformance.contract;

import dev.pawl.api.Strategy;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Takes two idle minutes for each database, so it is in the full tier. Otherwise {@link PostgresSuspendedWorkerTest},
 * {@link UpcomingMomentContract} and the tests of the engine cover this.
 */
@Execution(ExecutionMode.CONCURRENT)
abstract class SuspensionTest extends DatabaseTest implements SuspensionContract {
    @Override
    Strategy strategy() {
        return Strategy.AUTO;
    }
}

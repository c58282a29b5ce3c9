package dev.pawl.conformance.contract;

import dev.pawl.api.Strategy;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * These tests take two idle minutes for each database, so they run only in the full tier. In the quick tier, {@link
 * PostgresSuspendedWorkerTest}, {@link UpcomingMomentContract} and the tests of the engine cover suspension.
 */
@Execution(ExecutionMode.CONCURRENT)
abstract class SuspensionTest extends DatabaseTest implements SuspensionContract {
    @Override
    Strategy strategy() {
        return Strategy.AUTO;
    }
}

package dev.pawl.conformance.contract;

import dev.pawl.api.Strategy;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Two minutes for each database, in which nothing happens: with PAWL_SLEEP=all. Otherwise {@link PostgresSleepTest},
 * {@link UpcomingMomentContract} and the tests of the engine stand for it.
 */
@Execution(ExecutionMode.CONCURRENT)
abstract class SleepTest extends DatabaseTest implements SleepContract {
    @Override
    Strategy strategy() {
        return Strategy.AUTO;
    }
}

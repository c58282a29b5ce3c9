package dev.pawl.conformance.contract;

import dev.pawl.Strategy;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** What must hold of the default, where jobs are in lanes and get rows when they need them. */
@Execution(ExecutionMode.CONCURRENT)
abstract class LanesConformance extends DatabaseTest
        implements LaneContract,
                LateCommitContract,
                EnqueueContract,
                HeaderContract,
                InterceptorContract,
                KeyContract,
                PatternContract,
                PlaceContract,
                LimitContract,
                TimeContract,
                UnusedContract,
                UpcomingMomentContract,
                UniqueContract,
                ScheduleContract,
                SqlDoorContract,
                BulkContract,
                AdminContract,
                BulkChangeContract,
                ChangeContract,
                PruneContract,
                RetentionContract,
                FaultContract,
                ElsewhereContract {
    @Override
    Strategy strategy() {
        return Strategy.AUTO;
    }
}

package dev.pawl.conformance.contract;

import dev.pawl.api.Strategy;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The contracts of the default: jobs are in lanes, and get rows when they need them. */
@Execution(ExecutionMode.CONCURRENT)
abstract class LanesConformance extends DatabaseTest
        implements LaneContract,
                ClaimTurnContract,
                NodeLanesContract,
                ImmediateClaimContract,
                LaneTransactionContract,
                LateCommitContract,
                LateJobsContract,
                DelayedJobsContract,
                EnqueueContract,
                HeaderContract,
                InterceptorContract,
                KeyContract,
                KeyClaimContract,
                KeyDelayContract,
                KeyHoldContract,
                KeyRateContract,
                PatternContract,
                PlaceContract,
                LimitContract,
                TimeContract,
                UnusedContract,
                UpcomingMomentContract,
                WaitReasonContract,
                UniqueContract,
                ScopeContract,
                ScheduleContract,
                SqlDoorContract,
                TextContract,
                BulkContract,
                AdminContract,
                CheckContract,
                LookContract,
                BulkChangeContract,
                ChangeContract,
                LinkedRowsContract,
                LabelContract,
                PruneContract,
                RetentionContract,
                WatchContract,
                FaultContract,
                IsolationContract,
                ResultContract,
                BatchContract,
                BatchCancelContract,
                StuckBatchContract,
                WorkflowContract,
                RemoteRunContract,
                ChunkContract,
                HoldContract,
                StepContract,
                StackContract {
    @Override
    Strategy strategy() {
        return Strategy.AUTO;
    }
}

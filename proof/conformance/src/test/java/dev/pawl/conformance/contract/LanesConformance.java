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
                KeyPauseContract,
                KeyRateContract,
                PatternContract,
                CapacityContract,
                LimitContract,
                TimeContract,
                UnusedContract,
                UpcomingMomentContract,
                WaitReasonContract,
                UniqueContract,
                ScopeContract,
                ScheduleContract,
                EnqueueSqlContract,
                TextContract,
                BulkContract,
                AdminContract,
                CheckContract,
                CountContract,
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
                BatchPauseContract,
                StepContract,
                StackContract {
    @Override
    Strategy strategy() {
        return Strategy.AUTO;
    }
}

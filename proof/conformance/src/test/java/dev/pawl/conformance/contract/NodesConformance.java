package dev.pawl.conformance.contract;

import dev.pawl.api.Strategy;

/**
 * The contracts that hold on a cluster all nodes of which take writes, as on one server. The others write states of one server by SQL, such as
 * its lanes, claim directly, or test its errors and query plans.
 */
abstract class NodesConformance extends DatabaseTest
        implements StrategyConformance,
                EnqueueContract,
                EnqueueSqlContract,
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
                UniqueKeyContract,
                ReplaceContract,
                ExpiredKeyContract,
                ScopeContract,
                ScheduleContract,
                TextContract,
                ForgeryContract,
                BulkContract,
                AdminContract,
                CheckContract,
                CountContract,
                BulkChangeContract,
                ChangeContract,
                LinkedRowsContract,
                LabelContract,
                PruneContract,
                WatchContract,
                IsolationContract,
                SlotContract,
                ResultContract,
                BatchContract,
                BatchCancelContract,
                StuckBatchContract,
                BatchPauseContract,
                WorkflowContract,
                RemoteRunContract,
                ChunkContract,
                LateCommitContract,
                StepContract,
                StackContract,
                SqlContract {
    @Override
    Strategy strategy() {
        return Strategy.AUTO;
    }
}

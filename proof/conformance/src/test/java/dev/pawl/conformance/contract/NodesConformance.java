package dev.pawl.conformance.contract;

import dev.pawl.api.Strategy;

/**
 * The contracts that hold on one server and on a cluster whose nodes all take writes. The contracts that are left out need one server: they
 * write its state by SQL (such as its lanes), claim directly, or test its errors and query plans.
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

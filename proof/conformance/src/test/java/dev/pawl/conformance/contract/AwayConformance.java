package dev.pawl.conformance.contract;

import dev.pawl.api.Strategy;

/** Contracts that use most of the tables, on connections with another default schema. So a statement with an unqualified table fails. */
abstract class AwayConformance extends DatabaseTest
        implements AdminContract,
                BatchContract,
                BulkChangeContract,
                KeyContract,
                LaneContract,
                LimitContract,
                ResultContract,
                RetentionContract,
                ScheduleContract,
                ScopeContract,
                SlotContract,
                StepContract,
                WatchContract,
                WorkerContract,
                WorkflowContract {
    @Override
    boolean isAway() {
        return true;
    }

    @Override
    Strategy strategy() {
        return Strategy.AUTO;
    }

    /** This test creates its own pool, which does not know the schema of the tables. */
    @Override
    public void sealingCountsWhatItWaitedForAtAnyIsolationLevel() {}
}

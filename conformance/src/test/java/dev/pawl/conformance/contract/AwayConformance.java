package dev.pawl.conformance.contract;

import dev.pawl.api.Strategy;

/**
 * What uses most of the tables, where connections do not lead to their schema: a statement that does not name it finds no table, and
 * fails.
 */
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

    /** It makes a pool of its own, which does not know where the tables are. */
    @Override
    public void sealingSeesWhatItWaitedForWhateverThePoolSays() {}
}

package dev.pawl.conformance.contract;

/**
 * Everything that a database must do, with the strategy that it chooses itself. A database is supported when a class that
 * names its server passes, and so does one that extends {@link StrategyTest}.
 */
abstract class Conformance extends DatabaseTest
        implements StrategyConformance,
                EnqueueContract,
                UniqueKeyContract,
                KindsContract,
                LaneContract,
                SettleContract,
                BulkContract,
                AdminContract,
                ChangeContract,
                PruneContract,
                PlanContract,
                ContentionContract,
                FaultContract,
                SlotContract,
                ElsewhereContract,
                UpgradeContract {}

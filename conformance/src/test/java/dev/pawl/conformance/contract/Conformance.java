package dev.pawl.conformance.contract;

/**
 * Everything that a database must do, with a row for each job, claimed as it does best. A database is supported when a class that
 * names its server passes, and so does one that extends {@link StrategyTest}.
 */
abstract class Conformance extends DatabaseTest
        implements StrategyConformance,
                EnqueueContract,
                HeaderContract,
                InterceptorContract,
                UniqueKeyContract,
                KindsContract,
                SettleContract,
                BulkContract,
                AdminContract,
                CheckContract,
                LookContract,
                BulkChangeContract,
                ChangeContract,
                PruneContract,
                RetentionContract,
                WatchContract,
                PlanContract,
                PlaceContract,
                ContentionContract,
                FaultContract,
                SlotContract,
                ResultContract,
                BatchContract,
                BatchCancelContract,
                StuckBatchContract,
                WorkflowContract,
                ElsewhereContract,
                ChunkContract,
                HoldContract,
                UpgradeContract,
                StepContract,
                StackContract {}

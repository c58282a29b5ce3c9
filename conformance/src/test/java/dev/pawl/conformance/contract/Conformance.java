package dev.pawl.conformance.contract;

import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Everything that a database must do, with a row for each job, claimed as it does best. A database is supported when a class that
 * names its server passes, and so does one that extends {@link StrategyTest}.
 */
@Execution(ExecutionMode.CONCURRENT)
abstract class Conformance extends DatabaseTest
        implements StrategyConformance,
                EnqueueContract,
                HeaderContract,
                InterceptorContract,
                UniqueKeyContract,
                ReplaceContract,
                ExpiredKeyContract,
                ForgeryContract,
                KindsContract,
                SettleContract,
                BulkContract,
                AdminContract,
                CheckContract,
                LookContract,
                BulkChangeContract,
                ChangeContract,
                LinkedRowsContract,
                PruneContract,
                RetentionContract,
                WatchContract,
                PlanContract,
                PlaceContract,
                ContentionContract,
                IsolationContract,
                FaultContract,
                FailoverContract,
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
                StackContract,
                SqlContract {}

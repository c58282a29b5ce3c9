package dev.pawl.conformance.contract;

import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * The contracts of a database, with one row per job and its best way to claim. A database is supported when a subclass for its server
 * passes, and so does its subclass of {@link StrategyTest}.
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
                CountContract,
                BulkChangeContract,
                ChangeContract,
                LinkedRowsContract,
                LabelContract,
                PruneContract,
                RetentionContract,
                WatchContract,
                PlanContract,
                CapacityContract,
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
                ReadOnlyContract,
                RemoteRunContract,
                ChunkContract,
                BatchPauseContract,
                UpgradeContract,
                StepContract,
                StackContract,
                SqlContract {}

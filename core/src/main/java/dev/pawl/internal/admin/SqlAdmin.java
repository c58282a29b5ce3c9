package dev.pawl.internal.admin;

import dev.pawl.admin.Admin;
import dev.pawl.admin.JobAdmin;
import dev.pawl.admin.Maintenance;
import dev.pawl.admin.QueueAdmin;
import dev.pawl.admin.RunAdmin;
import dev.pawl.admin.WorkerAdmin;
import dev.pawl.api.Retention;
import dev.pawl.internal.batch.SqlWorkflows;
import dev.pawl.internal.enqueue.PayloadLimit;
import dev.pawl.internal.feature.LinkedRows;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.retention.Pruner;
import dev.pawl.internal.settle.CompletionHook;
import dev.pawl.internal.settle.KeptStates;
import dev.pawl.internal.store.JobStore;
import dev.pawl.internal.watch.SqlLeadership;
import dev.pawl.internal.watch.SqlSeries;
import dev.pawl.spi.Leadership;
import dev.pawl.spi.Series;

/**
 * Administration over SQL. Thread-safe.
 *
 * @param jobs the jobs
 * @param runs their runs
 * @param queues the queues
 * @param workers the workers
 * @param maintenance retention, diagnosis and the tables
 * @param batches batches and workflows, for the classes of these features
 * @param leadership chooses the one process that performs a task, for extensions
 * @param series samples of the queues over time, for extensions
 */
public record SqlAdmin(
        JobAdmin jobs,
        RunAdmin runs,
        QueueAdmin queues,
        WorkerAdmin workers,
        Maintenance maintenance,
        BatchAdmin batches,
        Leadership leadership,
        Series series)
        implements Admin {
    /**
     * The components that changes of jobs need.
     *
     * @param retention which finished jobs are kept at all
     * @param completionHook called in the transaction that finishes a job
     * @param workflows reads workflows and their batches
     * @param linked rows that follow deleted jobs
     * @param payloads the maximum size of payloads
     */
    public record JobParts(
            Retention retention,
            CompletionHook completionHook,
            SqlWorkflows workflows,
            LinkedRows linked,
            PayloadLimit payloads) {
        private JobCommands commands(Database database) {
            return new JobCommands(database, new KeptStates(database.dialect(), retention), completionHook, linked);
        }
    }

    /**
     * @param calls reach the database
     * @param jobs the components that changes of jobs need
     * @param store knows which strategies the database supports
     * @param pruner deletes jobs whose retention has ended
     * @param tables examines and rebuilds tables of this database product
     * @return the administration
     */
    public static SqlAdmin of(AdminCalls calls, JobParts jobs, JobStore store, Pruner pruner, TableCare tables) {
        JobCommands commands = jobs.commands(calls.database());
        RunAdmin runs = new SqlRunAdmin(calls, commands);
        QueueAdmin queues = new SqlQueueAdmin(calls, store);
        Leadership leadership = new SqlLeadership(calls.database());
        return new SqlAdmin(
                new SqlJobAdmin(calls, commands, jobs.linked, jobs.payloads),
                runs,
                queues,
                new SqlWorkerAdmin(calls),
                new SqlMaintenance(calls, store, pruner, tables, queues, runs),
                new BatchAdmin(calls, commands, jobs.workflows),
                leadership,
                new SqlSeries(
                        calls.database(),
                        leadership,
                        new Queues(calls.database().dialect())::stats));
    }
}

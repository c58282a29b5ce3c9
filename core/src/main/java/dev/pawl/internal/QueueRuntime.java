package dev.pawl.internal;

import dev.pawl.api.EnqueueInterceptor;
import dev.pawl.api.PayloadCodec;
import dev.pawl.internal.admin.QueuePosition;
import dev.pawl.internal.admin.Waiters;
import dev.pawl.internal.batch.NewWorkflows;
import dev.pawl.internal.batch.SqlBatches;
import dev.pawl.internal.batch.SqlWorkflows;
import dev.pawl.internal.engine.Ports;
import dev.pawl.internal.jdbc.CallersPool;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.settle.CompletionHook;

/**
 * What a queue is made of, shared with its workers.
 *
 * @param pool as the caller gave it
 * @param database its connections, at work
 * @param codec for payloads
 * @param ports what a worker needs
 * @param ofTicks sees the jobs of schedules
 * @param completionHook called in the transaction that ends jobs
 * @param batches jobs that belong together
 * @param newWorkflows writes jobs that wait for each other
 * @param workflows looks at them
 * @param waiters for jobs to end
 * @param line where jobs stand
 */
public record QueueRuntime(
        CallersPool pool,
        Database database,
        PayloadCodec codec,
        Ports ports,
        EnqueueInterceptor ofTicks,
        CompletionHook completionHook,
        SqlBatches batches,
        NewWorkflows newWorkflows,
        SqlWorkflows workflows,
        Waiters waiters,
        QueuePosition line) {}

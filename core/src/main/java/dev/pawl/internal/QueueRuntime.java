package dev.pawl.internal;

import dev.pawl.api.EnqueueInterceptor;
import dev.pawl.api.PayloadCodec;
import dev.pawl.internal.admin.QueuePosition;
import dev.pawl.internal.admin.Waiters;
import dev.pawl.internal.batch.NewWorkflows;
import dev.pawl.internal.batch.SqlBatches;
import dev.pawl.internal.batch.SqlWorkflows;
import dev.pawl.internal.engine.Ports;
import dev.pawl.internal.enqueue.PayloadLimit;
import dev.pawl.internal.jdbc.CallersPool;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.settle.CompletionHook;

/**
 * The components of a queue, shared with its workers.
 *
 * @param pool as the caller gave it
 * @param database the pool and the dialect
 * @param codec for payloads
 * @param ports what a worker needs
 * @param payloads maximum size of payloads
 * @param ofTicks intercepts the jobs of schedules
 * @param completionHook called in the transaction that finishes jobs
 * @param batches opens, seals and reads batches
 * @param newWorkflows writes workflows
 * @param workflows reads workflows
 * @param waiters wait for jobs to finish
 * @param positions estimates the positions of jobs in their queues
 */
public record QueueRuntime(
        CallersPool pool,
        Database database,
        PayloadCodec codec,
        Ports ports,
        PayloadLimit payloads,
        EnqueueInterceptor ofTicks,
        CompletionHook completionHook,
        SqlBatches batches,
        NewWorkflows newWorkflows,
        SqlWorkflows workflows,
        Waiters waiters,
        QueuePosition positions) {}

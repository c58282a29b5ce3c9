package dev.pawl.internal;

import dev.pawl.EnqueueInterceptor;
import dev.pawl.PayloadCodec;
import dev.pawl.internal.engine.Ports;
import dev.pawl.internal.jdbc.CallersPool;
import dev.pawl.internal.jdbc.Database;

/**
 * What a queue is made of, shared with its workers.
 *
 * @param pool as the caller gave it
 * @param database its connections, at work
 * @param codec for payloads
 * @param ports what a worker needs
 * @param ofTicks sees the jobs of schedules
 */
public record QueueRuntime(
        CallersPool pool, Database database, PayloadCodec codec, Ports ports, EnqueueInterceptor ofTicks) {}

package dev.pawl.internal;

import dev.pawl.PayloadCodec;
import dev.pawl.Retention;
import dev.pawl.internal.store.JobStore;
import dev.pawl.internal.store.sql.Database;
import dev.pawl.internal.wake.WakeHub;
import javax.sql.DataSource;

/**
 * What a queue is made of, shared with its workers.
 *
 * @param dataSource the caller's pool
 * @param database the pool and the dialect
 * @param store the verbs
 * @param codec for payloads
 * @param retention how long finished jobs are kept
 * @param wakes tells workers that there is something to claim
 * @param notifications whether workers listen for news from other processes
 */
public record QueueCore(
        DataSource dataSource,
        Database database,
        JobStore store,
        PayloadCodec codec,
        Retention retention,
        WakeHub wakes,
        boolean notifications) {}

package dev.pawl.internal.engine;

import dev.pawl.Retention;
import dev.pawl.internal.store.JobStore;
import dev.pawl.internal.store.KeyTurns;
import dev.pawl.internal.store.LimitSource;
import dev.pawl.internal.store.Maintenance;
import dev.pawl.internal.store.NextMoment;
import dev.pawl.internal.store.TickSource;
import dev.pawl.internal.store.WorkerDirectory;
import dev.pawl.internal.wake.WakeHub;
import java.util.OptionalInt;
import java.util.function.LongSupplier;

/**
 * Everything the engine depends on.
 *
 * @param store the verbs of the main path
 * @param workers the rows of workers
 * @param maintenance keeps the tables small
 * @param ticks turns the ticks of schedules into jobs
 * @param limits deals out what limits allow
 * @param keys lets jobs with keys go when it is their turn
 * @param next tells a worker how long it may sleep
 * @param retention how long finished jobs are kept
 * @param wakes tells when there is something to claim
 * @param connections how many the pool has at most; empty if it does not say
 * @param contended how often something was tried again because others were in its way
 */
public record Ports(
        JobStore store,
        WorkerDirectory workers,
        Maintenance maintenance,
        TickSource ticks,
        LimitSource limits,
        KeyTurns keys,
        NextMoment next,
        Retention retention,
        WakeHub wakes,
        OptionalInt connections,
        LongSupplier contended) {}

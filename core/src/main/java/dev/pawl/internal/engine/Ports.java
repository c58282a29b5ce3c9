package dev.pawl.internal.engine;

import dev.pawl.api.Retention;
import dev.pawl.internal.store.JobStore;
import dev.pawl.internal.store.Maintenance;
import dev.pawl.internal.store.NextMoment;
import dev.pawl.internal.store.TickSource;
import dev.pawl.internal.store.WorkerDirectory;
import dev.pawl.internal.store.WorkerFeatures;
import dev.pawl.internal.wake.WakeHub;
import java.util.OptionalInt;
import java.util.function.LongSupplier;

/**
 * The dependencies of the engine.
 *
 * @param store operations of the main path
 * @param workers the registry of workers
 * @param maintenance keeps the tables small
 * @param ticks turns the ticks of schedules into jobs
 * @param next tells a worker how long it may be suspended
 * @param features what features add to workers
 * @param retention how long finished jobs are kept
 * @param wakes notifies workers of jobs
 * @param connections how many connections of the pool workers may use; empty if unknown
 * @param contended number of retries because of contention
 */
public record Ports(
        JobStore store,
        WorkerDirectory workers,
        Maintenance maintenance,
        TickSource ticks,
        NextMoment next,
        WorkerFeatures features,
        Retention retention,
        WakeHub wakes,
        OptionalInt connections,
        LongSupplier contended) {}

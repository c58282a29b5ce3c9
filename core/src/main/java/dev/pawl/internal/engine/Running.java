package dev.pawl.internal.engine;

import dev.pawl.internal.store.JobStore;

/**
 * What runs of single jobs and of chunks have in common.
 *
 * @param buffer claimed jobs that wait for a handler
 * @param starts logs starts of prefetched jobs
 * @param handlerRate how fast handlers are
 * @param longRuns reports runs that take long
 * @param handlers by kind
 * @param store of jobs
 * @param ends decides outcomes
 * @param completer records them
 * @param transactions of runs
 * @param log of jobs
 * @param events for listeners
 * @param counters of the worker
 */
record Running(
        Buffer buffer,
        StartLog starts,
        HandlerRate handlerRate,
        LongRuns longRuns,
        Handlers handlers,
        JobStore store,
        RunEnds ends,
        Completer completer,
        Transactions transactions,
        RunLog log,
        Events events,
        Counters counters) {}

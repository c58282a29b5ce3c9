package dev.pawl.internal.engine;

import dev.pawl.internal.quota.LocalLimits;
import dev.pawl.internal.store.ConcurrencyKeys;
import dev.pawl.internal.store.JobStore;
import dev.pawl.internal.store.WorkerContext;
import dev.pawl.internal.store.WorkerFeatures;
import dev.pawl.limit.Subject;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** What claiming, running and the duties of a worker share: its capacity, the jobs that it holds, limits, keys, and the way of outcomes. */
class SharedParts {
    final Ports queue;
    final WorkerConfig config;
    final Counters counters = new Counters();
    final HeldJobs heldJobs = new HeldJobs();
    final IdleGate idleGate = new IdleGate();
    final RunTally tally = new RunTally();
    final LongSupplier contended;
    final DatabaseHealth health;
    final ServerClock clock;
    final FetchSignal signal;
    final Capacity capacity;
    final MemoryGuard heap;
    final LocalLimits localLimits;
    final Buffer buffer;
    final KeyKeeper keys;
    final Events events;
    final OutcomePolicy outcomePolicy;
    final Completer completer;
    final Releaser releaser;
    final WorkerFeatures.Additions additions;
    final ClaimFilters filters;
    final RunLog log;
    final Interruptions interruptions;

    /**
     * @param jvm null to disable the check of the heap
     */
    SharedParts(Ports queue, WorkerConfig config, MemoryGuard.@Nullable Heap jvm) {
        this.queue = queue;
        this.config = config;
        JobStore store = queue.store();
        Handlers handlers = config.handlers();
        contended = queue.contended();
        health = new DatabaseHealth(config.name(), store::where, store::isOutage);
        clock = new ServerClock(config.name(), config.lease());
        signal = new FetchSignal(config.order()::wants);
        capacity = new Capacity(config.concurrency(), handlers.weights(), handlers.chunks());
        heap = new MemoryGuard(config.name(), config.maxHeapUse(), jvm, System.nanoTime());
        localLimits = new LocalLimits(
                subject -> atOnce(capacity, handlers, subject), config.order()::matches, Set.copyOf(handlers.kinds()));
        buffer = new Buffer(signal::capacityFreed, signal::poll, localLimits, capacity);
        keys = new KeyKeeper(
                config.name(),
                queue.keys(),
                config.order().set(),
                queue.wakes(),
                idleGate,
                () -> soonEnded(queue.keys()),
                health);
        events = new Events(counters, config.listeners());
        outcomePolicy = new OutcomePolicy(config.retryPolicy());
        completer = new Completer(
                store,
                heldJobs,
                events,
                keys,
                new Outcomes(config.bufferBytes()),
                new Substitute(outcomePolicy, handlers),
                health);
        releaser = new Releaser(heldJobs, counters, completer, health);
        additions = queue.features()
                .of(new WorkerContext(config.name(), config.order().set()));
        filters = new ClaimFilters(additions.filters(), heldJobs, completer, health);
        log = new RunLog(store);
        interruptions = new Interruptions(store, log);
    }

    /**
     * {@return how many keyed jobs, beyond those that can run at once, will finish within a moment: they were prefetched for that reason}
     * Zero where some keys are released while other jobs are recorded, so that a delay does not merge releases.
     */
    private int soonEnded(ConcurrencyKeys concurrencyKeys) {
        return localLimits.none() && !concurrencyKeys.areQuickerSideBySide() ? heldJobs.keyed() - capacity.count() : 0;
    }

    /** {@return how many jobs of a queue or kind can run at once} For a queue, the smallest weight counts. */
    private static int atOnce(Capacity capacity, Handlers handlers, Subject subject) {
        int weight = !capacity.isCounted()
                ? 1
                : subject.of() == Subject.Of.KIND ? handlers.weight(subject.name()) : handlers.leastWeight();
        int together = !capacity.anyChunks()
                ? 1
                : subject.of() == Subject.Of.KIND ? capacity.chunkSize(subject.name()) : capacity.largestChunk();
        return Math.max(1, capacity.count() / weight) * together;
    }
}

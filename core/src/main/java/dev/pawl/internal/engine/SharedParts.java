package dev.pawl.internal.engine;

import dev.pawl.internal.store.Admission;
import dev.pawl.internal.store.JobStore;
import dev.pawl.internal.store.WorkerContext;
import dev.pawl.internal.store.WorkerFeatures;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The parts that claiming, running and the duties of a worker share: its capacity, the jobs that it holds, the parts of features, and the
 * path of outcomes.
 */
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
    final Buffer buffer;
    final AddedParts added;
    final Host host;
    final EventLog eventLog = new EventLog();
    final Events events;
    final OutcomePolicy outcomePolicy;
    final Completer completer;
    final Releaser releaser;
    final WorkerFeatures.Additions additions;
    final Admission admission;
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
        capacity = handlers.capacity(
                config.concurrency(),
                config.shared() == null ? null : config.shared().join());
        heap = new MemoryGuard(config.name(), config.maxHeapUse(), jvm, System.nanoTime());
        host = new Host(config, capacity, heldJobs, idleGate, health, clock, new Host.Notice(signal, queue.wakes()));
        WorkerContext worker = new WorkerContext(config.name(), config.order().set());
        additions = queue.features().of(worker);
        WorkerFeatures.Parts parts = queue.features().parts(worker, host);
        admission = parts.admission();
        added = new AddedParts(parts.all());
        buffer = new Buffer(signal::capacityFreed, signal::poll, admission, capacity);
        events = new Events(counters, config.listeners(), eventLog);
        outcomePolicy = new OutcomePolicy(config.retryPolicy());
        completer = new Completer(
                store,
                heldJobs,
                events,
                added,
                new Outcomes(config.bufferBytes()),
                new Substitute(outcomePolicy, handlers),
                health);
        releaser = new Releaser(heldJobs, counters, completer, health);
        filters = new ClaimFilters(additions.filters(), heldJobs, completer, health);
        log = new RunLog(store);
        interruptions = new Interruptions(store, log);
    }
}

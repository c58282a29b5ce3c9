package dev.pawl.internal.engine;

import dev.pawl.internal.store.JobStore;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The claiming side of a worker: how it finds jobs, how far it claims ahead, and when it suspends. */
class ClaimParts extends SharedParts {
    /** How long an idle worker stays awake for a transaction whose commit causes no notification. */
    private static final long OPEN_TRANSACTION = TimeUnit.MINUTES.toNanos(1);

    final Strategies strategies;
    final WorkerRegistration registration;
    final Timekeeper timekeeper;
    final IdleSuspend suspend;
    final HandlerRate handlerRate;
    final HandlerOffers offers;
    final Fetcher fetcher;

    ClaimParts(Ports queue, WorkerConfig config, MemoryGuard.@Nullable Heap jvm) {
        super(queue, config, jvm);
        strategies = new Strategies(
                queue.store(),
                config.strategy(),
                !config.handlers().mayRunInTransaction(),
                this::settingsChanged,
                clock);
        registration = new WorkerRegistration(
                queue.workers(), queue.store(), config, queue.ticks().forms(config.schedules()), tally);
        timekeeper = new Timekeeper(
                queue.ticks(),
                strategies,
                new Timekeeper.Declared(config.schedules(), config.onlyDeclaredSchedules(), config.order()::matches),
                queue.wakes(),
                health,
                System::nanoTime);
        suspend = new IdleSuspend(
                config,
                queue.next(),
                registration,
                signal,
                idleGate,
                new IdleSuspend.Others(queue.wakes().reachesOthers(), added::watched),
                preconditions());
        handlerRate = new HandlerRate(capacity::reach, config.maxConcurrency());
        Claiming claiming = new Claiming(
                config, strategies, registration, capacity, buffer, prefetch(), admission, heldJobs, releaser, signal);
        ClaimReceiver receiver = new ClaimReceiver(claiming, counters, filters);
        ReleaseClaims releaseClaims = new ReleaseClaims(claiming, receiver);
        offers = new HandlerOffers(claiming, receiver, releaseClaims, host);
        host.wire(claiming, releaseClaims);
        fetcher = new Fetcher(claiming, receiver, releaseClaims, added, guards(), dueQueues());
    }

    private Fetcher.Guards guards() {
        return new Fetcher.Guards(heap, suspend, health);
    }

    private void settingsChanged(JobStore.Settings settings) {
        added.read(settings);
        filters.read(settings);
    }

    private List<IdleSuspend.Precondition> preconditions() {
        return List.of(
                nanos -> heldJobs.isEmpty(),
                nanos -> log.isEmpty(),
                nanos -> queue.wakes().publishesOnCommit() || signal.notExpectedFor() > OPEN_TRANSACTION,
                nanos -> timekeeper.isSettled(),
                nanos -> filters.areSettled(),
                nanos -> !fetcher.areClaimsPaused(), // a command may have paused the claims just now
                added::areSettledSince);
    }

    private Prefetch prefetch() {
        Prefetch prefetch =
                new Prefetch(new Prefetch.Bounds(config.buffer(), config.bufferBytes(), config.batch()), handlerRate);
        if (capacity.isCounted()) {
            prefetch.weighed(1, capacity.largest()); // until more is known
        }
        return prefetch;
    }

    private @Nullable DueQueues dueQueues() {
        return config.order() instanceof MatchingQueues matching
                ? new DueQueues(
                        matching, queue.workers(), Set.copyOf(config.handlers().kinds()))
                : null;
    }
}

package dev.pawl.internal.engine;

import static dev.pawl.internal.engine.Duty.WhileSuspended.HOLDS_NOTHING;
import static dev.pawl.internal.engine.Duty.WhileSuspended.MAY_WAIT;
import static dev.pawl.internal.engine.Duty.WhileSuspended.wakesFor;

import dev.pawl.internal.quota.LocalLimits;
import dev.pawl.internal.store.JobStore;
import dev.pawl.internal.store.KeyTurns;
import dev.pawl.internal.store.WorkSource;
import dev.pawl.internal.store.WorkerCommand;
import dev.pawl.limit.Subject;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The parts of a worker, wired together: the path of a job ({@link Fetcher} → {@link Buffer} → {@link Runner} → {@link Completer}), what
 * they share, and the duties beside it.
 */
final class WorkerParts {
    private static final Logger LOG = LoggerFactory.getLogger(WorkerParts.class);
    /** How long an idle worker stays awake for a transaction whose commit causes no notification. */
    private static final long OPEN_TRANSACTION = TimeUnit.MINUTES.toNanos(1);

    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration TICK = Duration.ofMillis(250);
    private static final Duration FIND = Duration.ofSeconds(3);
    private static final Duration HEARTBEAT = Duration.ofSeconds(10);
    private static final Duration UNATTENDED = Duration.ofSeconds(30);
    private static final Duration PRUNE = Duration.ofMinutes(1);

    /** Sources that the fetcher and the key thread check as soon as the worker resumes. */
    static final Set<WorkSource> CLAIMS = Set.of(
            WorkSource.JOBS,
            WorkSource.LANES,
            WorkSource.HOLDS,
            WorkSource.KEYS,
            WorkSource.KEY_HOLDS,
            WorkSource.KEY_RATES);

    final Counters counters = new Counters();
    final DatabaseHealth health;
    final ServerClock clock;
    final HeldJobs heldJobs = new HeldJobs();
    final IdleGate idleGate = new IdleGate();
    private final RunTally tally = new RunTally();
    final Releaser releaser;
    final FetchSignal signal;
    final IdleSuspend suspend;
    final Buffer buffer;
    final HandlerRate handlerRate;
    final Strategies strategies;
    final WorkerRegistration registration;
    final RunLog log;
    final Interruptions interruptions;
    final ProcessExits exits;
    final Completer completer;
    final Fetcher fetcher;
    final LimitKeeper limits;
    final KeyKeeper keys;
    final RunnerThreads runners;
    final List<Duty> duties;
    final Housekeeper housekeeper;
    final LongSupplier contended;
    final Capacity capacity;
    final MemoryGuard heap;
    private final LocalLimits localLimits;
    private final Runner runner;
    private final UnaryOperator<Runnable> watched;
    private final Timekeeper timekeeper;
    final Duty.Work finder;
    private final Duty.Work heartbeat;

    WorkerParts(Ports queue, WorkerConfig config, UnaryOperator<Runnable> watched, Consumer<WorkerCommand> commands) {
        this(queue, config, watched, commands, config.maxHeapUse() == 0 ? null : JvmHeap.of(config.name()));
    }

    /**
     * @param jvm null to disable the check of the heap
     */
    WorkerParts(
            Ports queue,
            WorkerConfig config,
            UnaryOperator<Runnable> watched,
            Consumer<WorkerCommand> commands,
            MemoryGuard.@Nullable Heap jvm) {
        JobStore store = queue.store();
        contended = queue.contended();
        health = new DatabaseHealth(config.name(), store::where, store::isOutage);
        Set<String> queues = config.order().set();
        signal = new FetchSignal(config.order()::wants);
        capacity = new Capacity(
                config.concurrency(),
                config.handlers().weights(),
                config.handlers().chunks());
        heap = new MemoryGuard(config.name(), config.maxHeapUse(), jvm, System.nanoTime());
        localLimits = new LocalLimits(
                subject -> atOnce(capacity, config.handlers(), subject),
                config.order()::matches,
                Set.copyOf(config.handlers().kinds()));
        buffer = new Buffer(signal::room, signal::poll, localLimits, capacity);
        keys = new KeyKeeper(
                config.name(), queue.keys(), queues, queue.wakes(), idleGate, () -> soonEnded(queue.keys()), health);
        Events events = new Events(counters, config.listeners());
        OutcomePolicy outcomePolicy = new OutcomePolicy(config.retryPolicy());
        completer = new Completer(
                store,
                heldJobs,
                events,
                keys,
                new Outcomes(config.bufferBytes()),
                new Substitute(outcomePolicy, config.handlers()),
                health);
        releaser = new Releaser(heldJobs, counters, completer, health);
        PausedBatches paused = new PausedBatches(store, heldJobs, completer, health);
        clock = new ServerClock(config.name(), config.lease());
        strategies = new Strategies(
                store,
                config.strategy(),
                config.handlers().anyElsewhere(),
                settings -> {
                    if (localLimits.limited(settings.limited())) {
                        buffer.limitsChanged();
                    }
                    keys.exist(settings.keyed());
                    paused.are(settings.paused());
                },
                clock);
        registration = new WorkerRegistration(
                queue.workers(), store, config, queue.ticks().forms(config.schedules()), tally);
        log = new RunLog(store);
        interruptions = new Interruptions(store, log);
        timekeeper = new Timekeeper(
                queue.ticks(),
                strategies,
                config.schedules(),
                config.onlyDeclaredSchedules(),
                config.order()::matches,
                queue.wakes(),
                health,
                System::nanoTime);
        suspend = new IdleSuspend(
                config,
                queue.next(),
                registration,
                signal,
                idleGate,
                store::lookForBatches,
                queue.wakes().reachesOthers(),
                keys::watched,
                List.of(
                        nanos -> heldJobs.isEmpty(),
                        nanos -> log.isEmpty(),
                        nanos -> queue.wakes().tellsOnCommit() || signal.notExpectedFor() > OPEN_TRANSACTION,
                        nanos -> timekeeper.isSettled(),
                        nanos -> paused.isSettled(),
                        localLimits::isSettledSince,
                        nanos -> !isQuiet(),
                        keys::isSettledSince));
        handlerRate = new HandlerRate(capacity::count, config.maxConcurrency());
        Prefetch prefetch =
                new Prefetch(new Prefetch.Limits(config.buffer(), config.bufferBytes(), config.batch()), handlerRate);
        if (capacity.isCounted()) {
            prefetch.weighed(1, capacity.largest()); // until more is known
        }
        ClaimReceiver receiver = new ClaimReceiver(
                config,
                strategies,
                capacity,
                buffer,
                prefetch,
                heldJobs,
                releaser,
                counters,
                paused,
                new StoppedJobs(store, heldJobs, completer));
        ReleaseClaims releaseClaims = new ReleaseClaims(
                config, strategies, registration, capacity, buffer, prefetch, localLimits, signal, receiver);
        keys.keyReleaser().claimBy(releaseClaims);
        fetcher = new Fetcher(
                config,
                strategies,
                registration,
                capacity,
                heap,
                buffer,
                prefetch,
                localLimits,
                keys,
                heldJobs,
                releaser,
                signal,
                suspend,
                receiver,
                releaseClaims,
                health,
                config.order() instanceof MatchingQueues matching
                        ? new DueQueues(
                                matching,
                                queue.workers(),
                                Set.copyOf(config.handlers().kinds()))
                        : null);
        limits = new LimitKeeper(
                config.name(),
                localLimits,
                queue.limits(),
                clock,
                queue.keys(),
                registration,
                buffer,
                releaser,
                signal,
                idleGate,
                health);
        exits = new ProcessExits(heldJobs, completer, outcomePolicy, config.handlers());
        LongRuns longRuns = new LongRuns(heldJobs, events);
        StartLog starts = new StartLog(queue.workers(), registration, heldJobs, buffer, handlerRate, health);
        Conflicts conflicts = new Conflicts(store, log);
        Transactions transactions = new Transactions(store, conflicts, config.transactionsAtOnce(queue.connections()));
        LimitFeedback feedback = new LimitFeedback(localLimits, buffer, keys);
        RunEnds ends = new RunEnds(outcomePolicy, log, feedback, tally, conflicts, interruptions);
        ChunkRuns chunks = new ChunkRuns(
                buffer,
                starts,
                handlerRate,
                longRuns,
                config.handlers(),
                store,
                ends,
                completer,
                transactions,
                log,
                events,
                counters);
        runner = new Runner(
                buffer,
                starts,
                handlerRate,
                longRuns,
                config.handlers(),
                store,
                ends,
                chunks,
                completer,
                transactions,
                log,
                events,
                counters);
        this.watched = watched;
        runners = new RunnerThreads(config.concurrency(), config.virtualThreads(), watched.apply(runner));
        StuckHandlers stuckHandlers = new StuckHandlers(
                config.shutdownTimeouts().interrupted(),
                heldJobs,
                completer,
                outcomePolicy,
                config.handlers(),
                (left, handler) -> {
                    Runnable instead = () -> {
                        handlerRate.left(handler); // before it takes its first job, which uses the same number
                        runner.run(handler, left);
                    };
                    if (runners.replace(watched.apply(instead))) {
                        return true;
                    }
                    LOG.error("{}: too many handlers do not end; one thread less for the others", config.name());
                    return false;
                });
        CancelWatch cancels = new CancelWatch(heldJobs, store);
        LeaseWatch watch = new LeaseWatch(heldJobs, buffer, completer);
        LeaseRenewer renewer =
                new LeaseRenewer(heldJobs, watch, queue.connections().orElse(2) > 1, health);
        Rescuer rescuer = new Rescuer(
                store, outcomePolicy, counters, new WorkerRescuePolicy(heldJobs, config, health, clock, strategies));
        Duration look = new LeaseTerms(config.lease()).checkInterval();
        heartbeat = () -> {
            long sent = System.nanoTime();
            commands.accept(registration.heartbeat());
            health.wrote(sent);
            registration.runs(capacity.count());
        };
        List<Duty> all = new ArrayList<>(List.of(
                new Duty("stop runs that have timed out", look, HOLDS_NOTHING, watch::check),
                new Duty("renew leases", look, HOLDS_NOTHING, renewer::renew),
                new Duty("stop cancelled runs", SECOND, HOLDS_NOTHING, () -> {
                    stuckHandlers.check();
                    longRuns.check();
                    cancels.check();
                }),
                new Duty("publish lost leases", look, HOLDS_NOTHING, completer::publishLost),
                new Duty("rescue abandoned jobs", SECOND, wakesFor(WorkSource.LEASES), () -> {
                    if (rescuer.rescue() > 0) {
                        signal.poll(); // this worker may be able to run them at once
                    }
                }),
                new Duty(
                        "tidy up after completed jobs",
                        SECOND,
                        wakesFor(WorkSource.BATCHES, WorkSource.LATE_JOBS),
                        () -> {
                            strategies.tidy();
                            paused.tidy();
                            store.tidy();
                        }),
                new Duty("write the log of jobs", SECOND, HOLDS_NOTHING, log::flush),
                new Duty("process schedules", TICK, wakesFor(WorkSource.TICKS), timekeeper::tick),
                new Duty("write the worker's heartbeat", HEARTBEAT, MAY_WAIT, heartbeat),
                new Duty("check whether the database is back", SECOND, HOLDS_NOTHING, () -> {
                    if (health.isLost()) {
                        heartbeat.run();
                    }
                }),
                new Duty("find jobs that no worker handles", UNATTENDED, MAY_WAIT, new Unattended(registration)::check),
                new Duty("clean up after dead workers", PRUNE, wakesFor(WorkSource.ENDED_PAUSES), store::sweep),
                new Duty(
                        "prune finished jobs",
                        PRUNE,
                        MAY_WAIT,
                        () -> queue.maintenance().prune(queue.retention()))));
        if (config.order() instanceof MatchingQueues matching) {
            finder = new QueueFinder(matching, queue.workers(), registration, signal)::refresh;
            all.add(new Duty("search for matching queues", FIND, MAY_WAIT, finder));
        } else {
            finder = () -> {};
        }
        duties = List.copyOf(all);
        requireDutyFor(WorkSource.values());
        housekeeper = new Housekeeper(duties, idleGate, health);
    }

    /** Fails if a source would resume the worker without a duty for its work. */
    private void requireDutyFor(WorkSource... sources) {
        Set<WorkSource> served = EnumSet.copyOf(CLAIMS);
        duties.forEach(duty -> served.addAll(duty.whileSuspended().sources()));
        if (!served.containsAll(List.of(sources))) {
            throw new IllegalStateException("only " + served + " have someone who does the work");
        }
    }

    /**
     * {@return how many keyed jobs, beyond those that can run at once, will finish within a moment: they were prefetched for that reason}
     * Zero where some keys are released while other jobs are recorded, so that a delay does not merge releases.
     */
    private int soonEnded(KeyTurns turns) {
        return localLimits.none() && !turns.areQuickerSideBySide() ? heldJobs.keyed() - capacity.count() : 0;
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

    /** A command may have changed it just now. */
    private boolean isQuiet() {
        return fetcher.isQuiet();
    }

    /** Runs before a suspension: reads changes made since the last regular reading, because no notification will report them. */
    void finalCheck() throws SQLException {
        heartbeat.run();
        finder.run();
        timekeeper.reconcile();
        strategies.readAgain();
    }

    /** The worker has resumed. */
    void resumed() {
        timekeeper.resumed();
        housekeeper.catchUp();
    }

    /**
     * Sets the number of handlers at once.
     *
     * @return the previous number
     */
    synchronized int scale(int handlers) {
        int before = capacity.count();
        int missing = buffer.scale(handlers); // includes those that the system did not provide the last time
        if (missing > 0) {
            buffer.notStarted(missing - runners.more(missing, watched.apply(runner)));
        }
        if (before != handlers) {
            runners.most(handlers);
            if (handlers > before) {
                localLimits.idle();
            }
            localLimits.scaled();
            signal.room();
        }
        return before;
    }
}

package dev.pawl.internal.engine;

import static dev.pawl.internal.engine.Duty.WhileSuspended.HOLDS_NOTHING;
import static dev.pawl.internal.engine.Duty.WhileSuspended.MAY_WAIT;
import static dev.pawl.internal.engine.Duty.WhileSuspended.wakesFor;

import dev.pawl.internal.quota.LocalLimits;
import dev.pawl.internal.store.JobStore;
import dev.pawl.internal.store.KeyTurns;
import dev.pawl.internal.store.Wishes;
import dev.pawl.internal.store.WorkSource;
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
 * The parts of a worker, wired together: the path of a job ({@link Fetcher} → {@link Buffer} → {@link Runner} →
 * {@link Completer}), what they share, and the duties beside it.
 */
final class WorkerParts {
    private static final Logger LOG = LoggerFactory.getLogger(WorkerParts.class);
    /** So long a worker that may sleep waits awake for a commit of which it will not hear. */
    private static final long OPEN_TRANSACTION = TimeUnit.MINUTES.toNanos(1);

    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration TICK = Duration.ofMillis(250);
    private static final Duration FIND = Duration.ofSeconds(3);
    private static final Duration HEARTBEAT = Duration.ofSeconds(10);
    private static final Duration UNATTENDED = Duration.ofSeconds(30);
    private static final Duration PRUNE = Duration.ofMinutes(1);

    /** What the fetcher and the keeper of keys look for as soon as the worker wakes. */
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
    final Pace pace;
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
    final Places places;
    final HeapMark heap;
    private final LocalLimits localLimits;
    private final Runner runner;
    private final UnaryOperator<Runnable> watched;
    private final Timekeeper timekeeper;
    final Duty.Work finder;
    private final Duty.Work heartbeat;

    WorkerParts(Ports queue, WorkerConfig config, UnaryOperator<Runnable> watched, Consumer<Wishes> wishes) {
        this(queue, config, watched, wishes, config.maxHeapUse() == 0 ? null : JvmHeap.of(config.name()));
    }

    /**
     * @param jvm null if it does not matter how full the heap is
     */
    WorkerParts(
            Ports queue,
            WorkerConfig config,
            UnaryOperator<Runnable> watched,
            Consumer<Wishes> wishes,
            HeapMark.@Nullable Heap jvm) {
        JobStore store = queue.store();
        contended = queue.contended();
        health = new DatabaseHealth(config.name(), store::where, store::isOutage);
        Set<String> queues = config.order().set();
        signal = new FetchSignal(config.order()::wants);
        places = new Places(
                config.concurrency(),
                config.handlers().weights(),
                config.handlers().chunks());
        heap = new HeapMark(config.name(), config.maxHeapUse(), jvm, System.nanoTime());
        localLimits = new LocalLimits(
                subject -> atOnce(places, config.handlers(), subject),
                config.order()::matches,
                Set.copyOf(config.handlers().kinds()));
        buffer = new Buffer(signal::room, signal::look, localLimits, places);
        keys = new KeyKeeper(
                config.name(), queue.keys(), queues, queue.wakes(), idleGate, () -> soonEnded(queue.keys()), health);
        Events events = new Events(counters, config.listeners());
        Judge judge = new Judge(config.retryPolicy());
        completer = new Completer(
                store,
                heldJobs,
                events,
                keys,
                new Outcomes(config.bufferBytes()),
                new Substitute(judge, config.handlers()),
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
                queue.workers(), store, config, queue.ticks().written(config.schedules()), tally);
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
        pace = new Pace(places::count, config.maxConcurrency());
        Prefetch prefetch =
                new Prefetch(new Prefetch.Limits(config.buffer(), config.bufferBytes(), config.batch()), pace);
        if (places.isCounted()) {
            prefetch.weighed(1, places.largest()); // until more is known
        }
        Intake intake = new Intake(
                config,
                strategies,
                places,
                buffer,
                prefetch,
                heldJobs,
                releaser,
                counters,
                paused,
                new StoppedJobs(store, heldJobs, completer));
        TurnClaims turnClaims =
                new TurnClaims(config, strategies, registration, places, buffer, prefetch, localLimits, signal, intake);
        keys.taker().claimBy(turnClaims);
        fetcher = new Fetcher(
                config,
                strategies,
                registration,
                places,
                heap,
                buffer,
                prefetch,
                localLimits,
                keys,
                heldJobs,
                releaser,
                signal,
                suspend,
                intake,
                turnClaims,
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
        exits = new ProcessExits(heldJobs, completer, judge, config.handlers());
        LongRuns longRuns = new LongRuns(heldJobs, events);
        StartMarks starts = new StartMarks(queue.workers(), registration, heldJobs, buffer, pace, health);
        Conflicts conflicts = new Conflicts(store, log);
        Transactions transactions = new Transactions(store, conflicts, config.transactionsAtOnce(queue.connections()));
        LimitFeedback feedback = new LimitFeedback(localLimits, buffer, keys);
        RunEnds ends = new RunEnds(judge, log, feedback, tally, conflicts, interruptions);
        ChunkRuns chunks = new ChunkRuns(
                buffer,
                starts,
                pace,
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
                pace,
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
        Stubborn stubborn = new Stubborn(
                config.patience().interrupted(), heldJobs, completer, judge, config.handlers(), (left, handler) -> {
                    Runnable instead = () -> {
                        pace.left(handler); // before it begins its first job, which goes by the same number
                        runner.run(handler, left);
                    };
                    if (runners.replace(watched.apply(instead))) {
                        return true;
                    }
                    LOG.error("{}: too many handlers do not end; one place less for the others", config.name());
                    return false;
                });
        CancelWatch cancels = new CancelWatch(heldJobs, store);
        LeaseWatch watch = new LeaseWatch(heldJobs, buffer, completer);
        LeaseRenewer renewer =
                new LeaseRenewer(heldJobs, watch, queue.connections().orElse(2) > 1, health);
        Rescuer rescuer = new Rescuer(
                store, judge, counters, new WorkerRescuePolicy(heldJobs, config, health, clock, strategies));
        Duration look = new LeaseTerms(config.lease()).look();
        heartbeat = () -> {
            long sent = System.nanoTime();
            wishes.accept(registration.heartbeat());
            health.wrote(sent);
            registration.runs(places.count());
        };
        List<Duty> all = new ArrayList<>(List.of(
                new Duty("stop what has run out of time", look, HOLDS_NOTHING, watch::look),
                new Duty("renew leases", look, HOLDS_NOTHING, renewer::renew),
                new Duty("stop what was cancelled", SECOND, HOLDS_NOTHING, () -> {
                    stubborn.look();
                    longRuns.look();
                    cancels.look();
                }),
                new Duty("tell of lost leases", look, HOLDS_NOTHING, completer::tellLost),
                new Duty("rescue abandoned jobs", SECOND, wakesFor(WorkSource.LEASES), () -> {
                    if (rescuer.rescue() > 0) {
                        signal.look(); // this worker may be able to run them right away
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
                new Duty("see to schedules", TICK, wakesFor(WorkSource.TICKS), timekeeper::look),
                new Duty("write the worker's heartbeat", HEARTBEAT, MAY_WAIT, heartbeat),
                new Duty("see whether the database is back", SECOND, HOLDS_NOTHING, () -> {
                    if (health.isLost()) {
                        heartbeat.run();
                    }
                }),
                new Duty(
                        "look for jobs that no worker handles",
                        UNATTENDED,
                        MAY_WAIT,
                        new Unattended(registration)::look),
                new Duty("sweep up after dead workers", PRUNE, wakesFor(WorkSource.ENDED_PAUSES), store::sweep),
                new Duty(
                        "prune finished jobs",
                        PRUNE,
                        MAY_WAIT,
                        () -> queue.maintenance().prune(queue.retention()))));
        if (config.order() instanceof MatchingQueues matching) {
            finder = new QueueFinder(matching, queue.workers(), registration, signal)::look;
            all.add(new Duty("look for queues that match", FIND, MAY_WAIT, finder));
        } else {
            finder = () -> {};
        }
        duties = List.copyOf(all);
        requireSomeoneFor(WorkSource.values());
        housekeeper = new Housekeeper(duties, idleGate, health);
    }

    /** Fails if a source would wake the worker, and no part of it would do the work. */
    private void requireSomeoneFor(WorkSource... sources) {
        Set<WorkSource> served = EnumSet.copyOf(CLAIMS);
        duties.forEach(duty -> served.addAll(duty.whileSuspended().sources()));
        if (!served.containsAll(List.of(sources))) {
            throw new IllegalStateException("only " + served + " have someone who does the work");
        }
    }

    /**
     * Of jobs with keys, how many more than can run at this moment: they are claimed only if they will be through in another one. None where
     * some can be let go while others are recorded: there it makes no difference whether they go together.
     */
    private int soonEnded(KeyTurns turns) {
        return localLimits.none() && !turns.areQuickerSideBySide() ? heldJobs.keyed() - places.count() : 0;
    }

    /** How many jobs of a queue or kind run at once at most. Of a queue there may be light ones. */
    private static int atOnce(Places places, Handlers handlers, Subject subject) {
        int weight = !places.isCounted()
                ? 1
                : subject.of() == Subject.Of.KIND ? handlers.weight(subject.name()) : handlers.leastWeight();
        int together = !places.anyChunks()
                ? 1
                : subject.of() == Subject.Of.KIND ? places.chunkSize(subject.name()) : places.largestChunk();
        return Math.max(1, places.count() / weight) * together;
    }

    /** It may have been told so just now. */
    private boolean isQuiet() {
        return fetcher.isQuiet();
    }

    /** Before it sleeps, beside no duty: what people may have said since it was read last, and it hears of nothing again. */
    void finalCheck() throws SQLException {
        heartbeat.run();
        finder.run();
        timekeeper.reconcile();
        strategies.readAgain();
    }

    /** It has slept. */
    void resumed() {
        timekeeper.resumed();
        housekeeper.catchUp();
    }

    /**
     * Another number of handlers at once.
     *
     * @return how many there were
     */
    synchronized int scale(int handlers) {
        int before = places.count();
        int missing = buffer.scale(handlers); // also those that the system did not give the last time
        if (missing > 0) {
            buffer.notThere(missing - runners.more(missing, watched.apply(runner)));
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

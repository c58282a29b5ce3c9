package dev.pawl.internal.engine;

import dev.pawl.internal.store.JobStore;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The running side of a worker: the threads of its handlers, and the parts that watch them. */
class RunParts extends ClaimParts {
    private static final Logger LOG = LoggerFactory.getLogger(RunParts.class);

    final ProcessExits exits;
    final LongRuns longRuns;
    final RunnerThreads runners;
    final StuckHandlers stuckHandlers;
    private final Runner runner;
    private final UnaryOperator<Runnable> watched;

    /**
     * @param watched supervises the work of a thread
     */
    RunParts(Ports queue, WorkerConfig config, UnaryOperator<Runnable> watched, MemoryGuard.@Nullable Heap jvm) {
        super(queue, config, jvm);
        this.watched = watched;
        JobStore store = queue.store();
        exits = new ProcessExits(heldJobs, completer, outcomePolicy, config.handlers());
        longRuns = new LongRuns(heldJobs, events);
        Conflicts conflicts = new Conflicts(store, log);
        HandlerCalls calls = new HandlerCalls(
                config.handlers(),
                store,
                new RunEnds(
                        outcomePolicy, new RunNotes(log, eventLog), added, tally, conflicts, interruptions, longRuns),
                new Transactions(store, conflicts, config.transactionsAtOnce(queue.connections())),
                log,
                events,
                counters);
        runner = new Runner(
                buffer,
                new StartLog(queue.workers(), registration, heldJobs, buffer, handlerRate, health),
                handlerRate,
                config.handlers(),
                calls,
                completer);
        runners = new RunnerThreads(config.concurrency(), config.virtualThreads(), watched.apply(runner));
        stuckHandlers = new StuckHandlers(
                config.shutdownTimeouts().interrupted(),
                heldJobs,
                completer,
                outcomePolicy,
                config.handlers(),
                this::replace);
    }

    /** {@return whether another thread takes the place of a handler that does not end} */
    private boolean replace(HeldJob left, int handler) {
        Runnable instead = () -> {
            handlerRate.left(handler); // before it takes its first job, which uses the same number
            runner.run(handler, left);
        };
        if (runners.replace(watched.apply(instead))) {
            return true;
        }
        LOG.error("{}: too many handlers do not end; one thread less for the others", config.name());
        return false;
    }

    /**
     * Sets how many handlers may run at once.
     *
     * @return the previous number
     */
    synchronized int scale(int handlers) {
        int before = capacity.count();
        int missing = buffer.scale(handlers); // includes threads that the system did not provide the last time
        if (missing > 0) {
            buffer.notStarted(missing - runners.more(missing, watched.apply(runner)));
        }
        if (before != handlers) {
            runners.most(handlers);
            if (handlers > before) {
                admission.idle();
            }
            admission.scaled();
            signal.capacityFreed();
        }
        return before;
    }
}

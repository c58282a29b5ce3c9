package dev.pawl.internal.engine;

import static dev.pawl.internal.store.Duty.WhileSuspended.HOLDS_NOTHING;
import static dev.pawl.internal.store.Duty.WhileSuspended.MAY_WAIT;
import static dev.pawl.internal.store.Duty.WhileSuspended.wakesFor;

import dev.pawl.internal.store.Duty;
import dev.pawl.internal.store.JobStore;
import dev.pawl.internal.store.WorkSource;
import dev.pawl.internal.store.WorkerRequest;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a worker, wired together: the path of a job ({@link Fetcher} → {@link Buffer} → {@link Runner} → {@link Completer}), the
 * parts that these share, and (in this class) the duties beside the path.
 */
final class WorkerParts extends RunParts {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration FIND = Duration.ofSeconds(3);
    private static final Duration HEARTBEAT = Duration.ofSeconds(10);
    private static final Duration UNATTENDED = Duration.ofSeconds(30);
    private static final Duration PRUNE = Duration.ofMinutes(1);

    final List<Duty> duties;
    final Housekeeper housekeeper;
    final Duty.Work finder;
    private final Duty.Work heartbeat;

    WorkerParts(Ports queue, WorkerConfig config, UnaryOperator<Runnable> watched, Consumer<WorkerRequest> commands) {
        this(queue, config, watched, commands, config.maxHeapUse() == 0 ? null : JvmHeap.of(config.name()));
    }

    /**
     * @param watched supervises the work of a thread
     * @param commands receives the commands of operators to the worker
     * @param jvm null to disable the check of the heap
     */
    WorkerParts(
            Ports queue,
            WorkerConfig config,
            UnaryOperator<Runnable> watched,
            Consumer<WorkerRequest> commands,
            MemoryGuard.@Nullable Heap jvm) {
        super(queue, config, watched, jvm);
        heartbeat = () -> {
            long sent = System.nanoTime();
            commands.accept(registration.heartbeat());
            health.wrote(sent);
            registration.runs(capacity.count());
        };
        List<Duty> all = new ArrayList<>();
        addDutiesOfRuns(all);
        addDutiesOfTheQueue(all);
        if (config.order() instanceof MatchingQueues matching) {
            finder = new QueueFinder(matching, queue.workers(), registration, signal)::refresh;
            all.add(new Duty("search for matching queues", FIND, MAY_WAIT, finder));
        } else {
            finder = () -> {};
        }
        all.addAll(additions.duties());
        duties = List.copyOf(all);
        requireDutyFor(queue.next().sources());
        housekeeper = new Housekeeper(duties, idleGate, health);
    }

    /** Adds the duties that concern the jobs of this worker. */
    private void addDutiesOfRuns(List<Duty> all) {
        LeaseWatch watch = new LeaseWatch(heldJobs, buffer, completer);
        LeaseRenewer renewer =
                new LeaseRenewer(heldJobs, watch, queue.connections().orElse(2) > 1, health);
        CancelWatch cancels = new CancelWatch(heldJobs, queue.store());
        Duration interval = new LeaseTerms(config.lease()).checkInterval();
        all.add(new Duty("stop runs that have timed out", interval, HOLDS_NOTHING, watch::check));
        all.add(new Duty("renew leases", interval, HOLDS_NOTHING, renewer::renew));
        all.add(new Duty("stop cancelled runs", SECOND, HOLDS_NOTHING, () -> {
            stuckHandlers.check();
            longRuns.check();
            cancels.check();
        }));
        all.add(new Duty("publish lost leases and repeated failures", interval, HOLDS_NOTHING, () -> {
            completer.publishLost();
            events.reportRepeats();
        }));
        all.add(new Duty("write the log of jobs", SECOND, HOLDS_NOTHING, log::flush));
        all.add(new Duty("write the worker's heartbeat", HEARTBEAT, MAY_WAIT, heartbeat));
        all.add(new Duty("check whether the database is back", SECOND, HOLDS_NOTHING, () -> {
            if (health.isLost()) {
                heartbeat.run();
            }
        }));
    }

    /** Adds the duties that any worker can do for all workers. */
    private void addDutiesOfTheQueue(List<Duty> all) {
        JobStore store = queue.store();
        Rescuer rescuer = new Rescuer(
                store, outcomePolicy, counters, new WorkerRescuePolicy(heldJobs, config, health, clock, strategies));
        all.add(new Duty("rescue abandoned jobs", SECOND, wakesFor(WorkSource.LEASES), () -> {
            if (rescuer.rescue() > 0) {
                signal.poll(); // this worker may be able to run them at once
            }
        }));
        all.add(new Duty("tidy up after completed jobs", SECOND, wakesFor(WorkSource.LATE_JOBS), strategies::tidy));
        all.add(timekeeper.duty());
        all.add(new Duty(
                "find jobs that no worker handles", UNATTENDED, MAY_WAIT, new Unattended(registration)::check));
        all.add(new Duty("clean up after dead workers", PRUNE, MAY_WAIT, store::sweep));
        all.add(new Duty(
                "prune finished jobs",
                PRUNE,
                MAY_WAIT,
                () -> queue.maintenance().prune(queue.retention())));
    }

    /** Fails if a source would resume the worker without a duty for its work. */
    private void requireDutyFor(Set<WorkSource> sources) {
        Set<WorkSource> unserved = new HashSet<>(sources);
        unserved.removeIf(source -> source.by() == WorkSource.By.MAIN_PATH);
        duties.forEach(duty -> unserved.removeAll(duty.whileSuspended().sources()));
        if (!unserved.isEmpty()) {
            throw new IllegalStateException("no duty does the work of " + unserved);
        }
    }

    /** Notes that these sources have work, perhaps created by other processes. */
    void found(Set<WorkSource> due) {
        for (Duty duty : duties) {
            if (duty.whileSuspended().sources().stream().anyMatch(due::contains)) {
                duty.work().recheck();
            }
        }
    }

    /** Runs before a suspension: reads changes made since the last regular reading, because no notification will report them. */
    void finalCheck() throws SQLException {
        heartbeat.run();
        finder.run();
        timekeeper.reconcile();
        strategies.readAgain();
    }

    /** Runs after a suspension. */
    void resumed() {
        duties.forEach(duty -> duty.work().recheck()); // pending work may be the reason for the notification
        timekeeper.resumed();
        housekeeper.catchUp();
    }
}

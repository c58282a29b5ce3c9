package dev.pawl.internal.engine;

import dev.pawl.WorkerStats;
import dev.pawl.internal.QueueCore;
import dev.pawl.internal.store.JobStore;
import dev.pawl.internal.store.Lease;
import dev.pawl.internal.store.sql.Pruner;
import dev.pawl.internal.store.sql.WorkerRegistry;
import dev.pawl.internal.wake.Wakes;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Wires the parts of a worker together, starts and stops them. The path of a job: {@link Fetcher} → {@link Buffer} →
 * {@link Runner} → {@link Completer}.
 */
public final class Engine {
    private static final Logger LOG = LoggerFactory.getLogger(Engine.class);
    private static final Duration LOOK = Duration.ofMillis(250);
    private static final Duration TICK = Duration.ofSeconds(1);
    private static final int SWEEP = 1000;
    private static final Duration HEARTBEAT = Duration.ofSeconds(10);
    private static final Duration PRUNE = Duration.ofMinutes(1);
    private static final long AFTER_INTERRUPT = TimeUnit.SECONDS.toNanos(5);

    private final QueueCore core;
    private final WorkerConfig config;
    private final JobStore store;
    private final HeldJobs heldJobs = new HeldJobs();
    private final Counters counters = new Counters();
    private final Strategies strategies;
    private final Waker waker;
    private final Buffer buffer;
    private final Identity identity;
    private final RunLog log;
    private final Completer completer;
    private final Fetcher fetcher;
    private final RunnerThreads runners;
    private final Thread fetcherThread;
    private final Thread completerThread;
    private final Housekeeper housekeeper = new Housekeeper(5);
    private final LeaseRenewer renewer;
    private final Rescuer rescuer;
    private final AtomicBoolean stopped = new AtomicBoolean();
    private AutoCloseable listener = () -> {};

    /**
     * @param core the queue
     * @param config frozen and checked
     */
    public Engine(QueueCore core, WorkerConfig config) {
        this.core = core;
        this.config = config;
        this.store = core.store();
        this.strategies = new Strategies(store, config.strategy());
        Events events = new Events(counters, config.listeners());
        Judge judge = new Judge(config.retryPolicy());
        this.waker = new Waker(new HashSet<>(config.order().names()));
        this.buffer = new Buffer(waker::room);
        this.identity = new Identity(new WorkerRegistry(core.database()), config);
        this.log = new RunLog(store);
        this.completer = new Completer(store, heldJobs, strategies, events, log);
        this.fetcher = new Fetcher(config, strategies, identity, buffer, heldJobs, waker, counters);
        Runner runner = new Runner(
                buffer,
                config.handlers(),
                store,
                strategies,
                judge,
                completer,
                new Transactions(core.database(), store),
                log,
                events);
        this.runners = new RunnerThreads(config.concurrency(), config.virtualThreads(), runner);
        this.renewer = new LeaseRenewer(store, heldJobs, buffer, completer);
        this.rescuer = new Rescuer(store, judge, counters);
        this.fetcherThread = daemon(fetcher, "pawl-fetcher");
        this.completerThread = daemon(completer, "pawl-completer");
    }

    private static Thread daemon(Runnable work, String name) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        return thread;
    }

    /** {@return what a worker is called unless it is given a name: host/process} */
    public static String defaultName() {
        String host;
        try {
            host = InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            host = "localhost";
        }
        return host + "/" + ProcessHandle.current().pid();
    }

    /** Starts all parts. */
    public void start() {
        Duration tick =
                config.lease().dividedBy(8).compareTo(LOOK) < 0 ? config.lease().dividedBy(8) : LOOK;
        core.wakes().add(waker);
        if (core.notifications()) {
            listener = Wakes.listen(core.dataSource(), core.database().dialect(), waker::wake);
        }
        completerThread.start();
        runners.start();
        fetcherThread.start();
        housekeeper.every(tick, "renew leases", renewer::renew);
        housekeeper.every(TICK, "rescue abandoned jobs", this::rescue);
        housekeeper.every(TICK, "sweep marked jobs", this::sweepOwn);
        housekeeper.every(TICK, "write the log of jobs", log::flush);
        housekeeper.every(HEARTBEAT, "show that the worker lives", identity::heartbeat);
        housekeeper.every(PRUNE, "prune finished jobs", this::prune);
        LOG.info(
                "{}: started; queues {}, kinds {}, {} at once",
                config.name(),
                config.order().names(),
                config.handlers().kinds(),
                config.concurrency());
    }

    /** Who marks also sweeps; what a dead worker has marked waits for the pruning of any. */
    private void sweepOwn() throws SQLException {
        if (strategies.marks()) {
            sweep();
        }
    }

    private void prune() throws SQLException {
        sweep();
        new Pruner(core.database()).prune(core.retention());
    }

    private void sweep() throws SQLException {
        int swept = SWEEP;
        while (swept == SWEEP) {
            swept = store.sweep(SWEEP);
        }
    }

    private void rescue() throws SQLException {
        if (rescuer.rescue() > 0) {
            waker.wake(config.order().names().get(0)); // they may be ours to run, at once
        }
    }

    /** {@return the id that jobs carry; waits for the database if the worker is not registered yet} */
    public long workerId() {
        return identity.getAsLong();
    }

    /** Claims no more; what is held is still run. */
    public void drain() {
        fetcher.stop();
    }

    /**
     * Waits until nothing is held and a look that began after that found nothing: a job may enqueue others as it ends.
     * The first empty round after the mark may have begun before it, so the second one counts.
     */
    public boolean awaitIdle(Duration timeout) throws InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        long claimed = -1;
        long rounds = 0;
        while (!stopped.get()) {
            if (!heldJobs.isEmpty()) {
                claimed = -1;
            } else if (!fetcherThread.isAlive()) {
                return true;
            } else if (claimed != counters.claimed.sum()) {
                claimed = counters.claimed.sum();
                rounds = fetcher.emptyRounds();
            } else if (fetcher.emptyRounds() >= rounds + 2) {
                return true;
            } else {
                waker.look();
            }
            if (System.nanoTime() - deadline >= 0) {
                return false;
            }
            TimeUnit.MILLISECONDS.sleep(2);
        }
        return true;
    }

    /** See {@link dev.pawl.Worker#stop}. */
    public void stop(Duration grace) {
        if (!stopped.compareAndSet(false, true)) {
            return;
        }
        boolean interrupted = false;
        try {
            stopInOrder(grace);
        } catch (InterruptedException e) {
            interrupted = true;
            completer.abandon();
            completerThread.interrupt();
        }
        housekeeper.stop();
        core.wakes().remove(waker);
        try {
            listener.close();
        } catch (Exception e) {
            LOG.debug("{}: the listener did not close", config.name(), e);
        }
        LOG.info("{}: stopped", config.name());
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void stopInOrder(Duration grace) throws InterruptedException {
        fetcher.stop();
        fetcherThread.join(TimeUnit.SECONDS.toMillis(5)); // a claim on its way puts its jobs into the buffer
        release(buffer.close());
        if (!runners.join(grace.toNanos())) {
            heldJobs.all().forEach(held -> held.stop(HeldJob.Stop.WORKER_STOPS));
            if (!runners.join(AFTER_INTERRUPT)) {
                LOG.warn(
                        "{}: {} handler(s) did not end when interrupted; their jobs will be rescued after their lease",
                        config.name(),
                        heldJobs.all().size());
            }
        }
        completer.stop();
        completerThread.join(AFTER_INTERRUPT / 1_000_000);
        completer.abandon();
        try {
            log.flush();
            identity.stopped();
        } catch (SQLException | RuntimeException e) {
            LOG.warn("{}: could not sign off: {}", config.name(), e.toString());
        }
    }

    private void release(List<HeldJob> unstarted) {
        if (unstarted.isEmpty()) {
            return;
        }
        List<Lease> leases = unstarted.stream().map(HeldJob::lease).toList();
        try {
            counters.released.add(store.release(leases));
        } catch (SQLException | RuntimeException e) {
            LOG.warn(
                    "{}: could not give back {} jobs, they will be rescued after their lease: {}",
                    config.name(),
                    leases.size(),
                    e.toString());
        }
        leases.forEach(heldJobs::remove);
    }

    /** {@return what the worker has done so far} */
    public WorkerStats stats() {
        Buffer.Level level = buffer.level();
        return new WorkerStats(
                counters.claimed.sum(),
                counters.completed.sum(),
                counters.failed.sum(),
                counters.snoozed.sum(),
                counters.cancelled.sum(),
                counters.discarded.sum(),
                counters.leasesLost.sum(),
                counters.released.sum(),
                counters.rescued.sum(),
                strategies.lost(),
                config.concurrency() - level.idle(),
                level.buffered());
    }
}

package dev.pawl.internal.engine;

import dev.pawl.api.WorkerCommand;
import dev.pawl.api.WorkerStats;
import dev.pawl.internal.store.Duty;
import dev.pawl.internal.store.WorkerRequest;
import dev.pawl.internal.wake.WakeHub;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The life of a worker: starts its parts, supervises its core threads, stops it. */
public final class Engine {
    private static final Logger LOG = LoggerFactory.getLogger(Engine.class);

    private static final Duration LONGEST = Duration.ofDays(3653);

    private final Ports queue;
    private final WorkerConfig config;
    private final WorkerParts parts;
    private final Thread fetcherThread;
    private final Thread completerThread;
    private final List<Thread> addedThreads;
    private volatile @Nullable Thread stopping;
    /** Created early, while there is memory for it. */
    private final Thread failing = daemon(() -> stopNow(0), "pawl-stop");

    private final AtomicBoolean stopped = new AtomicBoolean();
    private final CountDownLatch hasStopped = new CountDownLatch(1);
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private volatile WakeHub.Subscription subscription = () -> {};

    /**
     * @param queue the ports of the queue
     * @param config immutable and validated
     */
    public Engine(Ports queue, WorkerConfig config) {
        this.queue = queue;
        this.config = config;
        this.parts = new WorkerParts(queue, config, this::watched, this::follow);
        this.fetcherThread = daemon(watched(parts.fetcher), "pawl-fetcher");
        this.completerThread = daemon(watched(parts.completer), "pawl-completer");
        this.addedThreads = parts.added.all().stream()
                .map(part -> daemon(watched(part::run), part.name()))
                .toList();
    }

    /** {@return the default name of a worker: host/process} */
    public static String defaultName() {
        String host;
        try {
            host = InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            host = "localhost";
        }
        return host + "/" + ProcessHandle.current().pid();
    }

    /** Starts all parts. If a part cannot start, such as for lack of threads, the others stop, so that the caller may try again. */
    public void start() {
        try {
            startParts();
        } catch (Throwable cannotStart) {
            try {
                stopNow(0);
            } catch (Throwable also) {
                cannotStart.addSuppressed(also);
            }
            throw cannotStart;
        }
    }

    private void startParts() {
        warnAboutSmallPool();
        WarmUp.run(config.handlers());
        queue.wakes().add(parts.signal);
        subscription = queue.wakes().subscribe(parts.signal);
        parts.suspend.wire(subscription, parts::finalCheck, parts::found, parts::resumed);
        completerThread.start();
        parts.runners.start();
        fetcherThread.start();
        addedThreads.forEach(Thread::start);
        parts.housekeeper.start();
        queue.wakes().offers().add(parts.offers);
        LOG.info(
                "{}: started; queues {}, kinds {}, {} at once",
                config.name(),
                config.order().names(),
                config.handlers().kinds(),
                config.concurrency());
    }

    private void warnAboutSmallPool() {
        OptionalInt connections = queue.connections();
        int enough = config.concurrency() + WorkerConfig.OWN_CONNECTIONS;
        if (connections.isPresent() && connections.getAsInt() == 1) {
            LOG.warn(
                    "{}: the pool has only one connection, so leases cannot be renewed during a handler's transaction;"
                            + " configure {} for {} handlers",
                    config.name(),
                    enough,
                    config.concurrency());
        } else if (connections.isPresent() && connections.getAsInt() < enough) {
            LOG.info(
                    "{}: the pool has {} connections for {} handlers: no more than {} run.transaction(…) are open at"
                            + " once; {} connections are recommended",
                    config.name(),
                    connections.getAsInt(),
                    config.concurrency(),
                    config.transactionsAtOnce(connections),
                    enough);
        }
    }

    private static Thread daemon(Runnable work, String name) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        return thread;
    }

    /** Supervises an essential thread: if it dies, the worker stops, so that other workers get its jobs. */
    private Runnable watched(Runnable work) {
        return () -> {
            try {
                work.run();
            } catch (Throwable dead) {
                fail(dead);
            }
        };
    }

    /** Stops first and logs afterwards, because even logging may fail. */
    private void fail(Throwable cause) {
        if (failure.compareAndSet(null, cause)) {
            try {
                failing.start();
            } catch (Throwable noThread) {
                stopNow(0);
            }
            try {
                LOG.error(
                        "{}: {} failed, so this worker STOPS; its jobs are released, or rescued after their leases: {}",
                        config.name(),
                        Thread.currentThread().getName(),
                        ErrorText.of(cause));
            } catch (Throwable unspeakable) {
                return;
            }
        }
    }

    /** {@return the error that stopped the worker; empty if there is none} */
    public Optional<Throwable> failure() {
        return Optional.ofNullable(failure.get());
    }

    /** {@return whether the worker claims and runs jobs: it was not stopped and has not failed} */
    public boolean isAlive() {
        return !stopped.get() && failure.get() == null;
    }

    /** {@return the id of the worker's row; waits for the database if the worker is not registered yet} */
    public long workerId() {
        return parts.registration.getAsLong();
    }

    /** Stops claiming; held jobs still run. */
    public void drain() {
        parts.fetcher.stop();
    }

    /**
     * Waits until no job is held and a round of claims that began afterwards was empty, because a finishing job may enqueue others. The
     * first empty round may have begun while a job was held, so a second empty round is needed.
     */
    public boolean awaitIdle(Duration timeout) throws InterruptedException {
        parts.idleGate.keepAwake();
        try {
            parts.signal.rouse();
            return hasBecomeIdle(timeout);
        } finally {
            parts.idleGate.allowSuspend();
        }
    }

    private boolean hasBecomeIdle(Duration timeout) throws InterruptedException {
        long deadline = System.nanoTime() + nanos(timeout);
        long claimed = -1;
        long rounds = 0;
        long checks = 0;
        while (!stopped.get()) {
            if (!parts.heldJobs.isEmpty() || parts.added.areBusy()) {
                claimed = -1;
            } else if (!fetcherThread.isAlive()) {
                return true;
            } else if (claimed != parts.counters.claimed.sum()) {
                findQueues(); // so that the following rounds include new queues
                claimed = parts.counters.claimed.sum();
                rounds = parts.fetcher.emptyRounds();
                checks = parts.added.checks();
            } else if (parts.fetcher.emptyRounds() >= rounds + 2 && hasChecked(checks)) {
                return true;
            } else {
                parts.signal.poll();
            }
            if (System.nanoTime() - deadline >= 0) {
                return false;
            }
            TimeUnit.MILLISECONDS.sleep(2);
        }
        return failure.get() == null;
    }

    private void findQueues() {
        try {
            parts.finder.run();
        } catch (SQLException | RuntimeException e) {
            LOG.debug("{}: cannot search for matching queues", config.name(), e); // the duty logs it
        }
    }

    /** The second check began after the jobs had finished; the first one may have begun earlier. */
    private boolean hasChecked(long before) {
        long now = parts.added.checks();
        return now == Long.MAX_VALUE || now - 2 >= before;
    }

    /** Waits until the worker has stopped. */
    public void join() throws InterruptedException {
        hasStopped.await();
    }

    /** {@return the current concurrency} */
    public int concurrency() {
        return parts.capacity.count();
    }

    /** See {@link dev.pawl.Worker#concurrency(int)}. */
    public void concurrency(int handlers) {
        if (handlers < 1 || handlers > config.maxConcurrency()) {
            throw new IllegalArgumentException("concurrency " + handlers + " is not valid: use 1 to "
                    + config.maxConcurrency() + ", which is what WorkerBuilder.maxConcurrency allows");
        }
        int before = parts.scale(handlers);
        if (before != handlers) {
            LOG.info("{}: runs {} at once instead of {}", config.name(), handlers, before);
        }
    }

    List<Duty> duties() {
        return parts.duties;
    }

    /** Follows a request that arrived with the heartbeat. */
    private void follow(WorkerRequest request) {
        Integer handlers = request.concurrency();
        if (handlers != null && !stopped.get()) {
            concurrency(Math.max(1, Math.min(handlers, config.maxConcurrency())));
        }
        follow(request.command());
    }

    private void follow(WorkerCommand command) {
        if (command == WorkerCommand.STOP && !stopped.get()) {
            LOG.info("{}: stops on command", config.name());
            daemon(() -> stopNow(nanos(config.shutdownTimeouts().grace())), "pawl-stop")
                    .start();
        } else if ((command == WorkerCommand.QUIET) != parts.fetcher.areClaimsPaused()) {
            LOG.info(
                    "{}: {} on command",
                    config.name(),
                    command == WorkerCommand.QUIET ? "claims no more jobs" : "claims jobs again");
            parts.fetcher.pauseClaims(command == WorkerCommand.QUIET);
        }
    }

    /** See {@link dev.pawl.Worker#stop}. */
    public void stop(Duration grace) {
        long nanos = nanos(grace);
        if (isOwn(Thread.currentThread())) {
            // A listener or a handler: waiting here would be a deadlock.
            daemon(() -> stopNow(nanos), "pawl-stop").start();
        } else {
            stopNow(nanos);
        }
    }

    /** {@return whether it is a thread of the worker, which must not wait for the worker's stop} */
    public boolean isOwn(Thread thread) {
        return thread == fetcherThread
                || thread == completerThread
                || thread == stopping
                || parts.housekeeper.isOwn(thread)
                || parts.runners.all().contains(thread);
    }

    /** Limits the duration to ten years, because the nanoseconds of a longer one may not fit a long. */
    private static long nanos(Duration duration) {
        return duration.compareTo(LONGEST) > 0 ? LONGEST.toNanos() : duration.toNanos();
    }

    private void stopNow(long graceNanos) {
        if (!stopped.compareAndSet(false, true)) {
            awaitStopped();
            return;
        }
        stopping = Thread.currentThread(); // the stopping thread also publishes lost leases to listeners
        try {
            new Shutdown(config.name(), config.shutdownTimeouts(), parts, fetcherThread, completerThread, addedThreads)
                    .run(graceNanos);
        } finally {
            queue.wakes().remove(parts.signal);
            queue.wakes().offers().remove(parts.offers);
            try {
                subscription.close();
            } catch (Exception e) {
                LOG.debug("{}: the subscription did not close", config.name(), e);
            }
            hasStopped.countDown();
        }
        LOG.info("{}: stopped", config.name());
    }

    /** Waits for a stop in progress, because the caller may close the pool next. */
    private void awaitStopped() {
        try {
            hasStopped.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** {@return how long writes to the database have been failing; empty if they succeed} */
    public Optional<Duration> databaseLostFor() {
        return parts.health.lostFor();
    }

    /** {@return the worker's counters} */
    public WorkerStats stats() {
        Counters counters = parts.counters;
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
                parts.strategies.lost(),
                parts.contended.getAsLong(),
                counters.running.intValue(),
                parts.buffer.waiting(),
                parts.capacity.count(),
                parts.heap.isPausing(),
                parts.heap.times());
    }
}

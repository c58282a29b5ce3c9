package dev.pawl.shard;

import dev.pawl.JobQueue;
import dev.pawl.SharedConcurrency;
import dev.pawl.Worker;
import dev.pawl.WorkerBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Workers of several databases or schemas, such as shards or tenants, that share their handlers ({@link SharedConcurrency}). The fleet's
 * number of handlers is the maximum for all databases together. If only one database has jobs, all handlers run its jobs. A database that
 * cannot be reached delays only its own jobs: its worker starts, or works again, when the database is back. Thread-safe.
 */
public final class Fleet implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger("dev.pawl.shard");
    private static final Duration FIRST_TRY = Duration.ofSeconds(10);
    /** Bounds waits, because a duration may have more nanoseconds than fit a long. */
    private static final Duration LONGEST = Duration.ofDays(3653);

    private final SharedConcurrency concurrency;
    private final BiConsumer<Shard, WorkerBuilder> workers;
    private final Map<String, Worker> running = new LinkedHashMap<>();
    private final CountDownLatch closed = new CountDownLatch(1);
    private boolean draining;
    /** Whether {@link #start(int, List, BiConsumer)} has stopped waiting. Later mistakes of the program are logged and not thrown. */
    private boolean started;

    private @Nullable Throwable mistake;

    private Fleet(SharedConcurrency concurrency, BiConsumer<Shard, WorkerBuilder> workers) {
        this.concurrency = concurrency;
        this.workers = workers;
    }

    /**
     * Starts a worker for each database. Returns when each worker has started or failed for the first time, but after ten seconds at the
     * latest. Workers that have not started by then start when their databases can be reached.
     *
     * @param handlersAtOnce of all databases together, 1 to 10,000
     * @param shards the databases, which need not be those of a {@link ShardedQueue}
     * @param workers adds handlers and options to the worker of a shard; called for each shard, perhaps at the same time, and again if its
     *     worker cannot start yet. The concurrency is set afterwards. A schedule fires on each shard whose worker declares it
     * @return the running fleet
     * @throws IllegalArgumentException if two shards have the same name, or a worker cannot be started as described, see
     *     {@link WorkerBuilder#start}. If the database is reached only later, such an exception is logged as an error instead, and the
     *     start is tried again every ten seconds. The same applies to other exceptions that only the program can fix
     * @throws dev.pawl.api.SchemaException if the tables of a database do not fit, or have the ids of another shard
     */
    public static Fleet start(int handlersAtOnce, List<Shard> shards, BiConsumer<Shard, WorkerBuilder> workers) {
        Set<String> names = new HashSet<>();
        for (Shard shard : shards) {
            if (!names.add(shard.name())) {
                throw new IllegalArgumentException("two shards have the name '" + shard.name() + "'");
            }
        }
        Fleet fleet = new Fleet(SharedConcurrency.of(handlersAtOnce), Objects.requireNonNull(workers, "workers"));
        fleet.start(List.copyOf(shards));
        return fleet;
    }

    private void start(List<Shard> shards) {
        CountDownLatch tried = new CountDownLatch(shards.size());
        for (Shard shard : shards) {
            Thread thread = new Thread(() -> startWhenPossible(shard, tried), "pawl-fleet-" + shard.name());
            thread.setDaemon(true);
            thread.start();
        }
        try {
            boolean unused = tried.await(FIRST_TRY.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        Throwable wrong = mistake();
        if (wrong != null) {
            stop(Duration.ZERO);
            if (wrong instanceof Error error) {
                throw error;
            }
            throw (RuntimeException) wrong;
        }
    }

    private synchronized @Nullable Throwable mistake() {
        started = true;
        return mistake;
    }

    private void startWhenPossible(Shard shard, CountDownLatch tried) {
        StartTries tries = new StartTries(shard);
        try {
            while (mayStart()) {
                Throwable error = tryToStart(shard);
                if (error == null) {
                    tries.ended();
                    return;
                }
                if (!mayStart() || (StartTries.isMistake(error) && isThrown(error))) {
                    return;
                }
                long wait = tries.failed(error);
                if (tries.failures() == 1) {
                    tried.countDown();
                }
                await(wait);
            }
        } finally {
            if (tries.failures() == 0) {
                tried.countDown();
            }
        }
    }

    /** Waits. An interrupt, perhaps by code that configures the worker, only ends the wait. */
    private void await(long millis) {
        try {
            boolean unused = closed.await(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            LOG.debug("interrupted between two tries", e);
        }
    }

    private synchronized boolean isThrown(Throwable error) {
        if (!started && mistake == null) {
            mistake = error;
        }
        return !started;
    }

    /** {@return why the worker has not started; null if it has started, or must not start any more} */
    private @Nullable Throwable tryToStart(Shard shard) {
        try {
            WorkerBuilder builder = Worker.on(shard.queue());
            workers.accept(shard, builder);
            start(shard, builder.concurrency(concurrency));
            return null;
        } catch (RuntimeException | Error e) {
            return e;
        }
    }

    /** Starts the worker, unless the fleet drains or is closed. This does not use the database, so it can be done under the lock. */
    private synchronized void start(Shard shard, WorkerBuilder builder) {
        if (mayStart()) {
            running.put(shard.name(), builder.start());
        }
    }

    private synchronized boolean mayStart() {
        return !draining && closed.getCount() > 0;
    }

    /**
     * {@return the worker of a shard; empty while its database has not been reached yet}
     *
     * @param shard the shard
     */
    public synchronized Optional<Worker> worker(Shard shard) {
        return Optional.ofNullable(running.get(shard.name()));
    }

    private synchronized List<Worker> all() {
        return List.copyOf(running.values());
    }

    /** {@return how many handlers the fleet runs at once} */
    public int handlersAtOnce() {
        return concurrency.handlersAtOnce();
    }

    /** {@return how many handlers have a job now} */
    public int running() {
        return concurrency.running();
    }

    /**
     * Stops claiming. Jobs that the workers already hold still run. Then the workers are idle until the fleet is
     * closed. A worker that has not started yet does not start any more.
     */
    public void drain() {
        List<Worker> all;
        synchronized (this) {
            draining = true;
            all = all();
        }
        all.forEach(Worker::drain);
    }

    /**
     * Waits until every worker has found nothing to claim and holds no job, like {@link Worker#awaitIdle}. Databases that have not been
     * reached yet do not count.
     *
     * @param timeout the maximum time to wait
     * @return false if the timeout has passed first, or a worker has stopped itself
     * @throws InterruptedException if the calling thread is interrupted
     */
    public boolean awaitIdle(Duration timeout) throws InterruptedException {
        long deadline = System.nanoTime() + (timeout.compareTo(LONGEST) > 0 ? LONGEST : timeout).toNanos();
        long before;
        do { // a job may have enqueued jobs on a shard that was idle before
            before = claimed();
            for (Worker worker : all()) {
                if (!worker.awaitIdle(Duration.ofNanos(Math.max(0, deadline - System.nanoTime())))) {
                    return false;
                }
            }
        } while (claimed() != before);
        return true;
    }

    private long claimed() {
        return all().stream().mapToLong(worker -> worker.stats().claimed()).sum();
    }

    /**
     * Stops all workers at the same time, see {@link Worker#stop}. The queues stay open. A call from a handler or a
     * listener of one of the workers returns at once.
     *
     * @param graceTime how long running handlers may continue
     */
    public void stop(Duration graceTime) {
        stopAll(worker -> worker.stop(graceTime));
    }

    /** Stops all workers at the same time, see {@link Worker#close}. The queues ({@link JobQueue}) stay open. */
    @Override
    public void close() {
        stopAll(Worker::close);
    }

    private void stopAll(Consumer<Worker> stop) {
        List<Worker> all;
        synchronized (this) {
            closed.countDown();
            all = List.copyOf(running.values());
        }
        List<Thread> threads = new ArrayList<>();
        for (Worker worker : all) {
            Thread thread = new Thread(() -> stop.accept(worker), "pawl-fleet-stop");
            thread.setDaemon(true);
            thread.start();
            threads.add(thread);
        }
        if (all.stream().anyMatch(Worker::isOwnThread)) {
            return; // one of the workers waits for this thread
        }
        try {
            for (Thread thread : threads) {
                thread.join();
            }
        } catch (InterruptedException e) { // the workers stop nevertheless
            Thread.currentThread().interrupt();
        }
    }
}

package dev.pawl.shard;

import dev.pawl.JobQueue;
import dev.pawl.SharedConcurrency;
import dev.pawl.Worker;
import dev.pawl.WorkerBuilder;
import dev.pawl.api.DatabaseException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Workers of several databases or schemas, such as shards or tenants, that run their handlers as one: no more at once
 * than the fleet may, and all of them for one database if the others have no jobs ({@link SharedConcurrency}). A
 * database that cannot be reached delays only its own jobs: its worker starts, or works again, when the database is
 * back. Thread-safe.
 */
public final class Fleet implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger("dev.pawl.shard");
    private static final Duration FIRST_TRY = Duration.ofSeconds(10);
    private static final long LONGEST_WAIT = 10_000;

    private final SharedConcurrency concurrency;
    private final BiConsumer<Shard, WorkerBuilder> workers;
    private final Map<String, Worker> running = new LinkedHashMap<>();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final AtomicReference<RuntimeException> failure = new AtomicReference<>();

    private Fleet(SharedConcurrency concurrency, BiConsumer<Shard, WorkerBuilder> workers) {
        this.concurrency = concurrency;
        this.workers = workers;
    }

    /**
     * Starts a worker for each database. Returns when each has started or failed for the first time, but after ten
     * seconds at the latest; those that have not started yet start when their databases can be reached.
     *
     * @param handlersAtOnce of all databases together, 1 to 10,000
     * @param shards the databases, which need not be those of a {@link ShardedQueue}
     * @param workers adds handlers and options to the worker of a shard; called once for each, perhaps at the same time.
     *     The concurrency is set afterwards. A schedule fires on each shard whose worker declares it
     * @return the running fleet
     * @throws IllegalArgumentException if a worker cannot be started as described, see {@link WorkerBuilder#start}
     * @throws dev.pawl.api.SchemaException if the tables of a database do not fit, or have the ids of another shard
     */
    public static Fleet start(int handlersAtOnce, List<Shard> shards, BiConsumer<Shard, WorkerBuilder> workers) {
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
        RuntimeException wrong = failure.get();
        if (wrong != null) {
            stop(Duration.ZERO);
            throw wrong;
        }
    }

    private void startWhenPossible(Shard shard, CountDownLatch tried) {
        long wait = 250;
        boolean first = true;
        try {
            while (closed.getCount() > 0) {
                RuntimeException error = tryToStart(shard);
                if (error == null) {
                    return;
                }
                if (first && !(error instanceof DatabaseException)) {
                    LOG.error("shard {}: its worker cannot start: {}", shard.name(), error.getMessage());
                    failure.compareAndSet(null, error);
                    return;
                }
                first = false;
                tried.countDown();
                LOG.warn("shard {}: no worker yet, trying again in {} ms: {}", shard.name(), wait, error.getMessage());
                boolean unused = closed.await(wait, TimeUnit.MILLISECONDS);
                wait = Math.min(2 * wait, LONGEST_WAIT);
            }
        } catch (InterruptedException e) {
            LOG.warn("shard {}: its thread was interrupted, so it gets no worker", shard.name());
        } finally {
            tried.countDown();
        }
    }

    /** {@return why it has not started; null if it has, or the fleet is closed} */
    private @Nullable RuntimeException tryToStart(Shard shard) {
        try {
            WorkerBuilder builder = Worker.on(shard.queue());
            workers.accept(shard, builder);
            Worker worker = builder.concurrency(concurrency).start();
            if (!add(shard, worker)) {
                worker.stop(Duration.ZERO);
            }
            return null;
        } catch (RuntimeException e) {
            return e;
        }
    }

    private synchronized boolean add(Shard shard, Worker worker) {
        if (closed.getCount() == 0) {
            return false;
        }
        running.put(shard.name(), worker);
        return true;
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

    /** Stops claiming. Jobs that the workers already hold still run; then they are idle until the fleet is closed. */
    public void drain() {
        all().forEach(Worker::drain);
    }

    /**
     * Waits until no worker has found a job or holds one, like {@link Worker#awaitIdle}. Databases that have not been
     * reached yet do not count.
     *
     * @param timeout the maximum time to wait
     * @return false if the timeout has passed first
     * @throws InterruptedException if the calling thread is interrupted
     */
    public boolean awaitIdle(Duration timeout) throws InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        long before;
        do { // a job may have enqueued others on a shard that was idle before
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
     * Stops all workers at the same time, see {@link Worker#stop}. The queues stay open.
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
        try {
            for (Thread thread : threads) {
                thread.join();
            }
        } catch (InterruptedException e) { // the workers stop nevertheless
            Thread.currentThread().interrupt();
        }
    }
}

package dev.pawl;

import dev.pawl.internal.engine.SharedCapacity;

/**
 * The number of handlers that several workers of one process may run at once, all together. For workers of several
 * databases or schemas, such as tenants or shards: an idle database leaves all handlers to the others, and a database
 * that cannot be reached delays only its own jobs.
 *
 * <pre>{@code
 * SharedConcurrency forty = SharedConcurrency.of(40);
 * Worker europe = Worker.on(euQueue).handle(SEND, send).concurrency(forty).start();
 * Worker america = Worker.on(usQueue).handle(SEND, send).concurrency(forty).start();
 * }</pre>
 *
 * <p>While jobs of several workers wait, a handler that becomes free takes a job of the worker that runs the fewest, so
 * each worker gets an equal share, up to what it can use. A handler that has begun is not interrupted for that. A
 * worker that is scaled down ({@link Worker#concurrency(int)}) does not exceed its own concurrency. Thread-safe.
 *
 * <p>A worker that shares its concurrency records the start of every job before it runs the handler, because another
 * worker may take the handler for which the job was claimed. The worker has a thread for each handler, virtual where the JVM has them and
 * {@link WorkerBuilder#virtualThreads} is on.
 */
public final class SharedConcurrency {
    private final SharedCapacity capacity;

    private SharedConcurrency(int handlersAtOnce) {
        this.capacity = new SharedCapacity(handlersAtOnce);
    }

    /**
     * Returns a concurrency for workers to share.
     *
     * @param handlersAtOnce of all workers together, 1 to 10,000
     * @return the concurrency, for {@link WorkerBuilder#concurrency(SharedConcurrency)}
     * @throws IllegalArgumentException if it is outside the range
     */
    public static SharedConcurrency of(int handlersAtOnce) {
        if (handlersAtOnce < 1 || handlersAtOnce > 10_000) {
            throw new IllegalArgumentException("concurrency " + handlersAtOnce + " is not valid: use 1 to 10000");
        }
        return new SharedConcurrency(handlersAtOnce);
    }

    /** {@return how many handlers the workers run at once, together} */
    public int handlersAtOnce() {
        return capacity.count();
    }

    /** {@return how many of these handlers have a job now} */
    public int running() {
        return capacity.taken();
    }

    SharedCapacity capacity() {
        return capacity;
    }
}

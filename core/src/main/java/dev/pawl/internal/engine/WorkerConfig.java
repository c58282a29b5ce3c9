package dev.pawl.internal.engine;

import dev.pawl.RetryPolicy;
import dev.pawl.Strategy;
import dev.pawl.WorkerEvent;
import dev.pawl.internal.store.Declaration;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The options of a worker, frozen and checked. See {@link dev.pawl.WorkerBuilder} for their meaning.
 *
 * @param name shown in lists
 * @param handlers by kind
 * @param order of the queues
 * @param concurrency handlers at once, when it starts
 * @param maxConcurrency to which it may be raised
 * @param maxHeapUse part of the heap above which nothing is claimed; zero for none
 * @param buffer claimed jobs that may wait
 * @param bufferBytes of payload that may wait
 * @param batch the largest claim
 * @param lease how long
 * @param pollInterval the longest
 * @param maxSuspend how long it may sleep while it is idle; null: it does not
 * @param retryPolicy of kinds without their own
 * @param strategy of the claims
 * @param virtualThreads if the JVM has them
 * @param patience while stopping
 * @param schedules that the program declares
 * @param onlyDeclaredSchedules whether others that programs have declared go when no live worker declares them any more
 * @param listeners told of events
 */
public record WorkerConfig(
        String name,
        Handlers handlers,
        QueueOrder order,
        int concurrency,
        int maxConcurrency,
        double maxHeapUse,
        int buffer,
        long bufferBytes,
        int batch,
        Duration lease,
        Duration pollInterval,
        @Nullable Duration maxSuspend,
        RetryPolicy retryPolicy,
        Strategy strategy,
        boolean virtualThreads,
        Patience patience,
        List<Declaration> schedules,
        boolean onlyDeclaredSchedules,
        List<Consumer<WorkerEvent>> listeners) {
    /**
     * Recommended for the worker itself while all handlers have a transaction open: to claim, to record, to renew. Its other
     * duties share them.
     */
    static final int OWN_CONNECTIONS = 3;

    /** {@return how many handlers may have a transaction open, so that one connection is left to renew leases} */
    int transactionsAtOnce(OptionalInt connections) {
        return connections.isPresent() ? Math.max(1, connections.getAsInt() - 1) : maxConcurrency;
    }
}

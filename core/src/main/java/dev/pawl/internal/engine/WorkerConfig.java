package dev.pawl.internal.engine;

import dev.pawl.api.RetryPolicy;
import dev.pawl.api.Strategy;
import dev.pawl.api.WorkerEvent;
import dev.pawl.internal.store.Declaration;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The options of a worker, immutable and validated. See {@link dev.pawl.WorkerBuilder} for their meaning.
 *
 * @param name shown in lists
 * @param handlers by kind
 * @param order of the queues
 * @param concurrency initial number of handlers at once
 * @param maxConcurrency largest number to which it may be raised
 * @param maxHeapUse fraction of the heap above which claims are stopped; zero for none
 * @param buffer maximum number of claimed jobs that wait
 * @param bufferBytes maximum payload of claimed jobs that wait, in bytes
 * @param batch the largest claim
 * @param lease the length of a lease
 * @param pollInterval the longest time between two polls
 * @param maxSuspend longest suspension of an idle worker; null for none
 * @param retryPolicy of kinds without their own
 * @param strategy of the claims
 * @param virtualThreads whether to use them, if the JVM has them
 * @param shutdownTimeouts while stopping
 * @param schedules that the program declares
 * @param onlyDeclaredSchedules whether to remove declared schedules that no live worker declares any more
 * @param listeners receive events
 * @param shared capacity that the worker shares with others of this process, using at most {@code concurrency} of it; null for none
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
        ShutdownTimeouts shutdownTimeouts,
        List<Declaration> schedules,
        boolean onlyDeclaredSchedules,
        List<Consumer<WorkerEvent>> listeners,
        @Nullable SharedCapacity shared) {
    /**
     * Recommended number of connections for the worker itself while all handlers have a transaction open: one each to claim, to record, to
     * renew. Its other duties share them.
     */
    static final int OWN_CONNECTIONS = 3;

    /** {@return the names of the schedules that the program declares} */
    List<String> declaredNames() {
        return schedules.stream().map(Declaration::name).toList();
    }

    /** {@return how many handlers may have a transaction open, so that one connection is left to renew leases} */
    int transactionsAtOnce(OptionalInt connections) {
        return connections.isPresent() ? Math.max(1, connections.getAsInt() - 1) : maxConcurrency;
    }
}

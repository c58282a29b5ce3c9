package dev.pawl.internal.key;

import dev.pawl.internal.store.ConcurrencyKeys;
import dev.pawl.internal.store.Grant;
import dev.pawl.internal.store.JobKey;
import dev.pawl.internal.store.WorkerHost;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Releases keys: claims some of their jobs in the same transaction, and notifies workers of the rest. Confined to one thread. */
final class KeyReleaser {
    private final ConcurrencyKeys concurrencyKeys;
    private final WorkerHost host;
    private final BiConsumer<ConcurrencyKeys.Released, Integer> done;
    private final Consumer<List<JobKey>> failed;
    private final ParallelRelease parallel = new ParallelRelease();

    /**
     * @param done receives the result of each transaction and its number of keys, before the claimed jobs start
     * @param failed receives the keys of a failed transaction
     */
    KeyReleaser(
            ConcurrencyKeys concurrencyKeys,
            WorkerHost host,
            BiConsumer<ConcurrencyKeys.Released, Integer> done,
            Consumer<List<JobKey>> failed) {
        this.concurrencyKeys = concurrencyKeys;
        this.host = host;
        this.done = done;
        this.failed = failed;
    }

    /** Returns when all keys are released. */
    void release(List<JobKey> keys) throws SQLException {
        if (concurrencyKeys.areFasterInParallel()) {
            parallel.release(keys, this::release);
        } else {
            release(keys, 1);
        }
    }

    private void release(List<JobKey> keys, int together) throws SQLException {
        WorkerHost.ReleaseClaim wanted =
                host.claimOfRelease(keys.stream().map(JobKey::queue).collect(Collectors.toSet()), together);
        List<Grant> claimed = List.of();
        try {
            ConcurrencyKeys.Released released = concurrencyKeys.releaseJobs(keys, wanted.requests());
            claimed = released.claimed();
            if (!released.queues().isEmpty()) {
                host.released(Set.copyOf(released.queues()));
            }
            done.accept(released, keys.size());
        } catch (SQLException | RuntimeException e) {
            failed.accept(keys);
            throw e;
        } finally {
            wanted.take(claimed);
        }
    }

    /** Ends the second thread. */
    void end() {
        parallel.end();
    }
}

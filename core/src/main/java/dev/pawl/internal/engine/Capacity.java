package dev.pawl.internal.engine;

import dev.pawl.api.Job;
import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The capacity of a worker, and how much of it jobs with a weight above 1 use. While all weights are 1, the threads are the capacity and
 * nothing is counted here. Guarded by the lock of the {@link Buffer}, except {@link #count}.
 *
 * <p>A job that needs more capacity than is free may be overtaken by jobs that fit, until these have used as much capacity as the worker
 * has. From then on, freed capacity is reserved for the large job. The count survives a release of the job, so that it cannot be overtaken
 * forever.
 */
final class Capacity {
    private final Map<String, Integer> weights;
    private final Map<String, Chunking> chunks;
    /** Null if the worker shares its capacity with none. */
    private final SharedPlaces.@Nullable Member shared;

    private volatile int count;
    private int taken;
    private int passed;

    /**
     * @param count the capacity
     * @param weights of kinds with a weight above 1
     */
    Capacity(int count, Map<String, Integer> weights) {
        this(count, weights, Map.of());
    }

    /**
     * @param count the capacity
     * @param weights of kinds with a weight above 1
     * @param chunks of kinds whose jobs are handled in chunks; a chunk needs as much as one job
     */
    Capacity(int count, Map<String, Integer> weights, Map<String, Chunking> chunks) {
        this(count, weights, chunks, null);
    }

    /**
     * @param count the capacity
     * @param weights of kinds with a weight above 1
     * @param chunks of kinds whose jobs are handled in chunks; a chunk needs as much as one job
     * @param shared what this worker and others use together; null for none
     */
    Capacity(
            int count,
            Map<String, Integer> weights,
            Map<String, Chunking> chunks,
            SharedPlaces.@Nullable Member shared) {
        this.count = count;
        this.weights = weights;
        this.chunks = chunks;
        this.shared = shared;
    }

    /** {@return what this worker and others use together; null if it shares with none} */
    SharedPlaces.@Nullable Member shared() {
        return shared;
    }

    /** {@return the capacity that it has or could have now} Safe to call from any thread. */
    int reach() {
        return shared == null ? count : Math.min(count, shared.reach());
    }

    /** {@return how the kind of this job is chunked; null if it is not} */
    @Nullable
    Chunking chunk(Job job) {
        return chunks.isEmpty() ? null : chunks.get(job.kind());
    }

    /** {@return how many jobs of a kind share the weight of one} */
    int chunkSize(String kind) {
        Chunking chunk = chunks.get(kind);
        return chunk == null ? 1 : chunk.size();
    }

    /** {@return the largest chunk size of all kinds} */
    int largestChunk() {
        return chunks.values().stream().mapToInt(Chunking::size).max().orElse(1);
    }

    /** {@return whether any kind is handled in chunks} */
    boolean anyChunks() {
        return !chunks.isEmpty();
    }

    /** {@return whether jobs may start long after their claim: a chunk must fill, or other workers take the shared capacity} */
    boolean anyWait() {
        return shared != null || chunks.values().stream().anyMatch(chunk -> chunk.waitNanos() > 0);
    }

    /** {@return the capacity} Safe to call from any thread. */
    int count() {
        return count;
    }

    void count(int places) {
        count = places;
    }

    /** {@return whether some jobs have a weight above 1, or the capacity is shared} */
    boolean isCounted() {
        return !weights.isEmpty() || shared != null;
    }

    /** {@return the largest capacity that a kind needs} */
    int largest() {
        return weights.values().stream().mapToInt(this::needs).max().orElse(1);
    }

    int weight(Job job) {
        return weights.isEmpty() ? 1 : weights.getOrDefault(job.kind(), 1);
    }

    /** {@return how much capacity a job of this weight needs} A worker that was scaled down runs it alone. */
    int needs(int weight) {
        return Math.min(weight, count);
    }

    /** {@return how much capacity these jobs need together} */
    int needs(Collection<HeldJob> jobs) {
        return jobs.stream().mapToInt(job -> needs(weight(job.job()))).sum();
    }

    int free() {
        int own = Math.max(0, count - taken);
        return shared == null || own == 0 ? own : Math.min(own, shared.room());
    }

    void take(HeldJob job, int places) {
        if (isCounted()) {
            int got = shared == null ? places : shared.take(places);
            taken += got;
            job.takes(got);
        }
    }

    /** Frees the capacity of a job that starts no more, or has ended. Idempotent. */
    void leave(HeldJob job) {
        if (shared != null) {
            shared.started(job);
        }
        giveBack(job);
    }

    /** Frees the capacity of a job that may start later. Idempotent. */
    void giveBack(HeldJob job) {
        int left = job.leaves();
        taken -= left;
        if (shared != null) {
            shared.leave(left);
        }
    }

    /** {@return whether another job may overtake the one that waits for capacity} */
    boolean mayPass() {
        return passed < count;
    }

    void passed(int places) {
        passed += places;
    }

    /** A large job has started that no other one was waiting ahead of. */
    void reached() {
        passed = 0;
    }
}

package dev.pawl.internal.engine;

import dev.pawl.Job;
import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The places of a worker: how many there are, and how many are taken by jobs that need more than one. Where each job needs
 * one, the threads are the places and nothing is counted here. Guarded by the lock of the {@link Buffer}, apart from
 * {@link #count}.
 *
 * <p>A job that needs more places than are free may be passed by others that find room: by as many, counted in places, as the worker has.
 * From then on places that become free are kept for it. The count goes on when such a job is given back, so that it cannot be passed
 * forever.
 */
final class Places {
    private final Map<String, Integer> weights;
    private final Map<String, Chunking> chunks;
    private volatile int count;
    private int taken;
    private int passed;

    /**
     * @param count how many there are
     * @param weights of the kinds whose jobs need more than one
     */
    Places(int count, Map<String, Integer> weights) {
        this(count, weights, Map.of());
    }

    /**
     * @param count how many there are
     * @param weights of the kinds whose jobs need more than one
     * @param chunks of the kinds of which many jobs share what one needs
     */
    Places(int count, Map<String, Integer> weights, Map<String, Chunking> chunks) {
        this.count = count;
        this.weights = weights;
        this.chunks = chunks;
    }

    /** {@return how jobs like this one come together; null if they do not} */
    @Nullable
    Chunking chunk(Job job) {
        return chunks.isEmpty() ? null : chunks.get(job.kind());
    }

    /** {@return how many jobs of a kind share what one needs} */
    int chunkSize(String kind) {
        Chunking chunk = chunks.get(kind);
        return chunk == null ? 1 : chunk.size();
    }

    /** {@return the same for the kind with most} */
    int largestChunk() {
        return chunks.values().stream().mapToInt(Chunking::size).max().orElse(1);
    }

    /** {@return whether jobs of any kind come together} */
    boolean anyChunks() {
        return !chunks.isEmpty();
    }

    /** {@return whether some wait for others, so that they may begin long after their claim} */
    boolean anyWait() {
        return chunks.values().stream().anyMatch(chunk -> chunk.waitNanos() > 0);
    }

    /** {@return how many there are} At any time, by any thread. */
    int count() {
        return count;
    }

    void count(int places) {
        count = places;
    }

    /** {@return whether some jobs need more than one} */
    boolean isCounted() {
        return !weights.isEmpty();
    }

    /** {@return the largest need of a kind} */
    int largest() {
        return weights.values().stream().mapToInt(this::needs).max().orElse(1);
    }

    int weight(Job job) {
        return weights.isEmpty() ? 1 : weights.getOrDefault(job.kind(), 1);
    }

    /** {@return how many places a job of that weight needs} A worker that was made smaller runs it alone. */
    int needs(int weight) {
        return Math.min(weight, count);
    }

    /** {@return how many places these jobs need together} */
    int needs(Collection<HeldJob> jobs) {
        return jobs.stream().mapToInt(job -> needs(weight(job.job()))).sum();
    }

    int free() {
        return Math.max(0, count - taken);
    }

    void take(HeldJob job, int places) {
        if (isCounted()) {
            taken += places;
            job.takes(places);
        }
    }

    /** Once for each job that has taken some, however often it is called. */
    void leave(HeldJob job) {
        taken -= job.leaves();
    }

    /** {@return whether another one may pass the job that waits for places} */
    boolean mayPass() {
        return passed < count;
    }

    void passed(int places) {
        passed += places;
    }

    /** A large one has begun that none was waiting before. */
    void reached() {
        passed = 0;
    }
}

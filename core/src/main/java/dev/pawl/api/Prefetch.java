package dev.pawl.api;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How far a worker claims ahead of its handlers, and when it stops claiming. Immutable; start from {@link #DEFAULTS} and change what should
 * differ: {@code Prefetch.DEFAULTS.buffer(100).batch(20)}. A method with a parameter returns a copy with another value. A method without a
 * parameter returns the value.
 */
public final class Prefetch {
    /** A buffer of 2,000 jobs and 16 MiB, claims of up to 1,000 jobs, no limit on the use of the heap. */
    public static final Prefetch DEFAULTS = new Prefetch(2_000, 16L << 20, 1_000, 0);

    private static final long LEAST_BYTES = 1L << 16;
    private static final long MAX_BYTES = 1L << 34;

    private final int buffer;
    private final long bufferBytes;
    private final int batch;
    private final double maxHeapUse;

    private Prefetch(int buffer, long bufferBytes, int batch, double maxHeapUse) {
        this.buffer = buffer;
        this.bufferBytes = bufferBytes;
        this.batch = batch;
        this.maxHeapUse = maxHeapUse;
    }

    /** {@return how many claimed jobs may wait for a free handler} */
    public int buffer() {
        return buffer;
    }

    /** {@return how many bytes of payload may wait for a free handler} */
    public long bufferBytes() {
        return bufferBytes;
    }

    /** {@return the maximum number of jobs in a claim} */
    public int batch() {
        return batch;
    }

    /** {@return the fraction of the heap above which nothing is claimed; zero for no limit} */
    public double maxHeapUse() {
        return maxHeapUse;
    }

    /**
     * Sets how many claimed jobs may wait for a free handler. The worker claims no further ahead than its handlers process in about a tenth
     * of a second, so slow jobs stay available to other workers. Where claims are slow, because many workers claim from the same queue or
     * the database is far away, that time grows to two seconds at most. Claimed jobs that a limit keeps from starting are included in the
     * number. There may be as many of them as the worker's concurrency, even if this value is smaller.
     *
     * @param jobs 0 to 10,000. Default 2,000
     * @return a copy
     * @throws IllegalArgumentException if it is outside the range
     */
    public Prefetch buffer(int jobs) {
        OptionChecks.requireRange("buffer", jobs, 0, 10_000);
        return new Prefetch(jobs, bufferBytes, batch, maxHeapUse);
    }

    /**
     * Sets how many bytes of payload may wait for a free handler. In addition, finished jobs whose outcomes are not recorded yet may hold
     * the same number of bytes. Finished jobs whose outcomes could not be recorded and were deferred may hold about four times that number.
     * The limit is approximate, because characters are counted and a claim estimates sizes from recent payloads.
     *
     * @param bytes 64 KiB to 16 GiB. Default 16 MiB
     * @return a copy
     * @throws IllegalArgumentException if it is outside the range
     */
    public Prefetch bufferBytes(long bytes) {
        OptionChecks.requireRange("bufferBytes", bytes, LEAST_BYTES, MAX_BYTES);
        return new Prefetch(buffer, bytes, batch, maxHeapUse);
    }

    /**
     * Sets the maximum number of jobs in a claim. With several workers, small claims keep closer to the order of the
     * queue; large ones cost less.
     *
     * @param jobs 1 to 1,000. Default 1,000
     * @return a copy
     * @throws IllegalArgumentException if it is outside the range
     */
    public Prefetch batch(int jobs) {
        OptionChecks.requireRange("batch", jobs, 1, 1_000);
        return new Prefetch(buffer, bufferBytes, jobs, maxHeapUse);
    }

    /**
     * Stops claiming jobs while the heap is full. It counts as full if more than this fraction of it was in use after the last garbage
     * collection and is in use now. Jobs that the worker holds still run. The worker logs when it stops and when it resumes, and {@link
     * WorkerStats#heapFull} reports it. While it does not claim and none of its jobs runs, it requests a garbage collection every 30
     * seconds, because the JVM might not run one otherwise.
     *
     * @param fraction of the maximum size of the heap ({@code -Xmx}), 0.5 to 0.99. Default: no limit
     * @return a copy
     * @throws IllegalArgumentException if it is outside the range
     */
    public Prefetch maxHeapUse(double fraction) {
        if (!(fraction >= 0.5 && fraction <= 0.99)) {
            throw new IllegalArgumentException("maxHeapUse " + fraction + " is not valid: use 0.5 to 0.99");
        }
        return new Prefetch(buffer, bufferBytes, batch, fraction);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Prefetch prefetch
                && buffer == prefetch.buffer
                && bufferBytes == prefetch.bufferBytes
                && batch == prefetch.batch
                && Double.compare(maxHeapUse, prefetch.maxHeapUse) == 0;
    }

    @Override
    public int hashCode() {
        return Objects.hash(buffer, bufferBytes, batch, maxHeapUse);
    }

    @Override
    public String toString() {
        return "Prefetch[buffer=" + buffer + ", bufferBytes=" + bufferBytes + ", batch=" + batch + ", maxHeapUse="
                + maxHeapUse + "]";
    }
}

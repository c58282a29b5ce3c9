package dev.pawl.internal.engine;

import dev.pawl.api.ChunkHandler;
import dev.pawl.api.ChunkInterceptor;
import dev.pawl.api.ChunkOptions;
import dev.pawl.api.RunInterceptor;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * The chunk handler of a kind.
 *
 * @param decode reads a payload
 * @param handler the user's
 * @param chunk its options
 * @param interceptors around each run, the first one outermost
 * @param deepest how many nested interceptors fit on a thread's stack, as far as is known
 * @param <T> the payload
 */
record ChunkEntry<T>(
        Function<String, T> decode,
        ChunkHandler<T> handler,
        ChunkOptions chunk,
        List<RunInterceptor> interceptors,
        AtomicInteger deepest) {
    /** Interceptors of all runs are nested, and a thread's stack is limited. */
    private static final int MAX_WITHIN_EACH_OTHER = 400;

    ChunkEntry(
            Function<String, T> decode,
            ChunkHandler<T> handler,
            ChunkOptions chunk,
            List<RunInterceptor> interceptors) {
        this(decode, handler, chunk, interceptors, new AtomicInteger(MAX_WITHIN_EACH_OTHER));
    }

    /** {@return the largest number of jobs in a chunk} */
    int most() {
        return interceptors.isEmpty()
                ? chunk.size()
                : Math.max(1, Math.min(chunk.size(), deepest.get() / interceptors.size()));
    }

    /** The interceptors of this many jobs overflowed the stack: halves the chunk size. */
    void tooDeep(int jobs) {
        int half = Math.max(1, jobs / 2) * interceptors.size();
        int unused = deepest.accumulateAndGet(half, Math::min);
    }

    ChunkEntry<T> intercepted(List<RunInterceptor> by) {
        return new ChunkEntry<>(decode, handler, chunk, by);
    }

    /** {@return a copy with these interceptors around the handler, inside the interceptors of the runs} */
    ChunkEntry<T> within(List<ChunkInterceptor> by) {
        return new ChunkEntry<>(decode, InterceptedChunk.by(by, handler), chunk, interceptors);
    }
}

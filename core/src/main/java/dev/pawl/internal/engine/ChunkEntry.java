package dev.pawl.internal.engine;

import dev.pawl.ChunkHandler;
import dev.pawl.ChunkInterceptor;
import dev.pawl.ChunkOptions;
import dev.pawl.RunInterceptor;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * A kind's handler of many jobs at once.
 *
 * @param decode reads a payload
 * @param handler the user's
 * @param chunk how many at once
 * @param interceptors that stand around each run, the first one outermost
 * @param deepest how many interceptors one within the other the stack of a thread has room for, as far as is known
 * @param <T> the payload
 */
record ChunkEntry<T>(
        Function<String, T> decode,
        ChunkHandler<T> handler,
        ChunkOptions chunk,
        List<RunInterceptor> interceptors,
        AtomicInteger deepest) {
    /** Interceptors stand around each run, one within the other, and a thread's stack has an end. */
    private static final int MOST_WITHIN_EACH_OTHER = 400;

    ChunkEntry(
            Function<String, T> decode,
            ChunkHandler<T> handler,
            ChunkOptions chunk,
            List<RunInterceptor> interceptors) {
        this(decode, handler, chunk, interceptors, new AtomicInteger(MOST_WITHIN_EACH_OTHER));
    }

    /** {@return how many jobs at once} */
    int most() {
        return interceptors.isEmpty()
                ? chunk.size()
                : Math.max(1, Math.min(chunk.size(), deepest.get() / interceptors.size()));
    }

    /** The stack had an end within the interceptors of so many jobs: from now on half as many are handled at once. */
    void tooDeep(int jobs) {
        int half = Math.max(1, jobs / 2) * interceptors.size();
        int unused = deepest.accumulateAndGet(half, Math::min);
    }

    ChunkEntry<T> intercepted(List<RunInterceptor> by) {
        return new ChunkEntry<>(decode, handler, chunk, by);
    }

    /** {@return the same with these around the handler, within those of the runs} */
    ChunkEntry<T> within(List<ChunkInterceptor> by) {
        return new ChunkEntry<>(decode, InterceptedChunk.by(by, handler), chunk, interceptors);
    }
}

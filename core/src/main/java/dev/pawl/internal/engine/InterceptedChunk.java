package dev.pawl.internal.engine;

import dev.pawl.api.Chunk;
import dev.pawl.api.ChunkHandler;
import dev.pawl.api.ChunkInterceptor;
import java.util.List;

/**
 * A chunk handler with an interceptor around it.
 *
 * @param interceptor called first
 * @param inner the next interceptor's call, or the handler
 * @param <T> the payload
 */
record InterceptedChunk<T>(ChunkInterceptor interceptor, ChunkHandler<T> inner) implements ChunkHandler<T> {
    /** {@return the handler with all interceptors around it, the first one outermost} */
    static <T> ChunkHandler<T> by(List<ChunkInterceptor> interceptors, ChunkHandler<T> handler) {
        ChunkHandler<T> all = handler;
        for (int i = interceptors.size() - 1; i >= 0; i--) {
            all = new InterceptedChunk<>(interceptors.get(i), all);
        }
        return all;
    }

    @Override
    public void handle(Chunk<T> chunk) throws Exception {
        Once once = new Once();
        try {
            interceptor.intercept(chunk, () -> {
                once.begin();
                inner.handle(chunk);
            });
        } finally {
            once.finish();
        }
    }
}

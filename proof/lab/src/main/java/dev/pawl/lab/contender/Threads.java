package dev.pawl.lab.contender;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;

/** Worker threads that run until they are stopped; closing throws the error of a failed one. */
final class Threads implements AutoCloseable {
    private static final long END_SECONDS = 30;

    private final AtomicBoolean stop = new AtomicBoolean();
    private final ExecutorService executor;
    private final List<Future<?>> running = new ArrayList<>();

    /** The loop of one thread; it returns once {@code stop} is set. */
    interface Loop {
        void run(AtomicBoolean stop) throws Exception;
    }

    Threads(int count, Loop loop) {
        executor = Executors.newFixedThreadPool(count);
        for (int i = 0; i < count; i++) {
            running.add(executor.submit(() -> {
                loop.run(stop);
                return null;
            }));
        }
    }

    @Override
    public void close() {
        stop.set(true);
        executor.shutdown();
        try {
            if (!executor.awaitTermination(END_SECONDS, TimeUnit.SECONDS)) {
                executor.shutdownNow();
            }
            for (Future<?> one : running) {
                one.get(END_SECONDS, TimeUnit.SECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException("a worker failed: " + (e.getCause() == null ? e : e.getCause()), e);
        }
    }
}

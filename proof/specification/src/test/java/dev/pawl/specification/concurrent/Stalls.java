package dev.pawl.specification.concurrent;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Records when this process stood still, which delays its operations. */
final class Stalls implements Runnable {
    private static final long EVERY = TimeUnit.MILLISECONDS.toNanos(5);
    private static final long LONG = TimeUnit.MILLISECONDS.toNanos(20);

    private final History history;
    private final CountDownLatch end = new CountDownLatch(1);

    Stalls(History history) {
        this.history = history;
    }

    @Override
    public void run() {
        long before = System.nanoTime();
        while (!isEnd()) {
            Span span = Span.since(before);
            if (span.to() - span.from() > LONG) {
                history.stalls.add(span);
            }
            before = span.to();
        }
    }

    private boolean isEnd() {
        try {
            return end.await(EVERY, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    void end() {
        end.countDown();
    }
}

package dev.pawl.internal;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The only sleeps of tests: each method is a reason why no signal can be awaited. {@code TiersTest} refuses others. */
public final class Delay {
    private Delay() {}

    /** The time that a handler, a statement or a client takes. */
    public static void work(long millis) throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(millis);
    }

    /** As {@link #work}, but an interrupt only ends it, so that the caller sees it. */
    public static void interruptibleWork(long millis) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
    }

    /** Sleeps for a random time that the caller has drawn, so that a fault can strike anywhere. */
    public static void random(long millis) throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(millis);
    }

    /** The time between two checks of something that sends no signal, such as a file or another process. */
    public static void poll(long millis) throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(millis);
    }

    /** Waits while nothing should happen: the test asserts this, or must let the period pass. */
    public static void quiet(long millis) throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(millis);
    }
}

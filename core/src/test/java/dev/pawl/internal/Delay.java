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

    /** A random moment, so that a fault strikes anywhere. */
    public static void random(long millis) throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(millis);
    }

    /** The time between two checks of something that sends no signal, such as a file or another process. */
    public static void poll(long millis) throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(millis);
    }

    /** A time in which nothing happens: the test checks that, or needs it to be over. */
    public static void quiet(long millis) throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(millis);
    }
}

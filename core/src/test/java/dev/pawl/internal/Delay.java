package dev.pawl.internal;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The only sleeps of tests: each method stands for a reason why no signal can be awaited. {@code TiersTest} refuses other sleeps. */
public final class Delay {
    private Delay() {}

    /** Sleeps as long as a handler, a statement or a client would work. */
    public static void work(long millis) throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(millis);
    }

    /** Like {@link #work}, but an interrupt ends the sleep without an exception and stays set for the caller. */
    public static void interruptibleWork(long millis) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
    }

    /** Sleeps for a time that the caller has chosen at random, so that a fault can strike at any point. */
    public static void random(long millis) throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(millis);
    }

    /** Sleeps between two checks of something that sends no signal, such as a file or another process. */
    public static void poll(long millis) throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(millis);
    }

    /** Waits while nothing should happen: the test asserts this, or must let the period pass. */
    public static void quiet(long millis) throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(millis);
    }
}

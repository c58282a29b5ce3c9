package dev.pawl.servers;

import java.util.concurrent.TimeUnit;

/** The only sleeps of tests: each method is a reason why no signal can be awaited. {@code TiersTest} refuses others. */
public final class Delay {
    private Delay() {}

    /** The time that a handler, a statement or a client takes. */
    public static void work(long millis) throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(millis);
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

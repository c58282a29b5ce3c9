package dev.pawl.servers;

import java.util.concurrent.TimeUnit;

/**
 * All sleeps of the tests. Each method is named after the reason why the test cannot wait for a signal. {@code TiersTest} refuses other
 * sleeps.
 */
public final class Delay {
    private Delay() {}

    /** Sleeps as long as a handler, a statement or a client would work. */
    public static void work(long millis) throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(millis);
    }

    /** Sleeps for a random time that the caller has drawn, so that a fault can strike anywhere. */
    public static void random(long millis) throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(millis);
    }

    /** Sleeps between two checks of something that sends no signal, such as a file or another process. */
    public static void poll(long millis) throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(millis);
    }

    /** Waits for a period in which nothing should happen. Either the test asserts that nothing happens, or it must let the period pass. */
    public static void quiet(long millis) throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(millis);
    }
}

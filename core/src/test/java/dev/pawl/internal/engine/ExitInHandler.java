package dev.pawl.internal.engine;

import dev.pawl.api.Outcome;
import dev.pawl.internal.Delay;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/** A process whose handler ends it, and whose shutdown hook stops the worker; for {@link ExitInHandlerTest}. */
final class ExitInHandler extends EngineFixture {
    static final int CODE = 7;

    private ExitInHandler() {}

    public static void main(String[] arguments) throws Exception {
        new ExitInHandler().run();
    }

    private void run() throws Exception {
        shutdownTimeouts = ShutdownTimeouts.USUAL;
        store.add(1, 1);
        CountDownLatch hasHook = new CountDownLatch(1);
        Engine engine = start(2, (payload, run) -> {
            hasHook.await();
            System.exit(CODE);
            return Outcome.completed();
        });
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            engine.stop(Duration.ofMinutes(10));
            System.out.println("stopped; discarded " + engine.stats().discarded() + "; " + store.errors());
        }));
        hasHook.countDown();
        Delay.work(300_000);
    }
}

package dev.pawl.internal.engine;

import dev.pawl.api.Outcome;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/** A separate process whose worker claims and runs one job, and reports when; for {@link FirstRunTest}. */
final class FirstRun extends EngineFixture {
    static final String CLAIM = "FirstRun: claims";
    static final String HANDLER = "FirstRun: is in the handler";

    private FirstRun() {}

    public static void main(String[] arguments) throws Exception {
        new FirstRun().run();
    }

    private void run() throws Exception {
        CountDownLatch handled = new CountDownLatch(1);
        store.add(1, 1);
        store.on("claim", () -> System.out.println(CLAIM));
        Engine engine = start(1, (payload, run) -> {
            System.out.println(HANDLER);
            handled.countDown();
            return Outcome.completed();
        });
        handled.await();
        awaitCompleted(1);
        engine.stop(Duration.ofSeconds(20));
    }
}

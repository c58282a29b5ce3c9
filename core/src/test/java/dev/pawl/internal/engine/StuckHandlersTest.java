package dev.pawl.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.api.Outcome;
import dev.pawl.internal.store.Duty;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Handlers that ignore their interrupts, and the threads that replace stuck ones. */
@Timeout(60)
class StuckHandlersTest extends PartsFixture {
    private final CountDownLatch replacementHasBegun = new CountDownLatch(1);
    private final CountDownLatch stuckMayEnd = new CountDownLatch(1);
    private final CountDownLatch replacementMayEnd = new CountDownLatch(1);
    private final WorkerParts parts = parts(1, (payload, run) -> {
        if (payload.equals("next")) {
            replacementHasBegun.countDown();
            replacementMayEnd.await();
        }
        return Outcome.completed();
    });

    @AfterEach
    void endAll() {
        replacementMayEnd.countDown();
        stuckMayEnd.countDown();
        parts.buffer.close();
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        while (true) {
            try {
                latch.await();
                return;
            } catch (InterruptedException ignored) {
                assertThat(ignored).isNotNull(); // ignored, as a stuck handler does
            }
        }
    }

    /** The new thread may start its first job before the call that creates the thread returns. */
    @Test
    void theRunOfAReplacementThreadCountsFromItsBeginning() throws Exception {
        HeldJob stuckJob = held(parts);
        int handler = parts.handlerRate.enlist();
        parts.handlerRate.begun(handler, System.nanoTime());
        CountDownLatch begun = new CountDownLatch(1);
        Thread stuck = new Thread(() -> {
            stuckJob.begin(Thread.currentThread(), handler, null);
            begun.countDown();
            awaitUninterruptibly(stuckMayEnd);
            stuckJob.end();
        });
        stuck.setDaemon(true);
        stuck.start();
        begun.await();
        stuckJob.stop(HeldJob.Stop.CANCELLED);
        store.add("next", 20);
        parts.buffer.add(claim(parts, false));
        watched = runner -> {
            Thread replacement = new Thread(runner);
            replacement.setDaemon(true);
            replacement.start();
            awaitUninterruptibly(replacementHasBegun);
            return () -> {};
        };
        EngineFixture.await(() -> {
            check(parts);
            return stuckJob.isReplaced();
        });
        assertThat(parts.handlerRate.isStuck(1, System.nanoTime()))
                .as("the next job runs")
                .isTrue();
        replacementMayEnd.countDown();
        EngineFixture.await(() -> !parts.handlerRate.isStuck(1, System.nanoTime()));
    }

    private static void check(WorkerParts parts) {
        try {
            for (Duty duty : parts.duties) {
                if (duty.name().equals("stop cancelled runs")) {
                    duty.work().run();
                }
            }
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}

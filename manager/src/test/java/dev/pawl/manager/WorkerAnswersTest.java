package dev.pawl.manager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.pawl.api.Outcome;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** When a worker answers, and what becomes of jobs that it has not begun when it stops. */
class WorkerAnswersTest {
    private static final Duration SOON = Duration.ofSeconds(60);

    private final AtomicBoolean begun = new AtomicBoolean();
    private final CountDownLatch mayEnd = new CountDownLatch(1);
    private final ScriptedManagers managers = new ScriptedManagers();

    WorkerAnswersTest() throws IOException {}

    private WorkerServer worker(Duration answerWithin) {
        return WorkerServer.with(ScriptedManagers.SECRET)
                .answerWithin(answerWithin)
                .handle("work", (payload, run) -> {
                    begun.set(true);
                    mayEnd.await();
                    return Outcome.completed();
                })
                .start(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }

    @AfterEach
    void close() {
        managers.close();
    }

    private boolean hasOutcome(String outcome) {
        return managers.received.stream()
                .anyMatch(call -> call.what().equals("outcome")
                        && call.message().path("outcome").asString().equals(outcome));
    }

    /** The manager would not read a later answer, so the outcome would be lost. */
    @Test
    void aWorkerAnswersBeforeItsManagerGivesUp() throws Exception {
        try (WorkerServer worker = worker(Duration.ofMinutes(1))) {
            assertThat(managers.give(worker, managers.url("only"), 0.1)).isEqualTo(202);
            mayEnd.countDown();
            await().atMost(SOON).until(() -> hasOutcome("completed"));
        }
    }

    @Test
    void aJobThatIsPermittedWhileTheWorkerStopsIsPutBack() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch permitted = new CountDownLatch(1);
        managers.script = call -> {
            if (call.what().equals("renew")) {
                asked.countDown();
                try {
                    permitted.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
            return ScriptedManagers.healthy(call);
        };
        WorkerServer worker = worker(Duration.ZERO);
        assertThat(managers.give(worker, "only")).isEqualTo(202);
        asked.await();
        Thread closing = new Thread(worker::close);
        closing.start();
        await().atMost(SOON).until(() -> closing.getState() == Thread.State.TIMED_WAITING); // for the runs to end
        permitted.countDown();
        closing.join();
        assertThat(hasOutcome("snooze")).isTrue();
        assertThat(begun).isFalse();
    }
}

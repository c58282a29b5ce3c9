package dev.pawl.manager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.pawl.api.Outcome;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** How a worker reports an outcome, depending on the managers' answers. */
class WorkerReportsTest {
    private static final Duration SOON = Duration.ofSeconds(60);

    private final CountDownLatch accepted = new CountDownLatch(1);
    private final BlockingQueue<Integer> said = new LinkedBlockingQueue<>();
    private final ScriptedManagers managers = new ScriptedManagers();
    private final WorkerServer worker = WorkerServer.with(ScriptedManagers.SECRET)
            .answerWithin(Duration.ZERO)
            .handle("work", (payload, run) -> {
                run.log("a line");
                accepted.await();
                return Outcome.discard("x".repeat(50_000));
            })
            .start(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));

    WorkerReportsTest() throws IOException {}

    @AfterEach
    void stop() {
        worker.close();
        managers.close();
    }

    /** {@return the outcomes received by a manager that answers with these statuses in turn and then with success} */
    private List<JsonNode> report(Integer... statuses) throws Exception {
        said.addAll(List.of(statuses));
        managers.script = call -> {
            Integer next = call.what().equals("outcome") ? said.poll() : null;
            return next == null ? ScriptedManagers.healthy(call) : next;
        };
        runAndReport("only");
        return outcomes().stream().map(ScriptedManagers.ReceivedCall::message).toList();
    }

    private void runAndReport(String manager) throws Exception {
        assertThat(managers.give(worker, manager)).isEqualTo(202);
        accepted.countDown();
        await().atMost(SOON)
                .until(() -> Protocol.running(managers.poll(worker, manager)).getAsInt() == 0);
    }

    private List<ScriptedManagers.ReceivedCall> outcomes() {
        return managers.received.stream()
                .filter(call -> call.what().equals("outcome"))
                .toList();
    }

    private static String outcome(JsonNode message) {
        return message.path("outcome").asString();
    }

    /**
     * Each manager is named after the status with which it answers an outcome. The worker calls the manager 204, which records the outcome,
     * after all others.
     */
    @Test
    void onlyAManagersOwnAnswerEndsTheReport() throws Exception {
        List<String> others =
                List.of("200", "302", "307", "401", "403", "404", "405", "421", "429", "500", "502", "503");
        managers.script = call -> call.manager().equals("stranger")
                ? 204
                : call.what().equals("outcome") ? Integer.parseInt(call.manager()) : 200;
        managers.poll(worker, "204");
        for (String other : others) {
            managers.poll(worker, other);
        }
        assertThat(managers.give(worker, "503")).isEqualTo(202);
        accepted.countDown();
        await().atMost(SOON)
                .until(() -> outcomes().stream().anyMatch(call -> call.manager().equals("204")));
        assertThat(outcomes())
                .extracting(ScriptedManagers.ReceivedCall::manager)
                .as("the one that recorded it is the last of the round")
                .hasSize(others.size() + 1)
                .containsAll(others)
                .endsWith("204");
        assertThat(outcomes()).allMatch(call -> outcome(call.message()).equals("discard"));
    }

    @Test
    void theSameManagerIsRetried() throws Exception {
        assertThat(report(503, 421, 204)).hasSize(3);
    }

    @Test
    void recordedOutcomesAreForgotten() throws Exception {
        assertThat(report(409)).hasSize(1);
    }

    /** Otherwise the job would wait for its lease to expire. */
    @Test
    void unreadableOutcomesAreReportedAsAFailureOnce() throws Exception {
        List<JsonNode> messages = report(400, 400);
        assertThat(messages).extracting(WorkerReportsTest::outcome).containsExactly("discard", "failed");
        assertThat(messages.get(1).path("error").asString()).contains("refused with status 400");
        assertThat(messages.get(1).toString()).hasSizeLessThan(200);
    }

    /** A proxy may accept less than a manager does. The outcome must not be lost for that, because the work is done. */
    @Test
    void oversizedOutcomesAreSentWithoutTheirLog() throws Exception {
        List<JsonNode> messages = report(413);
        assertThat(messages).extracting(WorkerReportsTest::outcome).containsExactly("discard", "discard");
        assertThat(messages.get(0).path("log").toString()).contains("a line");
        assertThat(messages.get(1).path("log").toString())
                .doesNotContain("a line")
                .contains("too large");
    }

    @Test
    void outcomesTooLargeWithoutTheirLogFail() throws Exception {
        List<JsonNode> messages = report(413, 413);
        assertThat(messages).extracting(WorkerReportsTest::outcome).containsExactly("discard", "discard", "failed");
    }

    @Test
    void reasonsAreTruncatedToTheManagersLimit() throws Exception {
        assertThat(report().get(0).path("reason").asString()).hasSizeBetween(10_000, 10_100);
    }
}

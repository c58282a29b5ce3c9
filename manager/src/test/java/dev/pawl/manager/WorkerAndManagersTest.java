package dev.pawl.manager;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.api.Outcome;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whether a worker begins a run, depending on the managers' answers. */
class WorkerAndManagersTest {
    private final AtomicInteger begun = new AtomicInteger();
    private final ScriptedManagers managers = new ScriptedManagers();
    private final WorkerServer worker = WorkerServer.with(ScriptedManagers.SECRET)
            .answerWithin(Duration.ofSeconds(30))
            .handle("work", (payload, run) -> {
                begun.incrementAndGet();
                return Outcome.completed();
            })
            .start(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));

    WorkerAndManagersTest() throws IOException {}

    @AfterEach
    void stop() {
        worker.close();
        managers.close();
    }

    private int give() throws Exception {
        return managers.give(worker, "first");
    }

    @Test
    void permittedRunsBegin() throws Exception {
        assertThat(give()).isEqualTo(200);
        assertThat(begun).hasValue(1);
        assertThat(managers.received)
                .singleElement()
                .extracting(ScriptedManagers.ReceivedCall::what)
                .isEqualTo("renew");
    }

    @Test
    void refusedRunsDoNotBegin() throws Exception {
        managers.script = call -> 409;
        assertThat(give()).isEqualTo(409);
        assertThat(begun).hasValue(0);
    }

    /**
     * The answer comes from a load balancer, an unauthenticated server, or a manager without its database. None of them has decided about
     * the run.
     */
    @Test
    void runsBeginOnlyWithAManagersPermission() throws Exception {
        List<Integer> said = List.of(503, 429, 403, 404, 421, 204, 302, 307);
        managers.script =
                call -> call.manager().equals("stranger") ? 200 : said.get(managers.received.size() % said.size());
        assertThat(give()).isEqualTo(503);
        assertThat(begun).hasValue(0);
        assertThat(managers.received)
                .hasSizeGreaterThan(said.size())
                .as("redirects are not followed")
                .noneMatch(call -> call.manager().equals("stranger"));
    }

    @Test
    void workersRetryUntilAManagerDecides() throws Exception {
        managers.script = call -> managers.received.size() <= 3 ? 503 : 200;
        assertThat(give()).isEqualTo(200);
        assertThat(begun).hasValue(1);
    }

    /** The first manager's database is unavailable, it works on other tables, or it hangs. */
    @ParameterizedTest
    @ValueSource(ints = {503, 421, ScriptedManagers.NOTHING})
    void undecidedManagersAreSkipped(int first) throws Exception {
        managers.poll(worker, "second");
        managers.script = call -> call.manager().equals("first") ? first : 200;
        assertThat(give()).isEqualTo(200);
        assertThat(begun).hasValue(1);
        assertThat(managers.received)
                .as("in one round, without a pause")
                .extracting(ScriptedManagers.ReceivedCall::manager)
                .containsExactly("first", "second");
    }

    @Test
    void deadManagersAreSkipped() throws Exception {
        managers.poll(worker, "second");
        assertThat(managers.giveFrom(worker, "http://localhost:1")).isEqualTo(200);
        assertThat(begun).hasValue(1);
    }
}

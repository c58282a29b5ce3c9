package dev.pawl.manager;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.internal.log.JobsByCause;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A remote worker whose managers end. */
class CallbacksTest {
    private final ScriptedManagers managers = new ScriptedManagers();

    CallbacksTest() throws IOException {}

    @AfterEach
    void close() {
        managers.close();
    }

    /** When a manager is killed, another refuses all its runs after their leases have expired. */
    @Test
    void refusalsForOneReasonShareALogLine() {
        JobsByCause warnings = new JobsByCause();
        Managers known = new Managers();
        known.heardFrom(managers.url("second"));
        Callbacks callbacks = new Callbacks(ScriptedManagers.SECRET, known, warnings);
        managers.script = call -> 409;
        for (int id = 1; id <= 7; id++) {
            Protocol.Job job = new Protocol.Job(
                    id,
                    "work",
                    "default",
                    1,
                    3,
                    "{}",
                    Map.of(),
                    "token " + id,
                    1,
                    60,
                    1,
                    30,
                    managers.url("first"),
                    null,
                    null,
                    1,
                    null);
            callbacks.report(new WorkerRun(job, callbacks), Map.of("outcome", "completed"));
        }
        List<String> lines = new ArrayList<>();
        warnings.report((line, error) -> lines.add(line));
        assertThat(lines)
                .containsExactly(
                        "jobs 1, 2, 3, 4, 5 and 2 more: the outcome is refused with 409: it was already recorded,"
                                + " or the job no longer belongs to this worker");
    }
}

package dev.pawl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.Worker;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.HandlerOptions;
import dev.pawl.api.JobRequest;
import dev.pawl.api.Outcome;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code pawl job ID --stack}, beside a worker that runs the job. */
@Timeout(120)
class StackTest {
    @Test
    void stackTracesArePrinted(@TempDir Path folder) throws Exception {
        Program program = Program.onFile(folder);
        DatabaseOptions options = new DatabaseOptions();
        new CommandLine(options).parseArgs("--db", folder.resolve("test.db").toString());
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        try (DatabaseOptions.Session session = options.open(4)) {
            String id = Long.toString(session.queue()
                    .enqueue(new JobRequest("save", "{}", EnqueueOptions.DEFAULTS))
                    .jobId());
            assertThat(program.run("job", id, "--stack"))
                    .satisfies(waits -> assertThat(waits.exit()).isEqualTo(1))
                    .satisfies(waits -> assertThat(waits.err()).contains("job " + id + " is not running"));
            Worker worker = Worker.on(session.queue())
                    .extend(registry -> registry.encoded(
                            "save",
                            (payload, run) -> {
                                running.countDown();
                                end.await();
                                return Outcome.completed();
                            },
                            HandlerOptions.DEFAULTS))
                    .start();
            try (worker) {
                running.await();
                Program.Result reported = program.run("job", id, "--stack");
                assertThat(reported.exit()).as(reported.err()).isZero();
                assertThat(reported.out()).startsWith("attempt 1, ").contains("WAITING\n", "CountDownLatch.await");
                JsonNode json = new JsonMapper()
                        .readTree(program.run("job", id, "--stack", "--json").out());
                assertThat(json.get("attempt").asInt()).isEqualTo(1);
                assertThat(json.get("stack").asString()).contains("CountDownLatch.await");
                end.countDown();
            }
            assertThat(program.run("job", "999", "--stack").err()).contains("there is no job 999");
            assertThat(program.run("job", id, "--stack", "--follow").exit()).isEqualTo(2);
        }
    }
}

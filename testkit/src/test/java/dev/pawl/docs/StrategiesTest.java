package dev.pawl.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.WorkerBuilder;
import dev.pawl.admin.Admin;
import dev.pawl.api.JobType;
import dev.pawl.api.Strategy;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** docs/inside/strategies.md. */
class StrategiesTest {
    private static final JobType<String> MAIL = JobType.of("mail", String.class);

    @Test
    void aStrategyIsSetForAQueueOrForAWorker(@TempDir Path folder) {
        try (JobQueue queue = DocsQueue.in(folder)) {
            queue.admin().queues().setStrategy("mails", Strategy.parse("transactional"));

            WorkerBuilder worker = Worker.on(queue).strategy(Strategy.optimistic(10, Strategy.Pick.UNIFORM));
            worker.handle(MAIL, (mail, run) -> {}).start().close();
            assertThat(queue.admin().queues().list(Admin.UNLIMITED))
                    .extracting("name")
                    .containsExactly("mails");
        }
    }
}

package dev.pawl.docs;

import static dev.pawl.docs.Patient.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.admin.WorkerInfo;
import dev.pawl.api.JobType;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** docs/guides/idle.md. */
class IdleTest {
    private record SendWelcome(String address) {}

    private static final JobType<SendWelcome> SEND_WELCOME = JobType.of("mail.send", SendWelcome.class);

    private final Mailer mailer = new Mailer();

    private static final class Mailer {
        private final Set<String> welcomed = ConcurrentHashMap.newKeySet();

        void send(String address) {
            welcomed.add(address);
        }
    }

    @Test
    void withoutADurationOthersMustBeAbleToWakeIt(@TempDir Path folder) {
        try (JobQueue queue = DocsQueue.in(folder)) {
            assertThatThrownBy(() -> {
                        Worker worker = Worker.on(queue)
                                .suspendWhenIdle()
                                .handle(SEND_WELCOME, (welcome, run) -> mailer.send(welcome.address()))
                                .start();
                        worker.close();
                    })
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("sqlite");
        }
    }

    @Test
    void workersSleepUntilThereIsAJob(@TempDir Path folder) {
        DataSource dataSource = DocsQueue.file(folder);
        JobQueue queue = JobQueue.builder(dataSource).notifications(false).open();
        Worker worker = Worker.on(queue)
                .suspendWhenIdle(Duration.ofMinutes(30)) // a job of another program may wait this long
                .handle(SEND_WELCOME, (welcome, run) -> mailer.send(welcome.address()))
                .start();
        try (queue;
                worker) {
            await().until(() -> queue.admin().workers().list().stream().anyMatch(WorkerInfo::suspended));
            queue.enqueue(SEND_WELCOME, new SendWelcome("ada@example.com"));
            await().until(() -> mailer.welcomed.contains("ada@example.com"));
        }
        assertThat(mailer.welcomed).hasSize(1);
    }
}

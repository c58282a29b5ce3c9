package dev.pawl.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.api.JobType;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteDataSource;

class QueueTesterTest {
    private static final JobType<Integer> COUNT_DOWN = JobType.of("count.down", Integer.class);

    @Test
    void drainRunsWaitingAndNewlyEnqueuedJobs(@TempDir Path folder) {
        SQLiteDataSource file = new SQLiteDataSource();
        file.setUrl("jdbc:sqlite:" + folder.resolve("jobs.db"));
        try (JobQueue queue = JobQueue.open(file)) {
            queue.enqueue(COUNT_DOWN, 3);
            QueueTester tester = QueueTester.of(queue);
            assertThat(tester.requireWaiting(COUNT_DOWN, 1).get(0).payload()).isEqualTo("3");
            assertThatThrownBy(() -> tester.requireWaiting(COUNT_DOWN, 2)).hasMessageContaining("found 1");
            var stats = tester.drain(
                    Worker.on(queue).handle(COUNT_DOWN, (n, run) -> {
                        if (n > 0) {
                            queue.enqueue(COUNT_DOWN, n - 1);
                        }
                    }),
                    Duration.ofSeconds(10));
            assertThat(stats.completed()).isEqualTo(4);
            assertThat(tester.waiting(COUNT_DOWN)).isEmpty();
        }
    }
}

package dev.pawl.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.JobQueue;
import dev.pawl.admin.RetentionRule;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** docs/guides/retention.md. */
class RetentionTest {
    @Test
    void aQueueAndAKindHaveRetentionsOfTheirOwn(@TempDir Path folder) {
        try (JobQueue queue = DocsQueue.in(folder)) {
            queue.admin()
                    .maintenance()
                    .setRetention(RetentionRule.queue("audit").completed(Duration.ofDays(365)));
            queue.admin()
                    .maintenance()
                    .setRetention(RetentionRule.kind("otp.send")
                            .completed(Duration.ZERO)
                            .cancelled(Duration.ZERO));
            queue.admin()
                    .maintenance()
                    .setRetention(RetentionRule.kind("invoice.print")
                            .completed(Duration.ofDays(30))
                            .discarded(Duration.ofDays(365)));
            assertThat(queue.admin().maintenance().retentions()).hasSize(3);
        }
    }
}

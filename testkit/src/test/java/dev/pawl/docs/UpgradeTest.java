package dev.pawl.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.JobQueue;
import dev.pawl.api.SchemaException;
import java.nio.file.Path;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** docs/guides/upgrade.md. */
class UpgradeTest {
    private static JobQueue openAsItIs(DataSource dataSource) {
        JobQueue queue = JobQueue.builder(dataSource).migrate(false).open();
        return queue;
    }

    @Test
    void withoutMigrationTheTablesMustBeThere(@TempDir Path folder) {
        DataSource dataSource = DocsQueue.file(folder);
        assertThatThrownBy(() -> openAsItIs(dataSource))
                .isInstanceOf(SchemaException.class)
                .hasMessageContaining("are at version 0, this program needs version");
        JobQueue.open(dataSource).close();
        try (JobQueue queue = openAsItIs(dataSource)) {
            assertThat(queue.describe()).startsWith("sqlite");
        }
    }
}

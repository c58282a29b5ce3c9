package dev.pawl.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.JobQueue;
import dev.pawl.admin.Admin;
import dev.pawl.api.SchemaException;
import dev.pawl.testkit.TestQueue;
import java.util.List;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;

/** Opening a queue on H2, as tests of applications often do, produces a message with the alternative. */
class H2Test {
    @Test
    void theErrorShowsTheTwoLinesForSqliteInMemory() {
        for (String mode : List.of("Regular", "PostgreSQL", "MySQL", "MariaDB")) {
            JdbcDataSource h2 = new JdbcDataSource();
            h2.setURL("jdbc:h2:mem:" + mode + ";MODE=" + mode);
            assertThatThrownBy(() -> JobQueue.open(h2))
                    .isInstanceOf(SchemaException.class)
                    .hasMessageContaining("H2 is not supported")
                    .hasMessageContaining("TestQueue test = TestQueue.inMemory();\n")
                    .hasMessageContaining("JobQueue queue = test.queue();");
        }
        try (TestQueue test = TestQueue.inMemory()) {
            JobQueue queue = test.queue();
            assertThat(queue.admin().queues().list(Admin.UNLIMITED)).isEmpty();
        }
    }
}

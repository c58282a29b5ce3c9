package dev.pawl.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.JobQueue;
import dev.pawl.api.DatabaseException;
import dev.pawl.api.JobType;
import dev.pawl.api.SchemaException;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.sqlite.SQLiteDataSource;

/** Opening a queue on an unusable database fails with a message that names the database. */
class WhereaboutsTest {
    private static final JobType<String> GREET = JobType.of("greet", String.class);

    private static HikariDataSource pool(String url, int connections) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(connections);
        config.setConnectionTimeout(1_000);
        config.setInitializationFailTimeout(-1);
        return new HikariDataSource(config);
    }

    private static void assertRefused(DataSource dataSource) {
        assertThatThrownBy(() -> JobQueue.open(dataSource))
                .isInstanceOf(SchemaException.class)
                .hasMessageContaining("each connection has a database of its own: use a file, or TestQueue.inMemory()");
    }

    @Test
    void memoryOfOneConnectionIsRefusedWhereThereAreMore() {
        for (String url : List.of("jdbc:sqlite::memory:", "jdbc:sqlite:", "jdbc:sqlite:file:x?mode=memory")) {
            SQLiteDataSource plain = new SQLiteDataSource();
            plain.setUrl(url);
            assertRefused(plain);
            try (HikariDataSource several = pool(url, 5)) {
                assertRefused(several);
            }
        }
    }

    @Test
    void memoryThatAllConnectionsShareIsAsGoodAsAFile() {
        try (HikariDataSource one = pool("jdbc:sqlite::memory:", 1);
                HikariDataSource shared = pool("jdbc:sqlite:file:whereabouts?mode=memory&cache=shared", 5)) {
            for (DataSource pool : List.of(one, shared)) {
                try (JobQueue queue = JobQueue.open(pool)) {
                    assertThat(queue.enqueue(GREET, "ada").jobId()).isPositive();
                }
            }
        }
    }

    @Test
    void aDatabaseThatCannotBeReachedIsNamedWithoutItsPassword() {
        try (HikariDataSource nobody =
                pool("jdbc:postgresql://me:hunter2@127.0.0.1:9/app?user=me&password=hunter2", 2)) {
            assertThatThrownBy(() -> JobQueue.open(nobody))
                    .isInstanceOf(DatabaseException.class)
                    .hasMessageContaining("cannot open the job queue (jdbc:postgresql://127.0.0.1:9/app)")
                    .satisfies(e -> assertThat(String.valueOf(e.getMessage())).doesNotContain("hunter2"));
        }
        SQLiteDataSource folder = new SQLiteDataSource();
        folder.setUrl("jdbc:sqlite:no-such-folder/x.db");
        assertThatThrownBy(() -> JobQueue.open(folder))
                .isInstanceOf(DatabaseException.class)
                .hasMessageContaining("(jdbc:sqlite:no-such-folder/x.db)");
    }
}

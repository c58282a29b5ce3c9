package dev.pawl.conformance.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.JobQueue;
import dev.pawl.admin.Tuning;
import dev.pawl.api.Retention;
import dev.pawl.api.SchemaException;
import dev.pawl.servers.TestDatabase;
import dev.pawl.servers.TestServers;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class PostgresSchemaTest extends SchemaTest {
    @Override
    TestDatabase newDatabase() {
        return TestServers.postgres().createDatabase();
    }

    @Override
    String create(String name) throws SQLException {
        execute("CREATE SCHEMA \"" + name + "\"");
        return name;
    }

    @Override
    void drop(String schema) {} // dropped with its database

    @Override
    String product() {
        return "postgresql";
    }

    @Override
    String enter(String schema) {
        return "SET search_path TO \"" + schema + "\"";
    }

    @Override
    String call(String schema) {
        return "SELECT \"" + schema + "\".pawl_enqueue('hello', '{}')";
    }

    /** For example, a schema with the name of the role appears: the search path begins with it. */
    @Test
    void aSchemaThatAppearsInTheSearchPathGetsNoSecondQueue() throws Exception {
        String path = "SET search_path TO later, public";
        try (HikariDataSource before = pool(path);
                JobQueue queue = JobQueue.builder(before).open()) {
            queue.enqueue(GREET, "before");
            create("later");
            try (HikariDataSource after = pool(path);
                    JobQueue upgraded = JobQueue.builder(after).open()) {
                assertThat(payloads(upgraded)).containsExactly("\"before\"");
                upgraded.enqueue(GREET, "after");
            }
            assertThat(payloads(queue)).containsExactly("\"after\"", "\"before\"");
        }
    }

    @Test
    void tablesInTwoSchemasOfTheSearchPathAreRefused() throws Exception {
        create("tenant");
        try (HikariDataSource pool = pool("SET search_path TO tenant, public")) {
            JobQueue.builder(pool).schema("public").open().close();
            JobQueue.builder(pool).schema("tenant").open().close();
            assertThatThrownBy(() -> JobQueue.builder(pool).open())
                    .isInstanceOf(SchemaException.class)
                    .hasMessageContaining("tenant, public")
                    .hasMessageContaining("schema(…)");
        }
        try (HikariDataSource pool = pool("SET search_path TO tenant")) {
            JobQueue.builder(pool).open().close();
        }
        try (HikariDataSource pool = pool("SET search_path TO nowhere")) {
            assertThatThrownBy(() -> JobQueue.builder(pool).open())
                    .isInstanceOf(SchemaException.class)
                    .hasMessageContaining("search path");
        }
    }

    @Test
    void tablesOfASchemaAreRebuiltThere() throws Exception {
        String jobs = create("Own Jobs");
        create("elsewhere");
        try (HikariDataSource pool = pool(enter("elsewhere"));
                JobQueue queue = JobQueue.builder(pool).schema(jobs).open()) {
            queue.enqueue(GREET, "x");
            queue.admin().maintenance().tune(new Tuning(true, true, 3));
            queue.admin().maintenance().tune(new Tuning(false, null, null));
            queue.enqueue(GREET, "y");
            queue.admin().maintenance().prune(Retention.DEFAULTS.completed(Duration.ZERO));
            assertThat(queue.admin().maintenance().tables())
                    .anyMatch(table -> table.table().startsWith("pawl_job_history_completed_2"));
            queue.admin().maintenance().tune(new Tuning(null, false, 1));
            assertThat(payloads(queue)).containsExactly("\"x\"", "\"y\"");
            assertThat(queue.admin().maintenance().diagnose())
                    .noneMatch(finding -> finding.message().contains("missing"));
        }
        try (HikariDataSource pool = pool(enter("elsewhere"))) {
            assertThatThrownBy(() -> pool.getConnection().createStatement().execute("SELECT 1 FROM pawl_job"))
                    .hasMessageContaining("does not exist");
        }
    }
}

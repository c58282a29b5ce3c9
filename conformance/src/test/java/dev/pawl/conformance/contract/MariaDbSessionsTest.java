package dev.pawl.conformance.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.EnqueueOptions;
import dev.pawl.Strategy;
import dev.pawl.servers.TestServer;
import dev.pawl.servers.TestServers;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Where the sessions of a pool have settings that refuse statements, or cut their rows off. */
@Execution(ExecutionMode.CONCURRENT)
@OneOfUnusualMariaDb
class MariaDbSessionsTest extends DatabaseTest
        implements BulkChangeContract, AdminContract, UniqueContract, KeyContract, LimitContract, SqlDoorContract {
    @Override
    TestServer server() {
        return TestServers.mariaDbOfCarefulPeople();
    }

    @Override
    Strategy strategy() {
        return Strategy.AUTO;
    }

    @Test
    void theSessionHasItsOwnSettingsAfterwards(Fixture fixture) throws Exception {
        fixture.queue.enqueue(Fixture.GREET, "x", EnqueueOptions.DEFAULTS.key("k"));
        assertThat(fixture.admin.diagnose())
                .anySatisfy(finding -> assertThat(finding.topic() + finding.message())
                        .contains("sessions")
                        .contains("sql_safe_updates")
                        .contains("sql_select_limit"));
        for (int i = 0; i < 20; i++) {
            try (Connection connection = fixture.pool.getConnection();
                    Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery(
                            "SELECT @@sql_safe_updates + @@sql_select_limit + @@sql_auto_is_null - @@unique_checks")) {
                row.next();
                assertThat(row.getLong(1)).isEqualTo(4);
            }
        }
    }
}

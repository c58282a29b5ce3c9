package dev.pawl.lab.example;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.servers.Durability;
import dev.pawl.servers.TestDatabase;
import dev.pawl.servers.TestServer;
import dev.pawl.servers.TestServers;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import org.junit.jupiter.api.Test;

class ExamplesTest {
    @Test
    void theThreeExamplesRunOnEveryDatabase() throws Exception {
        for (TestServer server : List.of(
                TestServers.sqlite(), TestServers.postgres(Durability.DISK), TestServers.mariaDb(Durability.DISK))) {
            try (TestDatabase database = server.createDatabase();
                    HikariDataSource pool = database.newDataSource(8)) {
                for (int time = 0; time < 2; time++) { // a night that is repeated after its jobs have ended
                    assertThat(DailyAnalytics.run(pool, 300, LocalDate.parse("2026-11-21")))
                            .isEqualTo("300 accounts analyzed");
                }
                try (var connection = pool.getConnection();
                        var statement = connection.createStatement();
                        var row = statement.executeQuery("SELECT COUNT(*) FROM report")) {
                    row.next();
                    assertThat(row.getInt(1)).isEqualTo(300);
                }
                assertThat(Reminders.run(pool, Duration.ofMillis(50))).isEqualTo("2 reminders sent, 1 left out");
                assertThat(Events.run(pool, 200)).startsWith("200 events processed;");
            }
        }
    }
}

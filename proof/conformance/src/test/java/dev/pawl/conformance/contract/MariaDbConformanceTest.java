package dev.pawl.conformance.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.JobQueue;
import dev.pawl.servers.TestDatabase;
import dev.pawl.servers.TestServer;
import dev.pawl.servers.TestServers;
import org.junit.jupiter.api.Test;

@OneOfMariaDb
class MariaDbConformanceTest extends Conformance {
    @Override
    TestServer server() {
        return TestServers.mariaDb();
    }

    /** MySQL's driver reports the version of a MySQL server. */
    @Test
    void theMySqlDriverWorks() {
        String url = testDatabase()
                .jdbcUrl()
                .replace("jdbc:mariadb:", "jdbc:mysql:")
                .replace("sslMode=disable", "sslMode=DISABLED");
        try (HikariDataSource pool = new TestDatabase(url, () -> {}).newDataSource(2);
                JobQueue queue = JobQueue.open(pool)) {
            assertThat(queue.describe()).contains("MariaDB");
            assertThat(queue.enqueue(Fixture.GREET, "you").jobId()).isPositive();
        }
    }
}

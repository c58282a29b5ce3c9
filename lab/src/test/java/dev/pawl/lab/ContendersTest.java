package dev.pawl.lab;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.testkit.server.TestDatabase;
import dev.pawl.testkit.server.TestServer;
import dev.pawl.testkit.server.TestServers;
import java.util.List;
import org.junit.jupiter.api.Test;

class ContendersTest {
    @Test
    void contendersDrainWhatTheyEnqueuedOnEveryDatabase() throws Exception {
        for (TestServer server : List.of(TestServers.postgres(), TestServers.mariaDb(), TestServers.sqlite())) {
            String product = server.name().equals("mariadb") ? "mysql" : server.name();
            try (TestDatabase database = server.createDatabase();
                    HikariDataSource pool = database.newDataSource(10)) {
                for (Contender contender : List.of(
                        new RawContender(pool, product, RawSql.of(product)),
                        new RawContender(pool, product, RawSql.ofPawlTable(product)),
                        new PawlContender(pool, false, 4),
                        new PawlContender(pool, true, 4))) {
                    contender.reset();
                    contender.enqueue(3000);
                    contender.drain(3000); // throws unless it gets them all
                }
            }
        }
    }

    @Test
    void theMedianIsTheMiddle() {
        assertThat(FirstNumbers.Rates.median(List.of(9.0, 1.0, 2.0))).isEqualTo(2.0);
        assertThat(FirstNumbers.Rates.median(List.of(9.0, 1.0, 2.0, 4.0))).isEqualTo(3.0);
    }
}

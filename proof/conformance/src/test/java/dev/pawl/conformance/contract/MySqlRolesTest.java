package dev.pawl.conformance.contract;

import static org.assertj.core.api.Assumptions.assumeThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.servers.TestServer;
import dev.pawl.servers.TestServers;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/** The same statements as on MariaDB. The user of PAWL_TEST_MYSQL_URL must be allowed to grant its rights. */
@EnabledIfEnvironmentVariable(named = "PAWL_TEST_MYSQL_URL", matches = "jdbc:.*")
class MySqlRolesTest extends MariaDbRolesTest {
    @Override
    TestServer server() {
        return TestServers.mySql().orElseThrow();
    }

    @BeforeEach
    void mayGrant() throws SQLException {
        try (HikariDataSource pool = testDatabase().newDataSource(1);
                Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet grants = statement.executeQuery("SHOW GRANTS")) {
            StringBuilder all = new StringBuilder();
            while (grants.next()) {
                all.append(grants.getString(1)).append('\n');
            }
            assumeThat(all.toString())
                    .as("the user of PAWL_TEST_MYSQL_URL has no GRANT OPTION")
                    .contains("WITH GRANT OPTION");
        }
    }
}

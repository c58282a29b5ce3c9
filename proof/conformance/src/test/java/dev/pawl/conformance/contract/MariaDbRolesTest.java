package dev.pawl.conformance.contract;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.api.Strategy;
import dev.pawl.servers.TestServer;
import dev.pawl.servers.TestServers;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

class MariaDbRolesTest extends DatabaseTest implements RolesContract {
    private static final Map<String, String> PASSWORDS =
            Map.of("producer", "one secret", "worker", "another", "reader", "a third");

    @Override
    TestServer server() {
        return TestServers.mariaDb();
    }

    @Override
    Strategy strategy() {
        return Strategy.AUTO;
    }

    @Override
    public String heading() {
        return "MySQL and MariaDB";
    }

    @Override
    public HikariDataSource as(String role) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(
                testDatabase().jdbcUrl().replaceAll("user=[^&]*&?", "").replaceAll("password=[^&]*&?", ""));
        config.setUsername(role);
        config.setPassword(PASSWORDS.get(role.substring(role.lastIndexOf('_') + 1)));
        config.setMaximumPoolSize(4);
        config.setMinimumIdle(0);
        return new HikariDataSource(config);
    }

    /** A statement grants rights on one table, and users have a host. */
    @Override
    public List<String> translated(String grant) {
        String what = grant.substring(0, grant.indexOf(" ON ") + 4);
        String to = grant.substring(grant.indexOf(" TO "));
        return Arrays.stream(grant.substring(what.length(), grant.length() - to.length())
                        .split(", ", -1))
                .map(table -> what + table + to + "@'%'")
                .toList();
    }

    @Override
    public List<String> forget(String role) {
        return List.of("DROP USER " + role + "@'%'");
    }
}

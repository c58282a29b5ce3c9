package dev.pawl.conformance.contract;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.api.Strategy;
import dev.pawl.servers.TestServer;
import dev.pawl.servers.TestServers;
import java.util.List;

class PostgresRolesTest extends DatabaseTest implements RolesContract {
    @Override
    TestServer server() {
        return TestServers.postgres();
    }

    @Override
    Strategy strategy() {
        return Strategy.AUTO;
    }

    @Override
    public String heading() {
        return "PostgreSQL";
    }

    @Override
    public HikariDataSource as(String role) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(testDatabase().jdbcUrl());
        config.setMaximumPoolSize(4);
        config.setMinimumIdle(0);
        config.setConnectionInitSql("SET ROLE " + role);
        return new HikariDataSource(config);
    }

    @Override
    public List<String> forget(String role) {
        return List.of("DROP OWNED BY " + role, "DROP ROLE " + role);
    }
}

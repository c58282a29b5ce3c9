package dev.pawl.conformance.shard;

import dev.pawl.JobQueueBuilder;
import dev.pawl.servers.FullTier;
import dev.pawl.servers.TestDatabase;
import dev.pawl.servers.TestServer;
import dev.pawl.servers.TestServers;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** Two schemas of one database. */
@FullTier(group = "PAWL_CONTRACTS")
class PostgresSchemasShardsTest extends ShardContract {
    @Override
    TestServer server() {
        return TestServers.postgres();
    }

    @Override
    List<TestDatabase> databases() {
        TestDatabase database = server().createDatabase();
        try (Connection connection = DriverManager.getConnection(database.jdbcUrl());
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE SCHEMA north");
            statement.execute("CREATE SCHEMA south");
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
        return List.of(database);
    }

    @Override
    void configure(JobQueueBuilder builder, int shard) {
        builder.schema(shard == 0 ? "north" : "south");
    }
}

package dev.pawl.conformance.contract;

import dev.pawl.servers.TestDatabase;
import dev.pawl.servers.TestServers;
import java.sql.SQLException;
import java.util.UUID;

/** Here a schema is another database of the server. */
class MariaDbSchemaTest extends SchemaTest {
    private final String own = "t" + UUID.randomUUID().toString().substring(0, 8) + "_";

    @Override
    TestDatabase newDatabase() {
        return TestServers.mariaDb().createDatabase();
    }

    @Override
    String create(String name) throws SQLException {
        execute("CREATE DATABASE `" + own + name + "`");
        return own + name;
    }

    @Override
    void drop(String schema) throws SQLException {
        execute("DROP DATABASE `" + schema + "`");
    }

    @Override
    String product() {
        return "mariadb";
    }

    @Override
    String enter(String schema) {
        return "USE `" + schema + "`";
    }

    @Override
    String call(String schema) {
        return "CALL `" + schema + "`.pawl_enqueue('hello', '{}', 'default', 0, 0, 20)";
    }
}

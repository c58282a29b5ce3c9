package dev.pawl.testkit.server;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;

/** A MySQL or MariaDB server that runs already. Only databases that we create there are touched. */
final class GivenServer implements TestServer {
    private final String name;
    private final String url;

    GivenServer(String name, String url) {
        this.name = name;
        this.url = url.startsWith("jdbc:mysql:") ? withMySqlDefaults(url) : url;
    }

    private static String withMySqlDefaults(String url) {
        String result = url;
        for (String option : new String[] {"allowPublicKeyRetrieval=true", "sslMode=DISABLED"}) {
            if (!result.contains(option.substring(0, option.indexOf('=')))) {
                result += (result.contains("?") ? "&" : "?") + option;
            }
        }
        return result;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public TestDatabase createDatabase() {
        String database =
                "pawl_test_" + UUID.randomUUID().toString().replace("-", "").substring(0, 12);
        execute("CREATE DATABASE " + database);
        // jdbc:mysql://host:port/jobs?user=… → the same with our database
        String own = url.replaceFirst("(://[^/?]+)(/[^?]*)?", "$1/" + database);
        return new TestDatabase(own, () -> execute("DROP DATABASE IF EXISTS " + database));
    }

    private void execute(String sql) {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new ServerException("the given " + name + " server refuses: " + sql, e);
        }
    }

    @Override
    public boolean canRestart() {
        return false;
    }

    @Override
    public void kill() {
        throw new UnsupportedOperationException("not our server");
    }

    @Override
    public void start() {
        throw new UnsupportedOperationException("not our server");
    }

    @Override
    public void close() {}
}

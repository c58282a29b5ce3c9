package dev.pawl.testkit.server;

import java.util.Optional;

/** Where tests get their servers. The shared ones start on first use and end with the JVM. Thread-safe. */
public final class TestServers {
    private TestServers() {}

    private static final class SharedPostgres {
        static final TestServer SERVER = PostgresServer.create();
    }

    private static final class SharedMariaDb {
        static final TestServer SERVER = newMariaDb();
    }

    /** {@return the PostgreSQL that all tests of this JVM share} */
    public static TestServer postgres() {
        return SharedPostgres.SERVER;
    }

    /** {@return the MariaDB that all tests of this JVM share} */
    public static TestServer mariaDb() {
        return SharedMariaDb.SERVER;
    }

    /** {@return SQLite files} */
    public static TestServer sqlite() {
        return new SqliteServer();
    }

    /** {@return the MySQL server whose URL is in the environment as PAWL_TEST_MYSQL_URL; empty if it is not} */
    public static Optional<TestServer> mySql() {
        return given("PAWL_TEST_MYSQL_URL").map(url -> new GivenServer("mysql", url));
    }

    /** {@return a PostgreSQL of one's own, to be killed and closed} */
    public static TestServer newPostgres() {
        return PostgresServer.create();
    }

    /** {@return a MariaDB of one's own, to be killed and closed; the one in PAWL_TEST_MARIADB_URL if it is given} */
    public static TestServer newMariaDb() {
        Optional<String> url = given("PAWL_TEST_MARIADB_URL");
        return url.isPresent() ? new GivenServer("mariadb", url.get()) : MariaDbServer.create();
    }

    private static Optional<String> given(String variable) {
        return Optional.ofNullable(System.getenv(variable)).filter(url -> !url.isBlank());
    }
}

package dev.pawl.testkit.server;

import java.util.Locale;
import java.util.Optional;

/**
 * Where tests get their servers. The shared ones start on first use, end with the JVM and are not to be closed or killed.
 * Thread-safe.
 */
public final class TestServers {
    private static final Shared POSTGRES = new Shared(TestServers::newPostgres);
    private static final Shared MARIADB = new Shared(() -> given("MARIADB")
            .<TestServer>map(url -> new GivenServer("mariadb", url))
            .orElseGet(TestServers::newMariaDb));

    private TestServers() {}

    /** {@return the PostgreSQL that all tests of this JVM share} */
    public static TestServer postgres() {
        return POSTGRES.get();
    }

    /**
     * {@return the MariaDB that all tests of this JVM share; the one whose URL is in the environment as
     * PAWL_TEST_MARIADB_URL or in the system property pawl.test.mariadb.url, if it is given}
     */
    public static TestServer mariaDb() {
        return MARIADB.get();
    }

    /** {@return SQLite: no server, each database is a file of its own} */
    public static TestServer sqlite() {
        return SqliteServer.INSTANCE;
    }

    /**
     * {@return the MySQL server whose URL, with user and password, is in the environment as PAWL_TEST_MYSQL_URL or in the
     * system property pawl.test.mysql.url; empty if it is in neither}
     */
    public static Optional<TestServer> mySql() {
        return given("MYSQL").map(url -> new GivenServer("mysql", url));
    }

    /** {@return a PostgreSQL of one's own, started, to be killed and closed} */
    public static TestServer newPostgres() {
        return PostgresServer.create();
    }

    /** {@return a MariaDB of one's own, started, to be killed and closed} */
    public static TestServer newMariaDb() {
        return MariaDbServer.create();
    }

    private static Optional<String> given(String product) {
        String property = System.getProperty("pawl.test." + product.toLowerCase(Locale.ROOT) + ".url");
        return Optional.ofNullable(property)
                .or(() -> Optional.ofNullable(System.getenv("PAWL_TEST_" + product + "_URL")))
                .filter(url -> !url.isBlank());
    }
}

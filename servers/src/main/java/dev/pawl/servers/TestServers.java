package dev.pawl.servers;

import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/**
 * Where tests get their servers. The shared ones start on first use, end with the JVM and are not to be closed or killed.
 * Thread-safe.
 */
public final class TestServers {
    private static final Map<Durability, Shared> POSTGRES = shared(PostgresServer::create);
    private static final Map<Durability, Shared> MARIADB = shared(durability -> given("MARIADB")
            .<TestServer>map(url -> new GivenServer(Product.MARIADB, url))
            .orElseGet(() -> MariaDbServer.create(durability)));

    private TestServers() {}

    private static final Shared MARIADB_OF_OLD =
            new Shared(() -> MariaDbServer.create(Durability.PROCESS, "--version=10.3.39-MariaDB"));

    private static Map<Durability, Shared> shared(Function<Durability, TestServer> starter) {
        return Map.of(
                Durability.DISK, new Shared(() -> starter.apply(Durability.DISK)),
                Durability.PROCESS, new Shared(() -> starter.apply(Durability.PROCESS)));
    }

    /** {@return the PostgreSQL that all tests of this JVM share; its commits survive {@code kill -9}} */
    public static TestServer postgres() {
        return postgres(Durability.PROCESS);
    }

    /** {@return the PostgreSQL of the given durability that this JVM shares} */
    public static TestServer postgres(Durability durability) {
        return Objects.requireNonNull(POSTGRES.get(durability)).get();
    }

    /**
     * {@return the MariaDB that all tests of this JVM share; the one whose URL is in the environment as
     * PAWL_TEST_MARIADB_URL or in the system property pawl.test.mariadb.url, if it is given; one whose commits survive
     * {@code kill -9} otherwise}
     */
    public static TestServer mariaDb() {
        return mariaDb(Durability.PROCESS);
    }

    /** {@return the MariaDB of the given durability that this JVM shares, or the given server, as it is} */
    public static TestServer mariaDb(Durability durability) {
        return Objects.requireNonNull(MARIADB.get(durability)).get();
    }

    /**
     * {@return a MariaDB that all tests of this JVM share, and that says it is 10.3, the oldest that is supported: programs
     * may not use on it what 10.6 has brought, though it would work}
     */
    public static TestServer mariaDbOfOld() {
        return MARIADB_OF_OLD.get();
    }

    /**
     * {@return {@link #mariaDb()} with all modes that change what SQL means, such as how strings are quoted, how {@code NOT} binds, and
     * which value an assignment of an UPDATE sees}
     */
    public static TestServer mariaDbOfOtherModes() {
        return new WithModes(
                mariaDb(),
                "sql_mode='ANSI_QUOTES,PIPES_AS_CONCAT,HIGH_NOT_PRECEDENCE,NO_BACKSLASH_ESCAPES,SIMULTANEOUS_ASSIGNMENT,IGNORE_SPACE,"
                        + "PAD_CHAR_TO_FULL_LENGTH,REAL_AS_FLOAT,NO_UNSIGNED_SUBTRACTION,ONLY_FULL_GROUP_BY,STRICT_ALL_TABLES'");
    }

    /**
     * {@return {@link #mariaDb()} with the settings of sessions that protect people from their own mistakes, or change what is checked
     * and found} Each of them refuses a statement, or cuts its rows off.
     */
    public static TestServer mariaDbOfCarefulPeople() {
        return new WithModes(
                mariaDb(),
                "sql_safe_updates=1,sql_select_limit=2,sql_big_selects=0,max_join_size=10,sql_auto_is_null=1,unique_checks=0,"
                        + "foreign_key_checks=0,time_zone='+05:30',innodb_lock_wait_timeout=5,tx_isolation='SERIALIZABLE'");
    }

    /** {@return SQLite: no server, each database is a file of its own; its commits survive {@code kill -9}} */
    public static TestServer sqlite() {
        return sqlite(Durability.PROCESS);
    }

    /** {@return SQLite with that durability} */
    public static TestServer sqlite(Durability durability) {
        return new SqliteServer(durability);
    }

    /**
     * {@return the MySQL server whose URL, with user and password, is in the environment as PAWL_TEST_MYSQL_URL or in the
     * system property pawl.test.mysql.url; empty if it is in neither}
     */
    public static Optional<TestServer> mySql() {
        return given("MYSQL").map(url -> new GivenServer(Product.MYSQL, url));
    }

    /** {@return a PostgreSQL for the caller alone, started, to be killed and closed} */
    public static TestServer newPostgres() {
        return PostgresServer.create(Durability.PROCESS);
    }

    /** {@return a MariaDB for the caller alone, started, to be killed and closed} */
    public static TestServer newMariaDb() {
        return MariaDbServer.create(Durability.PROCESS);
    }

    private static Optional<String> given(String product) {
        String property = System.getProperty("pawl.test." + product.toLowerCase(Locale.ROOT) + ".url");
        return Optional.ofNullable(property)
                .or(() -> Optional.ofNullable(System.getenv("PAWL_TEST_" + product + "_URL")))
                .filter(url -> !url.isBlank());
    }
}

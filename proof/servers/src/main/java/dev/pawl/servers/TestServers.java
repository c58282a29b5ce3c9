package dev.pawl.servers;

import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/** Provides servers for tests. The shared ones start on first use, end with the JVM and must not be closed or killed. Thread-safe. */
public final class TestServers {
    private static final Map<Durability, SharedServer> POSTGRES = shared(durability -> given("POSTGRESQL")
            .<TestServer>map(url -> new ExternalServer(Product.POSTGRESQL, url))
            .orElseGet(() -> PostgresServer.create(durability)));
    private static final Map<Durability, SharedServer> MARIADB = shared(durability -> given("MARIADB")
            .<TestServer>map(url -> new ExternalServer(Product.MARIADB, url))
            .orElseGet(() -> MariaDbServer.create(durability)));

    private TestServers() {}

    private static final SharedServer MARIADB_OF_OLD =
            new SharedServer(() -> MariaDbServer.create(Durability.PROCESS, "--version=10.3.39-MariaDB"));

    private static Map<Durability, SharedServer> shared(Function<Durability, TestServer> starter) {
        return Map.of(
                Durability.DISK, new SharedServer(() -> starter.apply(Durability.DISK)),
                Durability.PROCESS, new SharedServer(() -> starter.apply(Durability.PROCESS)));
    }

    /**
     * {@return the PostgreSQL shared by all tests of this JVM: the server whose URL is in the environment as
     * PAWL_TEST_POSTGRESQL_URL or in the system property pawl.test.postgresql.url, if set; otherwise one whose commits
     * survive {@code kill -9}}
     */
    public static TestServer postgres() {
        return postgres(Durability.PROCESS);
    }

    /** {@return this JVM's shared PostgreSQL of the given durability} */
    public static TestServer postgres(Durability durability) {
        return Objects.requireNonNull(POSTGRES.get(durability)).get();
    }

    /**
     * {@return the MariaDB shared by all tests of this JVM: the server whose URL is in the environment as
     * PAWL_TEST_MARIADB_URL or in the system property pawl.test.mariadb.url, if set; otherwise one whose commits
     * survive {@code kill -9}}
     */
    public static TestServer mariaDb() {
        return mariaDb(Durability.PROCESS);
    }

    /** {@return this JVM's shared MariaDB of the given durability, or the configured server unchanged} */
    public static TestServer mariaDb(Durability durability) {
        return Objects.requireNonNull(MARIADB.get(durability)).get();
    }

    /**
     * {@return a MariaDB shared by all tests of this JVM that reports version 10.3, the oldest supported one: programs
     * must not use features of 10.6 on it, although they would work}
     */
    public static TestServer mariaDbOfOld() {
        return MARIADB_OF_OLD.get();
    }

    /**
     * {@return {@link #mariaDb()} with all modes that change the meaning of SQL, such as string quoting, the precedence
     * of {@code NOT}, and the values that assignments of an UPDATE see}
     */
    public static TestServer mariaDbOfOtherModes() {
        return new MariaDbWithModes(
                mariaDb(),
                "sql_mode='ANSI_QUOTES,PIPES_AS_CONCAT,HIGH_NOT_PRECEDENCE,NO_BACKSLASH_ESCAPES,SIMULTANEOUS_ASSIGNMENT,IGNORE_SPACE,"
                        + "PAD_CHAR_TO_FULL_LENGTH,REAL_AS_FLOAT,NO_UNSIGNED_SUBTRACTION,ONLY_FULL_GROUP_BY,STRICT_ALL_TABLES'");
    }

    /**
     * {@return {@link #mariaDb()} with session settings that protect users from mistakes or change checks and results} Some of these
     * settings refuse statements or truncate their results.
     */
    public static TestServer mariaDbOfCarefulPeople() {
        return new MariaDbWithModes(
                mariaDb(),
                "sql_safe_updates=1,sql_select_limit=2,sql_big_selects=0,max_join_size=10,sql_auto_is_null=1,unique_checks=0,"
                        + "foreign_key_checks=0,time_zone='+05:30',innodb_lock_wait_timeout=5,tx_isolation='SERIALIZABLE'");
    }

    /** {@return SQLite without a server: each database is a file; its commits survive {@code kill -9}} */
    public static TestServer sqlite() {
        return sqlite(Durability.PROCESS);
    }

    /** {@return SQLite with that durability} */
    public static TestServer sqlite(Durability durability) {
        return new SqliteServer(durability);
    }

    /**
     * {@return the MySQL server whose URL, with user and password, is in the environment as PAWL_TEST_MYSQL_URL or in
     * the system property pawl.test.mysql.url; empty if neither is set}
     */
    public static Optional<TestServer> mySql() {
        return given("MYSQL").map(url -> new ExternalServer(Product.MYSQL, url));
    }

    /** {@return a server that is already running, by its URL with user and password} */
    public static TestServer running(Product product, String url) {
        return new ExternalServer(product, url);
    }

    /** {@return a started PostgreSQL for the caller alone, which may be killed and must be closed} */
    public static TestServer newPostgres() {
        return PostgresServer.create(Durability.PROCESS);
    }

    /** {@return a started MariaDB for the caller alone, which may be killed and must be closed} */
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

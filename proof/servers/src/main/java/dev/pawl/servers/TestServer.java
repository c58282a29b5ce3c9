package dev.pawl.servers;

/** A real database server for tests. Thread-safe. */
public sealed interface TestServer extends AutoCloseable
        permits LocalServer, ExternalServer, SqliteServer, MariaDbWithModes {
    /** {@return its product} */
    Product product();

    /** {@return postgresql, mariadb, mysql or sqlite} */
    default String name() {
        return product().lowerCaseName();
    }

    /** {@return the server's version string, such as 18.6 or 11.4.5-MariaDB} */
    String version();

    /**
     * {@return a new, empty database; dropped on close, even if it is still in use}
     *
     * @throws ServerException if the server does not run or refuses
     */
    TestDatabase createDatabase();

    /** {@return whether {@link #kill} and {@link #start} are possible: not for SQLite, nor for a server that was already running} */
    boolean canRestart();

    /**
     * Kills all processes of the server at once, like {@code kill -9}, and waits until they have ended. Its data are
     * kept.
     *
     * @throws UnsupportedOperationException if it {@linkplain #canRestart cannot restart}
     */
    void kill();

    /**
     * Starts the killed server again on the same port and data; does nothing if it runs.
     *
     * @throws UnsupportedOperationException if it {@linkplain #canRestart cannot restart}
     * @throws ServerException if it does not respond within a minute, with the end of its log
     */
    void start();

    /** Stops the server and deletes its data; has no effect on a server that was already running. */
    @Override
    void close();
}

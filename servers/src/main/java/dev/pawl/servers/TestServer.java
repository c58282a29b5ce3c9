package dev.pawl.servers;

/** A real database server for tests. Thread-safe. */
public sealed interface TestServer extends AutoCloseable permits LocalServer, GivenServer, SqliteServer, WithModes {
    /** {@return which database it is} */
    Product product();

    /** {@return postgresql, mariadb, mysql or sqlite} */
    default String name() {
        return product().lowerCaseName();
    }

    /** {@return what the server calls its version, such as 18.6 or 11.4.5-MariaDB} */
    String version();

    /**
     * {@return a new, empty database; dropped when it is closed, even if others still use it}
     *
     * @throws ServerException if the server does not run or refuses
     */
    TestDatabase createDatabase();

    /** {@return whether {@link #kill} and {@link #start} are possible: not for SQLite nor for a server that is not ours} */
    boolean canRestart();

    /**
     * Kills all processes of the server at once, as {@code kill -9} does, and waits until they are gone. Its data stay.
     *
     * @throws UnsupportedOperationException if it {@linkplain #canRestart cannot restart}
     */
    void kill();

    /**
     * Starts the killed server again, on the same port and the same data; does nothing if it runs.
     *
     * @throws UnsupportedOperationException if it {@linkplain #canRestart cannot restart}
     * @throws ServerException if it does not respond within a minute, with the end of its log
     */
    void start();

    /** Stops the server and deletes its data; a server that is not ours goes on. */
    @Override
    void close();
}

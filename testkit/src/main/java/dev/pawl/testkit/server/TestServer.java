package dev.pawl.testkit.server;

/** A real database server for tests. Thread-safe. */
public interface TestServer extends AutoCloseable {
    /** {@return postgresql, mariadb, mysql or sqlite} */
    String name();

    /** {@return a new, empty database; dropped when it is closed} */
    TestDatabase createDatabase();

    /** {@return whether {@link #kill} and {@link #start} do anything} */
    boolean canRestart();

    /** Kills all processes of the server at once, as {@code kill -9} does. Its data stay. */
    void kill();

    /** Starts the killed server again, on the same port and the same data. */
    void start();

    /** Stops the server and deletes its data. */
    @Override
    void close();
}

package dev.pawl.testkit.server;

import java.nio.file.Path;

/** SQLite: no server; each database is a file in a folder of its own. */
final class SqliteServer implements TestServer {
    @Override
    public String name() {
        return "sqlite";
    }

    @Override
    public TestDatabase createDatabase() {
        Path folder = ServerFiles.newFolder("sqlite");
        return new TestDatabase("jdbc:sqlite:" + folder.resolve("test.db"), () -> ServerFiles.delete(folder));
    }

    @Override
    public boolean canRestart() {
        return false;
    }

    @Override
    public void kill() {
        throw new UnsupportedOperationException("SQLite runs in this process");
    }

    @Override
    public void start() {
        throw new UnsupportedOperationException("SQLite runs in this process");
    }

    @Override
    public void close() {}
}

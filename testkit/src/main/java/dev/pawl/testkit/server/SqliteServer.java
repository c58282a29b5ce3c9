package dev.pawl.testkit.server;

import java.nio.file.Path;

/** SQLite: no server; each database is a file in a folder of its own. */
final class SqliteServer implements TestServer {
    static final SqliteServer INSTANCE = new SqliteServer();

    private SqliteServer() {}

    @Override
    public String name() {
        return "sqlite";
    }

    @Override
    public String version() {
        return Sql.version(name(), "jdbc:sqlite::memory:");
    }

    @Override
    public TestDatabase createDatabase() {
        Path folder = RunFolder.newFolder("sqlite");
        return new TestDatabase("jdbc:sqlite:" + folder.resolve("test.db"), () -> FileTrees.delete(folder));
    }

    @Override
    public boolean canRestart() {
        return false;
    }

    @Override
    public void kill() {
        throw new UnsupportedOperationException("SQLite runs in the process that uses it: kill that one");
    }

    @Override
    public void start() {
        throw new UnsupportedOperationException("SQLite runs in the process that uses it: there is nothing to start");
    }

    @Override
    public void close() {}
}

package dev.pawl.servers;

import java.nio.file.Path;

/** SQLite without a server: each database is a file in its own folder. Commits wait for the disk, unless the folder is in memory. */
final class SqliteServer implements TestServer {
    private final Durability durability;

    SqliteServer(Durability durability) {
        this.durability = durability;
    }

    @Override
    public Product product() {
        return Product.SQLITE;
    }

    @Override
    public String version() {
        return Sql.version(name(), "jdbc:sqlite::memory:");
    }

    @Override
    public TestDatabase createDatabase() {
        Path folder = switch (durability) {
            case DISK -> RunFolder.newFolder(name());
            case PROCESS -> RunFolder.newFolderInMemory(name());
        };
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

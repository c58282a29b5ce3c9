package dev.pawl.specification;

import dev.pawl.JobQueue;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.sqlite.Function;
import org.sqlite.SQLiteDataSource;

/** SQLite in memory. Its clock is a custom function in place of the built-in {@code unixepoch}. */
public final class SqliteStage implements Stage {
    private static final int DETERMINISTIC = 0x800;

    private final Pool pool;
    private final Connection keeper;
    private final List<String> tables = new ArrayList<>();
    private @Nullable Path snapshot;
    private double seconds = START.toEpochMilli() / 1000.0;

    public SqliteStage() throws SQLException {
        SQLiteDataSource source = new SQLiteDataSource();
        source.setUrl("jdbc:sqlite:file:/specification-" + UUID.randomUUID() + "?vfs=memdb");
        source.getConfig().setBusyTimeout(2_000);
        source.getConfig().setPragma(org.sqlite.SQLiteConfig.Pragma.SYNCHRONOUS, "OFF");
        pool = new Pool(source::getConnection, this::replaceClock, connection -> {}, true);
        keeper = pool.getConnection();
        try (JobQueue queue = JobQueue.open(pool);
                Statement statement = keeper.createStatement()) {
            for (String each : queue.sqlToEnqueue()) {
                boolean unused = statement.execute(each);
            }
        }
        try (var statement = keeper.createStatement();
                ResultSet row = statement.executeQuery(
                        "SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'pawl_%'")) {
            while (row.next()) {
                tables.add(row.getString(1));
            }
        }
        List<String> filled = new ArrayList<>();
        for (String table : tables) {
            try (var statement = keeper.createStatement();
                    ResultSet row = statement.executeQuery("SELECT COUNT(*) FROM " + table)) {
                if (row.getInt(1) > 0) {
                    filled.add(table);
                }
            }
        }
        tables.removeAll(filled);
    }

    private void replaceClock(Connection connection) throws SQLException {
        Function.create(
                connection,
                "unixepoch",
                new Function() {
                    @Override
                    protected void xFunc() throws SQLException {
                        result(seconds);
                    }
                },
                -1,
                DETERMINISTIC);
    }

    @Override
    public DataSource pool() {
        return pool;
    }

    @Override
    public long statements() {
        return pool.statements();
    }

    @Override
    public boolean remember() throws SQLException {
        if (snapshot == null) {
            snapshot = newFile();
        }
        try (Statement statement = keeper.createStatement()) {
            int unused = statement.executeUpdate("backup to " + snapshot);
        }
        return true;
    }

    private static Path newFile() {
        try {
            Path memory = Path.of("/dev/shm"); // in memory: some programs write this file several times
            Path file = Files.isWritable(memory)
                    ? Files.createTempFile(memory, "specification", ".db")
                    : Files.createTempFile("specification", ".db");
            file.toFile().deleteOnExit();
            return file;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void goBack() throws SQLException {
        try (Statement statement = keeper.createStatement()) {
            int unused = statement.executeUpdate("restore from " + snapshot);
        }
    }

    @Override
    public void clock(Instant now) {
        seconds = now.toEpochMilli() / 1000.0;
    }

    @Override
    public String enqueueSql(
            String kind, String payload, String queue, int priority, long delaySeconds, int maxAttempts) {
        return "INSERT INTO pawl_enqueue (kind, payload, queue, priority, delay_seconds, max_attempts) VALUES ('" + kind
                + "', '" + payload + "', '" + queue + "', " + priority + ", " + delaySeconds + ", " + maxAttempts + ")";
    }

    @Override
    public void empty() throws SQLException {
        keeper.setAutoCommit(false);
        Stage.delete(keeper, tables);
        keeper.commit();
        keeper.setAutoCommit(true);
    }

    @Override
    public void close() throws SQLException {
        keeper.close();
        pool.close();
    }
}

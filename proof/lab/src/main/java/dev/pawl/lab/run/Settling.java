package dev.pawl.lab.run;

import dev.pawl.lab.database.Scratch;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Lets a server finish its background work for newly written jobs before their drain begins, so that the measurement excludes it. */
final class Settling {
    /** A number of dirty pages of InnoDB that is small enough to make no difference. */
    private static final int DIRTY_PAGES = 200;

    private static final int OLD_VERSIONS = 1_000;
    private static final long POLL_MILLIS = 500;

    private final Scratch scratch;
    private final DataSource pool;

    Settling(Scratch scratch, DataSource pool) {
        this.scratch = scratch;
        this.pool = pool;
    }

    /**
     * PostgreSQL runs VACUUM and CHECKPOINT on request, and SQLite copies its log into the file. With MySQL and MariaDB, this method can
     * only wait until few pages are dirty and few old versions are left.
     *
     * @param maxSeconds maximum time; null not to settle
     * @return how long it took; null if it was not requested
     */
    @Nullable
    Double settle(@Nullable Integer maxSeconds) throws SQLException, InterruptedException {
        if (maxSeconds == null) {
            return null;
        }
        long begun = System.nanoTime();
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            switch (scratch.dialect()) {
                case "postgresql" -> {
                    statement.setQueryTimeout(maxSeconds);
                    statement.execute("VACUUM (ANALYZE)");
                    checkpoint(statement);
                }
                case "mysql" -> awaitQuiet(statement, begun + TimeUnit.SECONDS.toNanos(maxSeconds));
                default -> statement.execute("PRAGMA wal_checkpoint(TRUNCATE)");
            }
        }
        return (System.nanoTime() - begun) / 1e9;
    }

    private static void checkpoint(Statement statement) {
        try {
            statement.execute("CHECKPOINT");
        } catch (SQLException mayNot) {
            // Requires a privilege that is rare on external servers; the server does it within minutes anyway.
        }
    }

    private static void awaitQuiet(Statement statement, long untilNanos) throws SQLException, InterruptedException {
        while (System.nanoTime() - untilNanos < 0
                && (status(statement, "Innodb_buffer_pool_pages_dirty") > DIRTY_PAGES
                        || status(statement, "Innodb_history_list_length") > OLD_VERSIONS)) {
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
    }

    private static long status(Statement statement, String name) throws SQLException {
        try (ResultSet row = statement.executeQuery("SHOW GLOBAL STATUS LIKE '" + name + "'")) {
            return row.next() ? row.getLong(2) : 0;
        }
    }
}

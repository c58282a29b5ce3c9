package dev.pawl.conformance.schedule;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.JobQueue;
import dev.pawl.internal.assembly.Databases;
import dev.pawl.internal.cluster.WorkerRegistry;
import dev.pawl.internal.database.DatabaseProduct;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.servers.Capability;
import dev.pawl.servers.Product;
import dev.pawl.servers.TestDatabase;
import dev.pawl.servers.TestServer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.postgresql.PGConnection;

/** A database whose tables are emptied before each schedule, and which shows its locks. */
final class ScheduleDatabase implements AutoCloseable {
    private static final int WORKERS = 4;
    private static final List<String> FILLED =
            List.of("pawl_lane_job", "pawl_lane_range", "pawl_job", "pawl_job_history", "pawl_attempt", "pawl_lane");

    private final Product product;
    private final TestDatabase testDatabase;
    private final List<Site> sites = new ArrayList<>();
    private final Connection watcher;
    private final List<Long> workers = new ArrayList<>();

    ScheduleDatabase(TestServer server) throws SQLException {
        product = server.product();
        testDatabase = server.createDatabase();
        for (int i = 0; i <= WORKERS; i++) {
            HikariDataSource pool = new TestDatabase(url(testDatabase.jdbcUrl(), i), () -> {}).newDataSource(2);
            if (i == 0) {
                JobQueue.builder(pool).notifications(false).open().close();
            }
            sites.add(new Site(pool, Databases.of(pool, "pawl_")));
        }
        WorkerRegistry registry = new WorkerRegistry(
                new Database(sites.get(0).pool(), sites.get(0).product().dialect()));
        for (int i = 0; i < WORKERS; i++) {
            workers.add(registry.register("worker " + i, List.of("default"), List.of(Client.KIND), 1, 1, Map.of()));
        }
        watcher = sites.get(0).pool().getConnection();
    }

    /**
     * One actor's access to the database. On SQLite, writers that share a site wait for a lock before they begin, so no other actor could
     * run between an actor's read and write. Therefore each actor has a site of its own.
     *
     * @param pool the actor's own pool
     * @param product with its own locks
     */
    record Site(HikariDataSource pool, DatabaseProduct product) {}

    /** Pawl identifies its locks for SQLite by the name of the file, so each simulated process spells this name differently. */
    private String url(String plain, int process) {
        return switch (product) {
            case POSTGRESQL -> plain + "&options=-c%20deadlock_timeout=50ms"; // deadlocks are reported this soon
            case SQLITE ->
                plain.replace("/test.db", "/.".repeat(process) + "/test.db") + "?busy_timeout=0&synchronous=OFF";
            default -> throw new IllegalArgumentException("nobody knows how " + product + " reports lock waits");
        };
    }

    /** {@return a site: number 0 is for queries from outside, and the numbers from 1 on are for actors} */
    Site site(int number) {
        return sites.get(number);
    }

    /** {@return whether jobs may become visible out of order in this database} */
    boolean mayCommitLate() {
        return product.can(Capability.ROW_LOCKS);
    }

    long worker(int number) {
        return workers.get(number);
    }

    /** Deletes all jobs, and restarts ids at one. */
    void reset(boolean lanes) throws SQLException {
        try (Connection connection = sites.get(0).pool().getConnection();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            for (String table : FILLED) {
                statement.execute("DELETE FROM " + table);
            }
            if (lanes) {
                statement.execute("INSERT INTO pawl_lane (queue, priority) VALUES ('default', 0)");
            }
            statement.execute(
                    product == Product.SQLITE
                            ? "UPDATE sqlite_sequence SET seq = 0 WHERE name = 'pawl_job'"
                            : "SELECT setval('pawl_job_ids', 1, FALSE)");
            connection.commit();
            connection.setAutoCommit(true);
        }
    }

    /** PostgreSQL reports lock waits. On SQLite no call waits, because SQLite refuses it at once, and then other actors run. */
    Waits waits() {
        return product == Product.SQLITE ? connection -> false : this::isBlocked;
    }

    private boolean isBlocked(Connection connection) throws SQLException {
        int pid;
        try {
            pid = connection.unwrap(PGConnection.class).getBackendPID();
        } catch (SQLException e) {
            return false; // the connection was closed in between
        }
        try (PreparedStatement statement = watcher.prepareStatement("SELECT cardinality(pg_blocking_pids(?)) > 0")) {
            statement.setInt(1, pid);
            try (ResultSet row = statement.executeQuery()) {
                return row.next() && row.getBoolean(1);
            }
        }
    }

    @Override
    public void close() throws SQLException {
        watcher.close();
        sites.forEach(each -> each.pool().close());
        testDatabase.close();
    }
}

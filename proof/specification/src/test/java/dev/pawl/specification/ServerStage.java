package dev.pawl.specification;

import dev.pawl.JobQueue;
import dev.pawl.servers.TestDatabase;
import dev.pawl.servers.TestServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import javax.sql.DataSource;

/**
 * A database server. Each session has its own clock: in MySQL and MariaDB a setting, in PostgreSQL functions that hide the built-in ones.
 */
public final class ServerStage implements Stage {
    private final TestDatabase database;
    private final boolean isPostgres;
    private final boolean isSerializable;
    private final Pool pool;
    private final Connection keeper;
    private final List<String> tables = new ArrayList<>();
    private final Map<Connection, Instant> clocks = new WeakHashMap<>();
    private Instant now = START;

    public ServerStage(TestServer server) throws SQLException {
        this(server, false);
    }

    /** @param isSerializable whether all connections of the pool have the isolation level SERIALIZABLE */
    ServerStage(TestServer server, boolean isSerializable) throws SQLException {
        this.isSerializable = isSerializable;
        database = server.createDatabase();
        isPostgres = database.jdbcUrl().startsWith("jdbc:postgresql");
        pool = new Pool(() -> DriverManager.getConnection(database.jdbcUrl()), this::open, this::setClock, false);
        keeper = pool.getConnection();
        try (JobQueue queue = JobQueue.open(pool);
                Statement statement = keeper.createStatement()) {
            for (String each : queue.sqlToEnqueue()) {
                statement.execute(each);
            }
        }
        List<String> all = new ArrayList<>();
        try (ResultSet rows =
                keeper.getMetaData().getTables(keeper.getCatalog(), null, "pawl%", new String[] {"TABLE"})) {
            while (rows.next()) {
                all.add(rows.getString("TABLE_NAME"));
            }
        }
        for (String table : all) {
            try (Statement statement = keeper.createStatement();
                    ResultSet row = statement.executeQuery("SELECT COUNT(*) FROM " + table)) {
                // A row of pawl_lane_job only provides ids at this time. The table must be emptied, because a reopened
                // lane keeps its number.
                if (row.next() && (row.getInt(1) == 0 || table.equals("pawl_lane_job"))) {
                    tables.add(table);
                }
            }
        }
    }

    private void open(Connection connection) throws SQLException {
        if (isSerializable) {
            connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
        }
        if (!isPostgres) {
            return;
        }
        try (Statement statement = connection.createStatement()) {
            for (String clock : List.of("statement_timestamp", "clock_timestamp", "now")) {
                statement.execute("CREATE OR REPLACE FUNCTION public." + clock + "() RETURNS timestamptz STABLE"
                        + " LANGUAGE sql AS 'SELECT current_setting(''specification.now'')::timestamptz'");
            }
            statement.execute("SET search_path = public, pg_catalog");
            statement.execute("SET synchronous_commit = off");
        }
    }

    private void setClock(Connection connection) throws SQLException {
        if (now.equals(clocks.put(connection, now))) {
            return;
        }
        long micros = ChronoUnit.MICROS.between(Instant.EPOCH, now);
        try (Statement statement = connection.createStatement()) {
            statement.execute(
                    isPostgres
                            ? "SET specification.now = '" + now + "'"
                            : "SET timestamp = " + micros / 1_000_000 + "." + "%06d".formatted(micros % 1_000_000));
        }
    }

    @Override
    public DataSource pool() {
        return pool;
    }

    @Override
    public boolean hasManyWriters() {
        return true;
    }

    @Override
    public long statements() {
        return pool.statements();
    }

    @Override
    public void clock(Instant moment) throws SQLException {
        now = moment;
        setClock(keeper);
    }

    @Override
    public String enqueueSql(
            String kind, String payload, String queue, int priority, long delaySeconds, int maxAttempts) {
        String common = "'" + kind + "', '" + payload + "', '" + queue + "', " + priority;
        return isPostgres
                ? "SELECT pawl_enqueue(" + common + ", interval '" + delaySeconds + " seconds', " + maxAttempts + ")"
                : "CALL pawl_enqueue(" + common + ", " + delaySeconds + ", " + maxAttempts + ")";
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
        database.close();
    }
}

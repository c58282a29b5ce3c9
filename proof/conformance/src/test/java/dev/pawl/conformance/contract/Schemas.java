package dev.pawl.conformance.contract;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.internal.assembly.Databases;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.SessionSettings;
import dev.pawl.servers.Capability;
import dev.pawl.servers.NodesDriver;
import dev.pawl.servers.Product;
import dev.pawl.servers.TestDatabase;
import dev.pawl.servers.TestServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/**
 * The tables of a class's tests, distinguished by prefixes. On most databases creating them takes longer than a test, so a test leaves its
 * tables empty for the next one, unless it has changed their schema. Concurrent tests share a database, except where it has only one
 * writer. Thread-safe.
 */
final class Schemas implements AutoCloseable {
    private static final AtomicInteger PREFIXES = new AtomicInteger();

    /** Connections for one test, all of which may be in use at once. */
    static final int CONNECTIONS = 12;

    /**
     * The tables of one test.
     *
     * @param database with the tables
     * @param prefix of their names
     * @param pool its connections, which cost servers more than most tests do
     */
    record Schema(TestDatabase database, String prefix, HikariDataSource pool) {}

    private final TestServer server;
    private final boolean away;
    private final TestDatabase shared;
    private final TestDatabase elsewhere;
    private final List<TestDatabase> databases = new ArrayList<>();
    private final Deque<Schema> free = new ArrayDeque<>();

    Schemas(TestServer server) {
        this(server, false);
    }

    /** @param away whether connections have another default schema than that of the tables */
    Schemas(TestServer server, boolean away) {
        this.server = server;
        this.away = away;
        this.shared = newDatabase();
        this.elsewhere = away ? newDatabase() : shared;
    }

    HikariDataSource newPool(TestDatabase database, int connections) {
        return away ? Away.newPool(product(), database, elsewhere, connections) : database.newDataSource(connections);
    }

    private TestDatabase newDatabase() {
        TestDatabase database = server.createDatabase();
        if (away) {
            Away.create(product(), database);
        }
        databases.add(database);
        return database;
    }

    Product product() {
        return server.product();
    }

    /** {@return whether new connections go to the nodes of a cluster in turn} */
    boolean areOnNodes() {
        return shared.jdbcUrl().startsWith(NodesDriver.PREFIX);
    }

    /** {@return the database of the class} */
    TestDatabase shared() {
        return shared;
    }

    /** {@return tables that are empty, or not created yet} */
    synchronized Schema take() {
        if (!free.isEmpty()) {
            return free.pop();
        }
        TestDatabase database = product().can(Capability.ROW_LOCKS) ? shared : newDatabase();
        return new Schema(database, "t" + PREFIXES.incrementAndGet() + "_pawl_", newPool(database, CONNECTIONS));
    }

    /** Gives up tables that differ from what the migrations create. */
    void forget(Schema schema) {
        schema.pool().close();
    }

    /** Empties the tables for the next test, which also gets the pool if none of its connections is still in use. */
    void giveBack(Schema schema) throws SQLException {
        boolean isIdle = schema.pool().getHikariPoolMXBean().getActiveConnections() == 0;
        Schema next;
        try (Connection connection = away
                ? DriverManager.getConnection(schema.database().jdbcUrl())
                : schema.pool().getConnection()) {
            if (away) {
                Away.enter(product(), connection);
            }
            Dialect dialect = Databases.dialect(product().lowerCaseName(), schema.prefix());
            boolean unused = new SessionSettings().during(connection, dialect, session -> {
                empty(schema, session);
                return true;
            });
        }
        if (isIdle) {
            next = schema;
        } else {
            schema.pool().close();
            next = new Schema(schema.database(), schema.prefix(), newPool(schema.database(), CONNECTIONS));
        }
        synchronized (this) {
            free.push(next);
        }
    }

    private void empty(Schema schema, Connection connection) throws SQLException {
        List<String> tables = tables(schema.prefix(), connection);
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            List<String> used = used(tables, statement);
            if (product() == Product.POSTGRESQL && !used.isEmpty()) {
                // TRUNCATE leaves no dead rows, and is no DDL in PostgreSQL. Empty tables are left out, because
                // truncating their files would take most of the time.
                statement.execute("TRUNCATE " + String.join(", ", used));
            } else {
                for (String table : used) {
                    statement.execute("DELETE FROM " + table);
                }
            }
        }
        connection.commit();
    }

    /** {@return the tables that have rows} Few have, and one query checks all. */
    private static List<String> used(List<String> tables, Statement statement) throws SQLException {
        String each = tables.stream()
                .map(table -> "SELECT '" + table + "', EXISTS (SELECT 1 FROM " + table + ")")
                .collect(Collectors.joining(" UNION ALL "));
        List<String> used = new ArrayList<>();
        try (ResultSet rows = statement.executeQuery(each)) {
            while (rows.next()) {
                if (rows.getBoolean(2)) {
                    used.add(rows.getString(1));
                }
            }
        }
        return used;
    }

    private static List<String> tables(String prefix, Connection connection) throws SQLException {
        List<String> tables = new ArrayList<>();
        String pattern = prefix.replace("_", connection.getMetaData().getSearchStringEscape() + "_") + "%";
        try (ResultSet rows =
                connection.getMetaData().getTables(connection.getCatalog(), null, pattern, new String[] {"TABLE"})) {
            while (rows.next()) {
                String table = rows.getString("TABLE_NAME");
                if (!table.equals(prefix + "schema")) {
                    tables.add(table);
                }
            }
        }
        return tables;
    }

    @Override
    public synchronized void close() {
        free.forEach(this::forget);
        databases.forEach(TestDatabase::close);
    }
}

package dev.pawl.internal.database.mysql;

import dev.pawl.api.Retention;
import dev.pawl.api.SchemaException;
import dev.pawl.api.Strategy;
import dev.pawl.internal.admin.TableCare;
import dev.pawl.internal.claim.LockingClaim;
import dev.pawl.internal.database.DatabaseParts;
import dev.pawl.internal.database.DatabaseProduct;
import dev.pawl.internal.database.ServerVersion;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.SchemaName;
import dev.pawl.internal.jdbc.SessionSettings;
import dev.pawl.internal.jdbc.TableNames;
import dev.pawl.internal.retention.HistoryUpkeep;
import dev.pawl.internal.schema.SchemaRules;
import dev.pawl.internal.store.StrategyChoice;
import dev.pawl.internal.wake.WakeHub;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Locale;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** MySQL and MariaDB. */
public final class MySql implements DatabaseProduct {
    private final MySqlDialect dialect;

    private MySql(MySqlDialect dialect) {
        this.dialect = dialect;
    }

    /**
     * @param connection to a MySQL or MariaDB
     * @param prefix of every table
     * @param schema the database with the tables; null for the connection's
     * @return the product, with its version
     * @throws SchemaException if the server is too old, or there is no such database
     * @throws SQLException from the driver
     */
    public static MySql behind(Connection connection, String prefix, @Nullable String schema) throws SQLException {
        return new SessionSettings()
                .during(connection, new MySqlDialect("", true, prefix), session -> ofSession(session, prefix, schema));
    }

    private static MySql ofSession(Connection connection, String prefix, @Nullable String schema) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(
                "SELECT VERSION(), (SELECT MIN(schema_name) FROM information_schema.schemata WHERE schema_name ="
                        + (schema == null ? " DATABASE())" : " ?)"))) {
            if (schema != null) {
                statement.setString(1, schema);
            }
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return new MySql(dialect(row.getString(1), names(prefix, schema, row.getString(2))));
            }
        }
    }

    private static TableNames names(String prefix, @Nullable String wanted, @Nullable String found) {
        if (found == null && wanted != null) {
            throw new SchemaException(
                    "there is no database '" + wanted + "' on this server, or this user may not see it: create it"
                            + " first, with CREATE DATABASE `" + wanted + "`");
        }
        if (found == null) {
            return TableNames.prefixed(prefix); // the server says at the first statement that no database is selected
        }
        if (!SchemaName.isUsable(found)) {
            throw new SchemaException(
                    "the database '" + found + "' cannot be used: its name must have " + SchemaName.REQUIREMENT);
        }
        return TableNames.onMySql(prefix, new SchemaName(found, "`" + found + "`"));
    }

    /**
     * The version is that which the server reports itself, because the driver of MySQL may report a wrong version of MariaDB, and vice
     * versa.
     *
     * @param version the result of {@code VERSION()}
     */
    static MySqlDialect dialect(String version, TableNames names) {
        if (version.toLowerCase(Locale.ROOT).contains("mariadb")) {
            // MariaDB may put a version of MySQL in front of its own, for old clients.
            ServerVersion server = ServerVersion.of(version.replaceFirst("^5\\.5\\.5-(?=\\d)", ""));
            server.require("MariaDB", version, 10, 3);
            return new MySqlDialect(version, server.isAtLeast(10, 6), names);
        }
        ServerVersion.of(version).require("MySQL", version, 8, 0);
        return new MySqlDialect(version, !version.contains("TiDB") && !version.startsWith("8.0.0"), names);
    }

    @Override
    public Dialect dialect() {
        return dialect;
    }

    @Override
    public DatabaseParts parts(Database database, Retention retention) {
        MySqlEnqueue enqueue = new MySqlEnqueue(dialect);
        if (!dialect.skipLockedWorks()) {
            StrategyChoice choice = new StrategyChoice(
                    Strategy.optimistic(100, Strategy.Pick.UNIFORM),
                    "this server has no working FOR UPDATE SKIP LOCKED (MySQL 8.0.1 and MariaDB 10.6 do)");
            return new DatabaseParts(enqueue, choice, null, null);
        }
        return new DatabaseParts(
                enqueue,
                new StrategyChoice(Strategy.SKIP_LOCKED, "FOR UPDATE SKIP LOCKED works on this server"),
                LockingClaim.inTurns(database, new MySqlClaimTurn(dialect)),
                null);
    }

    @Override
    public WakeHub.Messenger messenger(DataSource dataSource, @Nullable Boolean inTransactions) {
        return WakeHub.localMessenger();
    }

    @Override
    public SchemaRules schema() {
        return new MySqlSchema(dialect);
    }

    @Override
    public HistoryUpkeep history() {
        return HistoryUpkeep.NONE;
    }

    @Override
    public TableCare tables() {
        return new MySqlTables();
    }
}

package dev.pawl.internal.database.mysql;

import dev.pawl.Retention;
import dev.pawl.SchemaException;
import dev.pawl.Strategy;
import dev.pawl.internal.admin.TableCare;
import dev.pawl.internal.claim.LockingClaim;
import dev.pawl.internal.database.DatabaseParts;
import dev.pawl.internal.database.DatabaseProduct;
import dev.pawl.internal.database.ServerVersion;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.retention.HistoryUpkeep;
import dev.pawl.internal.schema.SchemaRules;
import dev.pawl.internal.store.StrategyChoice;
import dev.pawl.internal.wake.WakeHub;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** What MySQL and MariaDB do their own way. */
public final class MySql implements DatabaseProduct {
    private final MySqlDialect dialect;

    private MySql(MySqlDialect dialect) {
        this.dialect = dialect;
    }

    /**
     * @param connection to a MySQL or MariaDB
     * @param prefix of every table
     * @return it
     * @throws SchemaException if it is too old
     * @throws SQLException from the driver
     */
    public static MySql behind(Connection connection, String prefix) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT VERSION()")) {
            row.next();
            return new MySql(dialect(row.getString(1), prefix));
        }
    }

    /**
     * Either driver talks to either server, but is not always right about the version of the other's: so ask the server
     * itself.
     *
     * @param version what {@code VERSION()} says
     */
    static MySqlDialect dialect(String version, String prefix) {
        if (version.toLowerCase(Locale.ROOT).contains("mariadb")) {
            // For old clients a MariaDB may put the version of a MySQL in front of its own.
            ServerVersion server = ServerVersion.of(version.replaceFirst("^5\\.5\\.5-(?=\\d)", ""));
            server.require("MariaDB", version, 10, 3);
            return new MySqlDialect(version, server.isAtLeast(10, 6), prefix);
        }
        ServerVersion.of(version).require("MySQL", version, 8, 0);
        return new MySqlDialect(version, !version.contains("TiDB") && !version.startsWith("8.0.0"), prefix);
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
            return new DatabaseParts(enqueue, choice, null, null, null);
        }
        return new DatabaseParts(
                enqueue,
                new StrategyChoice(Strategy.SKIP_LOCKED, "FOR UPDATE SKIP LOCKED works on this server"),
                LockingClaim.skipping(database),
                null,
                null);
    }

    @Override
    public WakeHub.Messenger messenger(DataSource dataSource, @Nullable Boolean inTransactions) {
        return WakeHub.nobody();
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

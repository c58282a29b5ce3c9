package dev.pawl.internal.database.sqlite;

import dev.pawl.api.Retention;
import dev.pawl.api.SchemaException;
import dev.pawl.api.Strategy;
import dev.pawl.internal.admin.TableCare;
import dev.pawl.internal.claim.ClaimById;
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
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** SQLite: one writer at a time, so the claim takes the write lock and needs no row locks. */
public final class Sqlite implements DatabaseProduct {
    private final Dialect dialect;

    private Sqlite(Dialect dialect) {
        this.dialect = dialect;
    }

    /**
     * @param connection to a SQLite file
     * @param prefix of every table
     * @param schema must be null: an attached database belongs to one connection, and commits separately
     * @return the product, with its version
     * @throws SchemaException if the library is too old, or a schema is named
     * @throws SQLException from the driver
     */
    public static Sqlite behind(Connection connection, String prefix, @Nullable String schema) throws SQLException {
        if (schema != null) {
            throw new SchemaException("SQLite has no schemas, so the tables cannot be in '" + schema
                    + "': leave the schema out, and name another file or another table prefix");
        }
        DatabaseMetaData meta = connection.getMetaData();
        String version = meta.getDatabaseProductVersion();
        new ServerVersion(meta.getDatabaseMajorVersion(), meta.getDatabaseMinorVersion())
                .require("SQLite", version, 3, 42);
        return new Sqlite(new SqliteDialect(version, meta.getURL(), prefix));
    }

    @Override
    public Dialect dialect() {
        return dialect;
    }

    @Override
    public DatabaseParts parts(Database database, Retention retention) {
        return new DatabaseParts(
                new SqliteEnqueue(dialect),
                new StrategyChoice(
                        Strategy.IMMEDIATE, "SQLite has one writer at a time; the claim takes the write lock first"),
                LockingClaim.skipping(database),
                null);
    }

    @Override
    public ClaimById claimById() {
        return new SqliteClaimById(dialect);
    }

    @Override
    public WakeHub.Messenger messenger(DataSource dataSource, @Nullable Boolean inTransactions) {
        return WakeHub.localMessenger();
    }

    @Override
    public SchemaRules schema() {
        return new SqliteSchema();
    }

    @Override
    public HistoryUpkeep history() {
        return HistoryUpkeep.NONE;
    }

    @Override
    public TableCare tables() {
        return new SqliteTables();
    }
}

package dev.pawl.internal.database.postgres;

import dev.pawl.api.Retention;
import dev.pawl.api.Strategy;
import dev.pawl.internal.admin.TableCare;
import dev.pawl.internal.claim.ClaimById;
import dev.pawl.internal.database.DatabaseParts;
import dev.pawl.internal.database.DatabaseProduct;
import dev.pawl.internal.database.ServerVersion;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.TableNames;
import dev.pawl.internal.retention.HistoryUpkeep;
import dev.pawl.internal.schema.SchemaRules;
import dev.pawl.internal.settle.KeptStates;
import dev.pawl.internal.store.StrategyChoice;
import dev.pawl.internal.wake.WakeHub;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** PostgreSQL: one statement each for enqueue, claim and complete; NOTIFY; partitions. */
public final class Postgres implements DatabaseProduct {
    private final PostgresDialect dialect;
    private final boolean preparesTransactions;

    private Postgres(PostgresDialect dialect, boolean preparesTransactions) {
        this.dialect = dialect;
        this.preparesTransactions = preparesTransactions;
    }

    /**
     * @param connection to a PostgreSQL
     * @param prefix of every table
     * @param schema the schema of the tables; null for the one that the search path determines
     * @return the product, with its version
     * @throws dev.pawl.api.SchemaException if the server is too old, or there is no such schema
     * @throws SQLException from the driver
     */
    public static Postgres behind(Connection connection, String prefix, @Nullable String schema) throws SQLException {
        DatabaseMetaData meta = connection.getMetaData();
        String version = meta.getDatabaseProductVersion();
        new ServerVersion(meta.getDatabaseMajorVersion(), meta.getDatabaseMinorVersion())
                .require("PostgreSQL", version, 12, 0);
        TableNames names = TableNames.onPostgres(prefix, OwnSchema.find(connection, prefix, schema));
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SHOW max_prepared_transactions")) {
            row.next();
            return new Postgres(new PostgresDialect(version, names), row.getInt(1) > 0);
        }
    }

    @Override
    public Dialect dialect() {
        return dialect;
    }

    @Override
    public DatabaseParts parts(Database database, Retention retention) {
        return new DatabaseParts(
                new PostgresEnqueue(dialect),
                new StrategyChoice(
                        Strategy.SKIP_LOCKED, "PostgreSQL has FOR UPDATE SKIP LOCKED and UPDATE … RETURNING"),
                new PostgresClaim(database),
                new PostgresComplete(dialect, new KeptStates(dialect, retention)));
    }

    @Override
    public ClaimById claimById() {
        return new PostgresClaimById(dialect);
    }

    /**
     * A transaction that has notified cannot be prepared. So by default, the caller's transactions notify only if the server allows no
     * prepared transactions.
     */
    @Override
    public WakeHub.Messenger messenger(DataSource dataSource, @Nullable Boolean inTransactions) {
        return new PostgresMessenger(
                dataSource, dialect, inTransactions != null ? inTransactions : !preparesTransactions);
    }

    @Override
    public SchemaRules schema() {
        return new PostgresSchema(dialect);
    }

    @Override
    public HistoryUpkeep history() {
        return new PostgresHistory(dialect);
    }

    @Override
    public TableCare tables() {
        return new PostgresTables(dialect);
    }
}

package dev.pawl.internal.assembly;

import dev.pawl.api.SchemaException;
import dev.pawl.internal.database.DatabaseProduct;
import dev.pawl.internal.database.sqlite.Sqlite;
import dev.pawl.internal.jdbc.PoolSize;
import dev.pawl.internal.schema.Migrator;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;
import java.util.OptionalInt;
import javax.sql.DataSource;

/** Rejects SQLite in memory where each connection opens a separate database: only one of them would have the tables. */
public final class PrivateMemory {
    private PrivateMemory() {}

    /**
     * @param product the database
     * @param pool whose connections must share a database
     * @param migrator has migrated the tables
     * @throws SchemaException if another connection does not find them
     * @throws SQLException from the driver
     */
    public static void refuse(DatabaseProduct product, DataSource pool, Migrator migrator) throws SQLException {
        OptionalInt size = PoolSize.of(pool);
        if (!(product instanceof Sqlite) || size.orElse(0) == 1) {
            return;
        }
        String url;
        boolean isThere;
        try (Connection held = pool.getConnection()) {
            url = held.getMetaData().getURL();
            if (!mayBePrivate(url)) {
                return;
            }
            // A pool may return the connection that has migrated, so this connection is held while a second one is
            // checked. A plain data source may have only one connection.
            isThere = size.isPresent() && migrator.version() > 0;
        }
        if (!isThere && (size.isPresent() || migrator.version() == 0)) {
            throw new SchemaException(
                    "with " + url
                            + " each connection has a database of its own: use a file, or TestQueue.inMemory() of pawl-testkit");
        }
    }

    private static boolean mayBePrivate(String url) {
        String name = url.toLowerCase(Locale.ROOT).replaceFirst("^jdbc:sqlite:", "");
        return !name.contains("cache=shared")
                && (name.isEmpty()
                        || name.startsWith("?")
                        || name.contains(":memory:")
                        || name.contains("mode=memory"));
    }
}

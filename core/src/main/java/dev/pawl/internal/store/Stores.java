package dev.pawl.internal.store;

import dev.pawl.Retention;
import dev.pawl.SchemaException;
import dev.pawl.internal.store.mysql.MySql;
import dev.pawl.internal.store.mysql.MySqlDialect;
import dev.pawl.internal.store.postgres.Postgres;
import dev.pawl.internal.store.postgres.PostgresDialect;
import dev.pawl.internal.store.sql.Database;
import dev.pawl.internal.store.sql.Dialect;
import dev.pawl.internal.store.sql.Parts;
import dev.pawl.internal.store.sql.SqlJobStore;
import dev.pawl.internal.store.sqlite.Sqlite;
import dev.pawl.internal.store.sqlite.SqliteDialect;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;
import javax.sql.DataSource;

/** Finds out which database is behind a pool, and makes the store for it. */
public final class Stores {
    private Stores() {}

    /**
     * @param dataSource the caller's pool
     * @param prefix of every table
     * @return the product and version behind the pool
     * @throws SchemaException if it is not supported
     * @throws SQLException if it cannot be reached
     */
    public static Dialect dialect(DataSource dataSource, String prefix) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            DatabaseMetaData meta = connection.getMetaData();
            String product = meta.getDatabaseProductName();
            String version = meta.getDatabaseProductVersion();
            return switch (product.toLowerCase(Locale.ROOT)) {
                case "postgresql" -> {
                    requireVersion(meta, "PostgreSQL", version, 12, 0);
                    yield new PostgresDialect(version, prefix);
                }
                case "mysql", "mariadb" -> mySql(connection, meta, prefix);
                case "sqlite" -> {
                    requireVersion(meta, "SQLite", version, 3, 42);
                    yield new SqliteDialect(version, meta.getURL(), prefix);
                }
                default ->
                    throw new SchemaException("the database " + product + " " + version
                            + " is not supported: use PostgreSQL, MySQL, MariaDB or SQLite");
            };
        }
    }

    /** Either driver talks to either server, so the server itself is asked. */
    private static Dialect mySql(Connection connection, DatabaseMetaData meta, String prefix) throws SQLException {
        String version;
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT VERSION()")) {
            row.next();
            version = row.getString(1);
        }
        int major = meta.getDatabaseMajorVersion();
        int minor = meta.getDatabaseMinorVersion();
        if (version.toLowerCase(Locale.ROOT).contains("mariadb")) {
            requireVersion(meta, "MariaDB", version, 10, 3);
            return new MySqlDialect(version, major > 10 || minor >= 6, prefix);
        }
        requireVersion(meta, "MySQL", version, 8, 0);
        return new MySqlDialect(version, !version.contains("TiDB") && !version.startsWith("8.0.0"), prefix);
    }

    private static void requireVersion(DatabaseMetaData meta, String name, String version, int major, int minor)
            throws SQLException {
        int hasMajor = meta.getDatabaseMajorVersion();
        int hasMinor = meta.getDatabaseMinorVersion();
        if (hasMajor < major || (hasMajor == major && hasMinor < minor)) {
            throw new SchemaException(name + " " + version + " is too old: Pawl needs " + name + " " + major
                    + (minor > 0 ? "." + minor : "") + " or newer");
        }
    }

    /**
     * @param database the pool and the dialect
     * @param retention which finished jobs are kept at all
     * @return the store
     */
    public static SqlJobStore store(Database database, Retention retention) {
        Dialect dialect = database.dialect();
        return new SqlJobStore(database, parts(database, dialect, retention), retention);
    }

    private static Parts parts(Database database, Dialect dialect, Retention retention) {
        if (dialect instanceof PostgresDialect) {
            return Postgres.parts(database, retention);
        }
        return dialect instanceof MySqlDialect mySql
                ? MySql.parts(database, mySql.skipLockedWorks())
                : Sqlite.parts(database);
    }
}

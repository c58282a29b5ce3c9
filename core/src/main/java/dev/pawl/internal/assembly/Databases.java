package dev.pawl.internal.assembly;

import dev.pawl.api.SchemaException;
import dev.pawl.internal.database.DatabaseProduct;
import dev.pawl.internal.database.mysql.MySql;
import dev.pawl.internal.database.mysql.MySqlDialect;
import dev.pawl.internal.database.postgres.Postgres;
import dev.pawl.internal.database.postgres.PostgresDialect;
import dev.pawl.internal.database.sqlite.Sqlite;
import dev.pawl.internal.database.sqlite.SqliteDialect;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.SchemaName;
import dev.pawl.internal.jdbc.TableNames;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Detects the database behind a pool. */
public final class Databases {
    private Databases() {}

    /**
     * Creates a dialect without a server, for uses that depend on the product alone.
     *
     * @param product postgresql, mysql, mariadb or sqlite
     * @param prefix of every table
     * @return its dialect
     * @throws SchemaException if there is no such product
     */
    public static Dialect dialect(String product, String prefix) {
        return dialect(product, prefix, null);
    }

    /**
     * Creates a dialect with a schema.
     *
     * @param product postgresql, mysql, mariadb or sqlite
     * @param prefix of every table
     * @param schema to name in every statement; null for the default of the connection
     * @return its dialect
     * @throws SchemaException if there is no such product, or it has no schemas
     */
    public static Dialect dialect(String product, String prefix, @Nullable String schema) {
        return switch (product) {
            case "postgresql" ->
                new PostgresDialect(
                        "",
                        schema == null
                                ? TableNames.prefixed(prefix)
                                : TableNames.onPostgres(prefix, new SchemaName(schema, '"' + schema + '"')));
            case "mysql", "mariadb" ->
                new MySqlDialect(
                        "",
                        true,
                        schema == null
                                ? TableNames.prefixed(prefix)
                                : TableNames.onMySql(prefix, new SchemaName(schema, '`' + schema + '`')));
            case "sqlite" -> {
                if (schema != null) {
                    throw new SchemaException("SQLite has no schemas: leave '" + schema + "' out");
                }
                yield new SqliteDialect("", "", prefix);
            }
            default ->
                throw new SchemaException(
                        "the database " + product + " is not supported: use postgresql, mysql, mariadb or sqlite");
        };
    }

    /**
     * @param dataSource the caller's pool
     * @param prefix of every table
     * @return the product and version behind the pool
     * @throws SchemaException if it is not supported
     * @throws SQLException if it cannot be reached
     */
    public static DatabaseProduct of(DataSource dataSource, String prefix) throws SQLException {
        return of(dataSource, prefix, null);
    }

    /**
     * Detects the product of a pool whose tables are in a schema.
     *
     * @param dataSource the caller's pool
     * @param prefix of every table
     * @param schema that has the tables; null for the default of the connection
     * @return the product and version behind the pool
     * @throws SchemaException if it is not supported, or has no such schema
     * @throws SQLException if it cannot be reached
     */
    public static DatabaseProduct of(DataSource dataSource, String prefix, @Nullable String schema)
            throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            String name = connection.getMetaData().getDatabaseProductName();
            return switch (name.toLowerCase(Locale.ROOT)) {
                case "postgresql" -> Postgres.behind(connection, prefix, schema);
                case "mysql", "mariadb" -> MySql.behind(connection, prefix, schema);
                case "sqlite" -> Sqlite.behind(connection, prefix, schema);
                case "h2" ->
                    throw new SchemaException(
                            "H2 is not supported, in any of its modes: it has neither the partial indexes nor the"
                                    + " statements that claims are made of. For tests take SQLite in memory, with pawl-testkit and"
                                    + " org.xerial:sqlite-jdbc:\n"
                                    + "    TestQueue test = TestQueue.inMemory();\n"
                                    + "    JobQueue queue = test.queue();",
                            SchemaException.Reason.UNSUPPORTED_DATABASE);
                default ->
                    throw new SchemaException(
                            "the database " + name + " "
                                    + connection.getMetaData().getDatabaseProductVersion()
                                    + " is not supported: use PostgreSQL, MySQL, MariaDB or SQLite",
                            SchemaException.Reason.UNSUPPORTED_DATABASE);
            };
        }
    }
}

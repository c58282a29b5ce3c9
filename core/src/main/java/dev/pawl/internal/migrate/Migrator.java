package dev.pawl.internal.migrate;

import dev.pawl.SchemaException;
import dev.pawl.internal.store.sql.Dialect;
import dev.pawl.internal.store.sql.Fault;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/**
 * Brings the schema up to date, once however many programs start together, and refuses a schema that is newer than the
 * program. A small runner of our own, because a library that brings its own Flyway breaks that of the application.
 */
public final class Migrator {
    private final DataSource dataSource;
    private final Dialect dialect;
    private final MigrationLock lock;

    /**
     * @param dataSource the caller's pool
     * @param dialect the product
     */
    public Migrator(DataSource dataSource, Dialect dialect) {
        this.dataSource = dataSource;
        this.dialect = dialect;
        this.lock = MigrationLock.of(dialect);
    }

    /**
     * Applies the steps that are missing.
     *
     * @return the steps that were applied now
     * @throws SchemaException if the schema is newer than this program
     * @throws SQLException from the driver
     */
    public List<Migration> migrate() throws SQLException {
        if (version() == Migrations.newest()) {
            return List.of();
        }
        try (Connection connection = dataSource.getConnection()) {
            boolean before = connection.getAutoCommit();
            try {
                return lock.holding(connection, dialect, () -> apply(connection));
            } finally {
                connection.setAutoCommit(before);
            }
        }
    }

    /**
     * Checks that the schema is the one that this program knows.
     *
     * @throws SchemaException if steps are missing, or the schema is newer
     * @throws SQLException from the driver
     */
    public void requireCurrent() throws SQLException {
        int version = version();
        if (version < Migrations.newest()) {
            throw new SchemaException("the tables " + dialect.prefix() + "* are at version " + version
                    + ", this program needs version " + Migrations.newest()
                    + ": run 'pawl migrate' or open the queue with migration switched on");
        }
    }

    /** {@return the version of the schema; 0 if there is none} */
    public int version() throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            int version = version(connection);
            if (!connection.getAutoCommit()) {
                connection.rollback();
            }
            return version;
        }
    }

    private int version(Connection connection) throws SQLException {
        int version = 0;
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(dialect.sql("SELECT MAX(version) FROM pawl_schema"))) {
            version = row.next() ? row.getInt(1) : 0;
        } catch (SQLException e) {
            if (!isMissingTable(e)) {
                throw e;
            }
            if (!connection.getAutoCommit()) {
                connection.rollback();
            }
        }
        if (version > Migrations.newest()) {
            throw new SchemaException("the tables " + dialect.prefix() + "* are at version " + version
                    + ", this program knows only up to version " + Migrations.newest()
                    + ": a newer Pawl has migrated them, so use that version or a newer one");
        }
        return version;
    }

    /** SQLite has no code of its own for this; its general error at a plain SELECT can be nothing else. */
    private boolean isMissingTable(SQLException e) {
        return Fault.of(e) == Fault.MISSING_TABLE
                || (dialect.product().equals("sqlite") && (e.getErrorCode() & 0xff) == 1);
    }

    private List<Migration> apply(Connection connection) throws SQLException {
        List<Migration> applied = new ArrayList<>();
        execute(
                connection,
                dialect.sql(
                        "CREATE TABLE IF NOT EXISTS pawl_schema (version int PRIMARY KEY, name varchar(100) NOT NULL,"
                                + " applied_at " + lock.momentType() + " NOT NULL)"));
        int version = version(connection);
        for (Migration migration : Migrations.of(dialect)) {
            if (migration.version() > version) {
                for (String statement : migration.statements()) {
                    execute(connection, statement);
                }
                record(connection, migration);
                applied.add(migration);
            }
        }
        return applied;
    }

    private void record(Connection connection, Migration migration) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(dialect.sql(
                "INSERT INTO pawl_schema (version, name, applied_at) VALUES (?, ?, " + dialect.now() + ")"))) {
            insert.setInt(1, migration.version());
            insert.setString(2, migration.name());
            insert.executeUpdate();
        }
    }

    private void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}

package dev.pawl.internal.migrate;

import dev.pawl.SchemaException;
import dev.pawl.internal.store.sql.Dialect;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** How one of many programs that start together gets to migrate, and how the type of a moment is called there. */
enum MigrationLock {
    /** DDL is transactional; the advisory lock ends with the transaction, so it also works behind PgBouncer. */
    POSTGRESQL("timestamptz") {
        @Override
        void lock(Connection connection, Dialect dialect) throws SQLException {
            connection.setAutoCommit(false);
            try (PreparedStatement statement =
                    connection.prepareStatement("SELECT pg_advisory_xact_lock(hashtext('pawl'), hashtext(?))")) {
                statement.setString(1, dialect.prefix());
                statement.execute();
            }
        }

        @Override
        void unlock(Connection connection, Dialect dialect) throws SQLException {
            connection.commit();
        }
    },

    /** The server commits after each DDL statement, so the lock has to be one of the session. */
    MYSQL("datetime(6)") {
        private static final int WAIT_SECONDS = 120;

        @Override
        void lock(Connection connection, Dialect dialect) throws SQLException {
            connection.setAutoCommit(true);
            try (PreparedStatement statement = connection.prepareStatement("SELECT GET_LOCK(?, ?)")) {
                statement.setString(1, name(dialect));
                statement.setInt(2, WAIT_SECONDS);
                try (ResultSet row = statement.executeQuery()) {
                    if (!row.next() || row.getInt(1) != 1) {
                        throw new SchemaException("another program has been migrating the tables " + dialect.prefix()
                                + "* for " + WAIT_SECONDS + " s: wait for it or look why it hangs, then start again");
                    }
                }
            }
        }

        @Override
        void unlock(Connection connection, Dialect dialect) throws SQLException {
            try (PreparedStatement statement = connection.prepareStatement("DO RELEASE_LOCK(?)")) {
                statement.setString(1, name(dialect));
                statement.execute();
            }
        }

        private String name(Dialect dialect) {
            return "migrate " + dialect.prefix();
        }
    },

    /** The write lock of the file. The journal mode cannot be changed inside a transaction. */
    SQLITE("integer") {
        @Override
        void lock(Connection connection, Dialect dialect) throws SQLException {
            connection.setAutoCommit(true);
            try (Statement statement = connection.createStatement()) {
                statement.execute("PRAGMA busy_timeout = 30000");
                statement.execute("PRAGMA journal_mode = WAL");
                statement.execute("BEGIN IMMEDIATE");
            }
        }

        @Override
        void unlock(Connection connection, Dialect dialect) throws SQLException {
            try (Statement statement = connection.createStatement()) {
                statement.execute("COMMIT");
            }
        }

        @Override
        void abandon(Connection connection, Dialect dialect) throws SQLException {
            try (Statement statement = connection.createStatement()) {
                statement.execute("ROLLBACK");
            }
        }
    };

    private final String momentType;

    MigrationLock(String momentType) {
        this.momentType = momentType;
    }

    static MigrationLock of(Dialect dialect) {
        return switch (dialect.product()) {
            case "postgresql" -> POSTGRESQL;
            case "mysql" -> MYSQL;
            default -> SQLITE;
        };
    }

    String momentType() {
        return momentType;
    }

    abstract void lock(Connection connection, Dialect dialect) throws SQLException;

    abstract void unlock(Connection connection, Dialect dialect) throws SQLException;

    void abandon(Connection connection, Dialect dialect) throws SQLException {
        if (!connection.getAutoCommit()) {
            connection.rollback();
        } else {
            unlock(connection, dialect);
        }
    }

    interface Work<T> {
        T run() throws SQLException;
    }

    <T> T holding(Connection connection, Dialect dialect, Work<T> work) throws SQLException {
        lock(connection, dialect);
        T answer;
        try {
            answer = work.run();
        } catch (SQLException | RuntimeException failure) {
            try {
                abandon(connection, dialect);
            } catch (SQLException broken) {
                failure.addSuppressed(broken);
            }
            throw failure;
        }
        unlock(connection, dialect);
        return answer;
    }
}

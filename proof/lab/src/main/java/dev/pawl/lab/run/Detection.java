package dev.pawl.lab.run;

import dev.pawl.lab.database.Scratch;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/**
 * Switches a MySQL or MariaDB server's deadlock detection off while this object is open. The study warns that without detection,
 * transactions that wait for each other are stuck until one times out. The setting is global, so it is restored however the lab ends,
 * except by {@code kill -9}.
 */
final class Detection implements AutoCloseable {
    /** The lock wait timeout while detection is off, in seconds; the default of 50 would stall 25 times as long. */
    static final int WAIT_SECONDS = 2;

    /** The connection that switched detection off. It also works after the database has been dropped. */
    private final @Nullable Connection connection;

    private final @Nullable Thread whenKilled;
    private final String detects;
    private final int waits;
    private boolean restored;

    private Detection(Scratch scratch, boolean off) throws SQLException {
        if (!off) {
            this.whenKilled = null;
            this.connection = null;
            this.detects = "";
            this.waits = 0;
            return;
        }
        Connection kept = DriverManager.getConnection(scratch.url());
        this.connection = kept;
        try (Statement statement = kept.createStatement()) {
            try (ResultSet row = statement.executeQuery(
                    "SELECT @@GLOBAL.innodb_deadlock_detect, @@GLOBAL.innodb_lock_wait_timeout")) {
                row.next();
                this.detects = row.getBoolean(1) ? "ON" : "OFF";
                this.waits = row.getInt(2);
            }
            this.whenKilled = new Thread(this::restoreQuietly, "restore-detection");
            Runtime.getRuntime().addShutdownHook(whenKilled);
            try {
                switchOff(statement);
            } catch (SQLException refused) {
                boolean unused = Runtime.getRuntime().removeShutdownHook(whenKilled);
                throw refused;
            }
        } catch (SQLException failed) {
            kept.close();
            throw failed;
        }
    }

    /** Switches detection off completely or not at all, and never after the shutdown hook has restored it. */
    private synchronized void switchOff(Statement statement) throws SQLException {
        if (restored) {
            throw new SQLException("the program ends");
        }
        try {
            set(statement, "OFF", WAIT_SECONDS);
        } catch (SQLException refused) {
            try {
                set(statement, detects, waits);
            } catch (SQLException both) {
                refused.addSuppressed(both);
            }
            throw refused;
        }
    }

    /** Switches detection off if the cell requires it. Open connections keep their previous lock timeout. */
    static Detection of(Cell cell, Scratch scratch) throws SQLException {
        return new Detection(scratch, cell.hindrance() == Cell.Disturbance.NO_DETECTION);
    }

    private static void set(Statement statement, String detects, int waits) throws SQLException {
        statement.execute("SET GLOBAL innodb_deadlock_detect = " + detects);
        statement.execute("SET GLOBAL innodb_lock_wait_timeout = " + waits);
    }

    private synchronized void restore() throws SQLException {
        if (connection == null || restored) {
            return;
        }
        try (Statement statement = connection.createStatement()) {
            set(statement, detects, waits);
        }
        restored = true;
        connection.close();
    }

    private void restoreQuietly() {
        try {
            restore();
        } catch (SQLException gone) {
            // An embedded server ends with the lab; for an external one nothing more can be done.
        }
    }

    @Override
    public void close() throws SQLException {
        if (whenKilled != null) {
            restore();
            Runtime.getRuntime().removeShutdownHook(whenKilled);
        }
    }
}

package dev.pawl.internal.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Settings of sessions under which our statements would be refused, or would see some of their rows only. The connections of a pool are
 * alike, so one is asked every few seconds; where something has to be set, each of our transactions sets it, and sets it back.
 * Thread-safe.
 */
public final class SessionSettings {
    private static final long KNOWN_NANOS = Duration.ofSeconds(5).toNanos();

    private volatile boolean isAsked;
    private volatile long askedNanos;
    private volatile @Nullable Repair repair;

    /**
     * What a session needs.
     *
     * @param found the settings that do not suit, for people to read
     * @param set a statement that sets them
     * @param restore one that sets them back
     */
    public record Repair(String found, String set, String restore) {}

    /**
     * @param connection of the pool, between two transactions
     * @param dialect the product
     * @return what is to be restored; null if nothing was set
     * @throws SQLException from the driver
     */
    public @Nullable Repair repair(Connection connection, Dialect dialect) throws SQLException {
        long now = System.nanoTime();
        if (!isAsked || now - askedNanos > KNOWN_NANOS) {
            repair = dialect.repair(connection);
            askedNanos = now;
            isAsked = true;
        }
        Repair needed = repair;
        if (needed != null) {
            execute(connection, needed.set());
        }
        return needed;
    }

    /** {@return the settings that did not suit when one was asked last; null if all do} */
    public @Nullable String found() {
        Repair needed = repair;
        return needed == null ? null : needed.found();
    }

    /**
     * Sets back what was set. A dead connection cannot be restored; the pool finds out when it is given back.
     *
     * @param connection the same
     * @param repair what was set
     * @throws SQLException from the driver
     */
    public static void restore(Connection connection, Repair repair) throws SQLException {
        if (!connection.isClosed()) {
            try {
                execute(connection, repair.restore());
            } catch (SQLException broken) {
                if (Fault.of(broken) != Fault.UNREACHABLE) {
                    throw broken;
                }
            }
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}

package dev.pawl.internal.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Session settings under which our statements would be refused, or would see only some of their rows. Each of our transactions changes such
 * a setting to a suitable value, and restores it at its end. Thread-safe.
 */
public final class SessionSettings {
    private final PoolSample<Optional<Repair>> needed = new PoolSample<>();

    /**
     * The changes that a session needs.
     *
     * @param found the unsuitable settings, for messages
     * @param set a statement that sets suitable values
     * @param restore a statement that restores the unsuitable values
     */
    public record Repair(String found, String set, String restore) {}

    /**
     * Runs statements in a session with suitable settings.
     *
     * @param connection of the pool, between two transactions
     * @param dialect the product
     * @param work the statements
     * @param <T> the result
     * @return what {@code work} returns
     * @throws SQLException from the driver
     */
    public <T> T during(Connection connection, Dialect dialect, SqlWork<T> work) throws SQLException {
        Repair repair = needed(connection, dialect);
        return repair == null ? work.run(connection) : repaired(connection, repair, work);
    }

    static <T> T repaired(Connection connection, Repair repair, SqlWork<T> work) throws SQLException {
        execute(connection, repair.set());
        T answer;
        try {
            answer = work.run(connection);
        } catch (Throwable failure) { // other JVM languages may throw any Throwable
            var unused = Restore.after(failure, connection, () -> execute(connection, repair.restore()));
            throw failure;
        }
        Restore.unlessDead(connection, () -> execute(connection, repair.restore()));
        return answer;
    }

    /**
     * As {@link #during}, within a transaction that the caller commits afterwards. It throws if the session is lost in the meantime,
     * because the caller's commit would then succeed in the driver's new session without committing anything.
     */
    <T> T beforeCommit(Connection connection, Dialect dialect, SqlWork<T> work) throws SQLException {
        Repair repair = needed(connection, dialect);
        return repair == null ? work.run(connection) : repairedBeforeCommit(connection, repair, work);
    }

    static <T> T repairedBeforeCommit(Connection connection, Repair repair, SqlWork<T> work) throws SQLException {
        execute(connection, repair.set());
        try {
            T answer = work.run(connection);
            execute(connection, repair.restore());
            return answer;
        } catch (Throwable failure) {
            var unused = Restore.after(failure, connection, () -> execute(connection, repair.restore()));
            throw failure;
        }
    }

    private @Nullable Repair needed(Connection connection, Dialect dialect) throws SQLException {
        return needed.value(() -> Optional.ofNullable(dialect.repair(connection)))
                .orElse(null);
    }

    /** {@return the unsuitable settings of the session that was read last; null if all were suitable} */
    public @Nullable String found() {
        return needed.last().flatMap(repair -> repair.map(Repair::found)).orElse(null);
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}

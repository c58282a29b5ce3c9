package dev.pawl.internal.jdbc;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

/**
 * Aborts physical connections on which no write can succeed, so that the pool opens new ones. After a failover a
 * connection to the former primary may survive, and pools keep it, because it passes every check that does not write.
 */
public final class UselessConnections {
    /**
     * Tomcat's pool lends an aborted connection again unless it is notified. Found by name, because Pawl does not
     * depend on any pool.
     */
    private static final String TOMCATS = "org.apache.tomcat.jdbc.pool.PooledConnection";

    private UselessConnections() {}

    /**
     * @param connection of the pool, from which an error came
     * @param failure the error; further errors are added to it
     */
    static void discardAfter(Connection connection, Throwable failure) {
        if (failure instanceof SQLException sql && Fault.of(sql).isConnectionUseless()) {
            discard(connection, failure);
        }
    }

    /**
     * The physical connection of a transaction that the framework rolls back.
     *
     * @param physical the connection behind the pool's
     * @param failure the reason; further errors are added to it
     */
    record Later(Connection physical, Throwable failure) {
        void discard() {
            UselessConnections.discard(physical, failure);
        }
    }

    /**
     * @param connection of the pool, from which an error came
     * @param failure the error
     * @return what to discard once the transaction has ended; empty if the connection is usable
     */
    static Optional<Later> after(Connection connection, SQLException failure) {
        if (!Fault.of(failure).isConnectionUseless()) {
            return Optional.empty();
        }
        try {
            notifyTomcat(connection);
            return Optional.of(new Later(connection.unwrap(Connection.class), failure));
        } catch (SQLException | RuntimeException unwilling) {
            failure.addSuppressed(unwilling);
            return Optional.empty();
        }
    }

    /**
     * @param connection of the pool
     * @param failure the reason; further errors are added to it
     */
    public static void discard(Connection connection, Throwable failure) {
        try {
            notifyTomcat(connection);
            connection.abort(Runnable::run);
        } catch (SQLException | RuntimeException | AbstractMethodError unwilling) {
            failure.addSuppressed(unwilling);
        }
    }

    private static void notifyTomcat(Connection connection) throws SQLException {
        if (!Proxy.isProxyClass(connection.getClass())) {
            return;
        }
        try {
            ClassLoader loader =
                    Proxy.getInvocationHandler(connection).getClass().getClassLoader();
            Class<?> pooled = Class.forName(TOMCATS, false, loader);
            pooled.getMethod("setDiscarded", boolean.class).invoke(connection.unwrap(pooled), true);
        } catch (ReflectiveOperationException anotherPool) {
            return; // the pool notices that the connection is closed
        }
    }
}

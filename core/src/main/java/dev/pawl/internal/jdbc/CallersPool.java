package dev.pawl.internal.jdbc;

import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The caller's pool. Spring's TransactionAwareDataSourceProxy returns the connection of the transaction that surrounds
 * the calling thread; work that commits on its own would commit that transaction. So such work takes its connections
 * from the pool behind the proxy, and only an enqueue joins the surrounding transaction. Thread-safe.
 */
public final class CallersPool {
    private static final String PROXY = "org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy";
    private static final String DELEGATING = "org.springframework.jdbc.datasource.DelegatingDataSource";
    private static final String TRANSACTIONS =
            "org.springframework.transaction.support.TransactionSynchronizationManager";

    private final DataSource given;
    private final DataSource plain;
    private final @Nullable Transactions transactions;

    private CallersPool(DataSource given, DataSource plain, @Nullable Transactions transactions) {
        this.given = given;
        this.plain = plain;
        this.transactions = transactions;
    }

    /** What Spring knows about the calling thread; found by name, because Pawl does not depend on Spring. */
    private record Transactions(Method isActive, Method hasResource) {
        static Transactions of(DataSource proxy) throws ReflectiveOperationException {
            Class<?> manager =
                    Class.forName(TRANSACTIONS, true, proxy.getClass().getClassLoader());
            return new Transactions(
                    manager.getMethod("isActualTransactionActive"), manager.getMethod("hasResource", Object.class));
        }

        boolean surround(DataSource pool) {
            try {
                return (boolean) isActive.invoke(null) && (boolean) hasResource.invoke(null, pool);
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException("cannot ask Spring about the transaction of this thread", e);
            }
        }
    }

    /**
     * @param given by the caller
     * @return what is behind it
     */
    public static CallersPool of(DataSource given) {
        try {
            DataSource proxy = given;
            while (!is(proxy, PROXY) && is(proxy, DELEGATING)) {
                proxy = target(proxy);
            }
            proxy = unwrapped(proxy);
            return !is(proxy, PROXY)
                    ? new CallersPool(given, given, null)
                    : new CallersPool(given, target(proxy), Transactions.of(proxy));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(
                    "cannot find the pool behind " + given.getClass().getName() + ": give Pawl that pool itself", e);
        }
    }

    /** A wrapper that observes or measures may stand in front of the proxy; JDBC has a way to look behind it. */
    private static DataSource unwrapped(DataSource proxy) {
        if (!is(proxy, PROXY)) {
            try {
                Class<?> type = Class.forName(PROXY, false, loader(proxy));
                if (proxy.isWrapperFor(type) && proxy.unwrap(type) instanceof DataSource found) {
                    return found;
                }
            } catch (ClassNotFoundException | SQLException | RuntimeException | AbstractMethodError noSuchProxy) {
                return proxy;
            }
        }
        return proxy;
    }

    private static ClassLoader loader(DataSource dataSource) {
        ClassLoader context = Thread.currentThread().getContextClassLoader();
        ClassLoader own = dataSource.getClass().getClassLoader();
        return context != null ? context : own != null ? own : ClassLoader.getSystemClassLoader();
    }

    private static DataSource target(DataSource delegating) throws ReflectiveOperationException {
        if (delegating.getClass().getMethod("getTargetDataSource").invoke(delegating) instanceof DataSource target) {
            return target;
        }
        throw new IllegalStateException(delegating.getClass().getName() + " has no target: set its targetDataSource");
    }

    private static boolean is(DataSource dataSource, String name) {
        Class<?> type = dataSource.getClass();
        while (type != null && !type.getName().equals(name)) {
            type = type.getSuperclass();
        }
        return type != null;
    }

    /** {@return the pool whose connections belong to no transaction of the caller} */
    public DataSource plain() {
        return plain;
    }

    /**
     * {@return the connection of the transaction that surrounds this thread, to be closed as any other, which leaves the
     * transaction to its owner; null if there is none}
     *
     * @throws SQLException from the pool
     */
    public @Nullable Connection surrounding() throws SQLException {
        if (transactions == null || !transactions.surround(plain)) {
            return null;
        }
        Connection connection = given.getConnection();
        boolean joined = false;
        try {
            joined = !connection.getAutoCommit(); // else it is shared by this thread's calls, but is in no transaction
        } finally {
            if (!joined) {
                connection.close();
            }
        }
        return joined ? connection : null;
    }
}

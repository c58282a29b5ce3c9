package dev.pawl.internal.jdbc;

import dev.pawl.api.FrameworkTransactions;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The caller's pool. Spring's TransactionAwareDataSourceProxy returns the connection of the transaction that surrounds
 * the calling thread; work that commits on its own would commit that transaction. So such work takes its connections
 * from the pool behind the proxy, and only an enqueue joins the surrounding transaction. Thread-safe.
 */
public final class CallersPool {
    private static final Logger LOG = LoggerFactory.getLogger(CallersPool.class);

    private static final String PROXY = "org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy";
    private static final String DELEGATING = "org.springframework.jdbc.datasource.DelegatingDataSource";
    private static final String TRANSACTIONS =
            "org.springframework.transaction.support.TransactionSynchronizationManager";

    private static final String HOLDER = "org.springframework.jdbc.datasource.ConnectionHolder";

    private final DataSource dataSource;
    private final DataSource plain;
    private final boolean joins;
    private final @Nullable Transactions transactions;
    private final @Nullable FrameworkTransactions framework;
    private final AtomicBoolean warned = new AtomicBoolean();

    private CallersPool(
            DataSource dataSource,
            DataSource plain,
            boolean joins,
            @Nullable Transactions transactions,
            @Nullable FrameworkTransactions framework) {
        this.dataSource = dataSource;
        this.plain = plain;
        this.joins = joins;
        this.transactions = transactions;
        this.framework = framework;
    }

    /** Spring's view of the calling thread; accessed by name, because Pawl does not depend on Spring. */
    private record Transactions(
            Method isActive, Method resource, Method isSynchronized, Method inTransaction, SpringsEnd end) {
        static Transactions of(ClassLoader loader) throws ReflectiveOperationException {
            Class<?> manager = Class.forName(TRANSACTIONS, true, loader);
            Class<?> holder = Class.forName(HOLDER, true, loader);
            Method inTransaction = holder.getDeclaredMethod("isTransactionActive");
            inTransaction.setAccessible(true);
            return new Transactions(
                    manager.getMethod("isActualTransactionActive"),
                    manager.getMethod("getResource", Object.class),
                    holder.getMethod("isSynchronizedWithTransaction"),
                    inTransaction,
                    new SpringsEnd(loader, manager));
        }

        boolean surround(DataSource pool) {
            try {
                Object holder = (boolean) isActive.invoke(null) ? resource.invoke(null, pool) : null;
                return holder != null && !isOnlyKept(holder);
            } catch (ReflectiveOperationException e) {
                throw cannotAsk(e);
            }
        }

        /** A finished transaction surrounds nothing: writes on its connection would never be committed. */
        boolean hasEnded() {
            try {
                SpringsEnd.State state = end.state();
                if (state == SpringsEnd.State.UNCLEAR) {
                    throw new IllegalStateException(
                            "a job is enqueued after the end of a transaction, while another one may have"
                                    + " begun: Spring does not say, so the job might be lost. Enqueue it before the end (in"
                                    + " @TransactionalEventListener, phase BEFORE_COMMIT), or outside of any transaction, or use"
                                    + " pawl-spring, which can tell");
                }
                return state == SpringsEnd.State.ENDED;
            } catch (ReflectiveOperationException e) {
                throw cannotAsk(e);
            }
        }

        private static IllegalStateException cannotAsk(ReflectiveOperationException why) {
            return new IllegalStateException("cannot read Spring's transaction of this thread", why);
        }

        /**
         * While a transaction of another pool is open, Spring keeps a connection of this one for the calls of the
         * thread, and never commits it. Only transaction managers other than the plain one do not synchronise the
         * transaction that they report.
         */
        private boolean isOnlyKept(Object holder) throws ReflectiveOperationException {
            return isSynchronized.getDeclaringClass().isInstance(holder)
                    && (boolean) isSynchronized.invoke(holder)
                    && inTransaction.getDeclaringClass().isInstance(holder)
                    && !(boolean) inTransaction.invoke(holder);
        }
    }

    /**
     * @param dataSource the caller's
     * @param framework whose transactions may surround an enqueue; null to detect Spring's
     * @return the pool behind the proxy
     */
    public static CallersPool of(DataSource dataSource, @Nullable FrameworkTransactions framework) {
        try {
            DataSource proxy = dataSource;
            while (!is(proxy, PROXY) && is(proxy, DELEGATING)) {
                proxy = target(proxy);
            }
            proxy = unwrapped(proxy);
            return is(proxy, PROXY)
                    ? new CallersPool(
                            dataSource,
                            target(proxy),
                            true,
                            Transactions.of(proxy.getClass().getClassLoader()),
                            framework)
                    : new CallersPool(dataSource, dataSource, false, spring(dataSource), framework);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(
                    "cannot find the pool behind " + dataSource.getClass().getName() + ": give Pawl that pool itself",
                    e);
        }
    }

    /** Null if no transactions of Spring can surround a call. */
    private static @Nullable Transactions spring(DataSource dataSource) {
        try {
            return Transactions.of(loader(dataSource));
        } catch (ReflectiveOperationException | LinkageError | RuntimeException noSpring) {
            return null;
        }
    }

    /** A wrapper that observes or measures may stand in front of the proxy; JDBC can unwrap it. */
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

    /** {@return the framework whose transactions may surround an enqueue; null if none was given} */
    public @Nullable FrameworkTransactions framework() {
        return framework;
    }

    /** {@return the pool whose connections belong to no transaction of the caller} */
    public DataSource plain() {
        return plain;
    }

    /**
     * {@return the connection of the transaction that surrounds this thread, to be closed as any other, which does not
     * end the
     * transaction; null if there is none}
     *
     * @throws SQLException from the pool
     */
    public @Nullable Connection surrounding() throws SQLException {
        if (framework != null) {
            return framework.surrounding();
        }
        if (transactions == null || (!joins && warned.get()) || !transactions.surround(plain)) {
            return null;
        }
        if (!joins) {
            warnOnce();
            return null;
        }
        if (transactions.hasEnded()) {
            return null;
        }
        Connection connection = dataSource.getConnection();
        boolean joined = false;
        try {
            joined = !connection.getAutoCommit(); // otherwise the framework has reported a connection of another pool
        } finally {
            if (!joined) {
                connection.close();
            }
        }
        return joined ? connection : null;
    }

    /**
     * Wakes workers when the surrounding transaction has committed, if the framework can report that.
     *
     * @param queue in which it has enqueued
     * @param wake to be run then
     */
    public void afterCommit(String queue, Runnable wake) {
        if (framework != null) {
            framework.afterCommit(queue, wake);
        }
    }

    private void warnOnce() {
        if (!warned.getAndSet(true)) {
            LOG.warn(
                    "a job was enqueued within a transaction of Spring's, but commits by itself, even if that is rolled back:"
                            + " open the queue with new TransactionAwareDataSourceProxy(dataSource), or pass the transaction's"
                            + " connection to enqueue");
        }
    }
}

package dev.pawl.quarkus;

import jakarta.transaction.InvalidTransactionException;
import jakarta.transaction.SystemException;
import jakarta.transaction.Transaction;
import jakarta.transaction.TransactionManager;
import java.io.PrintWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The datasource for Pawl's own statements, which commit by themselves. While a thread is in a transaction, Agroal's connections belong to
 * it and refuse a commit, and a connection that does not belong to it cannot be used. So the transaction is suspended from {@link
 * #getConnection} until the connection is closed, by the same thread. Thread-safe.
 */
final class OwnConnections implements DataSource {
    private final DataSource pool;
    private final TransactionManager transactions;

    OwnConnections(DataSource pool, TransactionManager transactions) {
        this.pool = pool;
        this.transactions = transactions;
    }

    @Override
    public Connection getConnection() throws SQLException {
        Transaction surrounding = suspend();
        if (surrounding == null) {
            return pool.getConnection();
        }
        boolean opened = false;
        try {
            Connection connection = resuming(pool.getConnection(), surrounding);
            opened = true;
            return connection;
        } finally {
            if (!opened) {
                resume(surrounding);
            }
        }
    }

    private @Nullable Transaction suspend() throws SQLException {
        try {
            return transactions.suspend();
        } catch (SystemException e) {
            throw new SQLException("the surrounding transaction cannot be suspended", e);
        }
    }

    private void resume(Transaction suspended) throws SQLException {
        try {
            transactions.resume(suspended);
        } catch (InvalidTransactionException | SystemException e) {
            throw new SQLException("the surrounding transaction cannot be resumed", e);
        }
    }

    /** {@return the connection with a close that also resumes the transaction} */
    private Connection resuming(Connection connection, Transaction suspended) {
        AtomicBoolean closed = new AtomicBoolean();
        return (Connection) Proxy.newProxyInstance(
                Connection.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    try {
                        return method.invoke(connection, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    } finally {
                        if (method.getName().equals("close") && !closed.getAndSet(true)) {
                            resume(suspended);
                        }
                    }
                });
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
        throw new SQLFeatureNotSupportedException("the datasource has the user");
    }

    @Override
    public PrintWriter getLogWriter() throws SQLException {
        return pool.getLogWriter();
    }

    @Override
    public void setLogWriter(PrintWriter out) throws SQLException {
        pool.setLogWriter(out);
    }

    @Override
    public int getLoginTimeout() throws SQLException {
        return pool.getLoginTimeout();
    }

    @Override
    public void setLoginTimeout(int seconds) throws SQLException {
        pool.setLoginTimeout(seconds);
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        return pool.getParentLogger();
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        return pool.unwrap(type);
    }

    @Override
    public boolean isWrapperFor(Class<?> type) throws SQLException {
        return pool.isWrapperFor(type);
    }
}

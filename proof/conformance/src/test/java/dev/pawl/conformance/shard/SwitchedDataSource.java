package dev.pawl.conformance.shard;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.util.logging.Logger;
import javax.sql.DataSource;

/** A database that can be out of reach: then every connection is refused, as by a port at which nothing listens. */
final class SwitchedDataSource implements DataSource {
    private final DataSource pool;
    private volatile boolean down;

    SwitchedDataSource(DataSource pool) {
        this.pool = pool;
    }

    void down(boolean newDown) {
        down = newDown;
    }

    @Override
    public Connection getConnection() throws SQLException {
        if (down) {
            throw new SQLNonTransientConnectionException("Connection refused", "08001");
        }
        return pool.getConnection();
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
        throw new SQLException("the pool knows them");
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
    public void setLoginTimeout(int seconds) throws SQLException {
        pool.setLoginTimeout(seconds);
    }

    @Override
    public int getLoginTimeout() throws SQLException {
        return pool.getLoginTimeout();
    }

    @Override
    public Logger getParentLogger() {
        return Logger.getGlobal();
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        throw new SQLException("this hides the pool");
    }

    @Override
    public boolean isWrapperFor(Class<?> type) {
        return false;
    }
}

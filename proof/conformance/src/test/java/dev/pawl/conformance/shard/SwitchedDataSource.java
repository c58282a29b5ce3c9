package dev.pawl.conformance.shard;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A database that can be out of reach. Then a request for a connection is refused, as if nothing listened at the port, or it waits, as if
 * the host did not answer.
 */
final class SwitchedDataSource implements DataSource {
    private final DataSource pool;
    private volatile boolean down;
    private volatile CountDownLatch answers = new CountDownLatch(0);
    private volatile @Nullable RuntimeException broken;
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicInteger refused = new AtomicInteger();

    SwitchedDataSource(DataSource pool) {
        this.pool = pool;
    }

    void down(boolean newDown) {
        down = newDown;
    }

    /** Every call waits until {@link #goOn}. */
    void hang() {
        answers = new CountDownLatch(1);
    }

    void goOn() {
        answers.countDown();
    }

    /** Makes the pool itself throw this exception, or work again if it is null. */
    void broken(@Nullable RuntimeException with) {
        broken = with;
    }

    /** {@return how many calls wait now} */
    int waiting() {
        return waiting.get();
    }

    /** {@return how many calls were refused} */
    int refused() {
        return refused.get();
    }

    private void awaitAnswer() throws SQLException {
        waiting.incrementAndGet();
        try {
            answers.await();
        } catch (InterruptedException e) {
            throw new SQLNonTransientConnectionException("interrupted", "08001", e);
        } finally {
            waiting.decrementAndGet();
        }
    }

    @Override
    public Connection getConnection() throws SQLException {
        awaitAnswer();
        RuntimeException failure = broken;
        if (failure != null) {
            throw failure;
        }
        if (down) {
            refused.incrementAndGet();
            throw new SQLNonTransientConnectionException("Connection refused", "08001");
        }
        return pool.getConnection();
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
        throw new SQLException("the pool has its own user and password");
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

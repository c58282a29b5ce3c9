package dev.pawl.specification;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Gives connections of a stage to a program that accepts only a URL, until this driver is closed. The program's own pool sleeps for 30 ms
 * after it has opened a connection, and cannot be closed before the sleep ends. So the driver interrupts the sleep as soon as the
 * connection is used.
 */
final class StageDriver implements Driver, AutoCloseable {
    private static final AtomicLong COUNTER = new AtomicLong();

    private final String url = "jdbc:specification:" + COUNTER.incrementAndGet();
    private final DataSource pool;

    private StageDriver(DataSource pool) {
        this.pool = pool;
    }

    static StageDriver of(Stage stage) throws SQLException {
        StageDriver driver = new StageDriver(stage.pool());
        DriverManager.registerDriver(driver);
        return driver;
    }

    String url() {
        return url;
    }

    @Override
    public @Nullable Connection connect(String wanted, Properties properties) throws SQLException {
        if (!acceptsURL(wanted)) {
            return null;
        }
        Connection connection = pool.getConnection();
        Thread opener = Thread.currentThread();
        boolean[] used = {false};
        return (Connection) Proxy.newProxyInstance(
                StageDriver.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    if (!used[0] && Thread.currentThread() != opener) {
                        used[0] = true;
                        opener.interrupt();
                    }
                    return Prepared.invoke(method, connection, arguments);
                });
    }

    @Override
    public boolean acceptsURL(String wanted) {
        return wanted.equals(url);
    }

    @Override
    public DriverPropertyInfo[] getPropertyInfo(String wanted, Properties properties) {
        return new DriverPropertyInfo[0];
    }

    @Override
    public int getMajorVersion() {
        return 1;
    }

    @Override
    public int getMinorVersion() {
        return 0;
    }

    @Override
    public boolean jdbcCompliant() {
        return false;
    }

    @Override
    public Logger getParentLogger() {
        return Logger.getGlobal();
    }

    @Override
    public void close() throws SQLException {
        DriverManager.deregisterDriver(this);
    }
}

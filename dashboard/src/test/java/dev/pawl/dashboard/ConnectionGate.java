package dev.pawl.dashboard;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.CountDownLatch;
import javax.sql.DataSource;

/** A pool that delivers connections only while its gate is open: behind a closed gate all callers wait, as if the server hung. */
final class ConnectionGate {
    private volatile CountDownLatch opened = new CountDownLatch(0);

    DataSource around(DataSource pool) {
        return (DataSource) Proxy.newProxyInstance(
                ConnectionGate.class.getClassLoader(), new Class<?>[] {DataSource.class}, (proxy, method, values) -> {
                    if (method.getName().equals("getConnection")) {
                        opened.await();
                    }
                    try {
                        return method.invoke(pool, values);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    void close() {
        opened = new CountDownLatch(1);
    }

    void open() {
        opened.countDown();
    }
}

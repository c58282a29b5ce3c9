package dev.pawl.dashboard;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.CountDownLatch;
import javax.sql.DataSource;

/** A pool whose connections come only while it is open: behind a closed one everybody waits, as if the server hung. */
final class Gate {
    private volatile CountDownLatch opened = new CountDownLatch(0);

    DataSource around(DataSource pool) {
        return (DataSource) Proxy.newProxyInstance(
                Gate.class.getClassLoader(), new Class<?>[] {DataSource.class}, (proxy, method, values) -> {
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

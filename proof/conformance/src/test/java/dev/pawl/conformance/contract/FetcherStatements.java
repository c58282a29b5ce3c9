package dev.pawl.conformance.contract;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;

/** A pool that counts the statements with which workers poll for jobs and claim them. */
final class FetcherStatements {
    private final DataSource real;
    private final AtomicLong polls = new AtomicLong();
    private final AtomicLong others = new AtomicLong();

    FetcherStatements(DataSource real) {
        this.real = real;
    }

    /** {@return how many queries asked which queues have jobs} */
    long polls() {
        return polls.get();
    }

    /** {@return how many other statements there were, such as claims} */
    long others() {
        return others.get();
    }

    DataSource dataSource() {
        return proxy(DataSource.class, real);
    }

    private <T> T proxy(Class<T> type, Object of) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
                    Object answer;
                    try {
                        answer = method.invoke(of, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                    if (answer instanceof Connection connection && type == DataSource.class) {
                        return proxy(Connection.class, connection);
                    }
                    if (answer instanceof PreparedStatement
                            && method.getName().equals("prepareStatement")
                            && Thread.currentThread().getName().contains("fetcher")) {
                        boolean isPoll = String.valueOf(arguments[0]).contains(" AS due FROM ");
                        (isPoll ? polls : others).incrementAndGet();
                    }
                    return answer;
                }));
    }
}

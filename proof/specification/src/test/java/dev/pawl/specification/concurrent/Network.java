package dev.pawl.specification.concurrent;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** The connection of one process to the database; while it is cut, nothing gets through, and connections break on use. */
final class Network {
    private final DataSource pool;
    private volatile boolean isCut;

    Network(DataSource pool) {
        this.pool = pool;
    }

    void cut() {
        isCut = true;
    }

    void mend() {
        isCut = false;
    }

    DataSource dataSource() {
        return proxy(DataSource.class, (method, arguments) -> {
            if (!method.getName().equals("getConnection")) {
                return call(pool, method, arguments);
            }
            if (isCut) {
                throw new SQLException("the network is cut (made up)", "08001");
            }
            Connection real = pool.getConnection();
            return proxy(Connection.class, (of, values) -> through(real, real, of, values));
        });
    }

    private @Nullable Object through(Connection line, Object target, Method method, Object[] arguments)
            throws Throwable {
        String name = method.getName();
        boolean isUse = name.startsWith("execute")
                || name.startsWith("prepare")
                || name.equals("commit")
                || name.equals("setAutoCommit");
        if (isCut && isUse && !line.isClosed()) {
            line.abort(Runnable::run); // the transaction is rolled back
            throw new SQLException("the connection broke (made up)", "08006");
        }
        Object result = call(target, method, arguments);
        if (name.equals("unwrap")) {
            return result;
        }
        if (result instanceof PreparedStatement statement) {
            return proxy(PreparedStatement.class, (of, values) -> through(line, statement, of, values));
        }
        return result instanceof Statement statement
                ? proxy(Statement.class, (of, values) -> through(line, statement, of, values))
                : result;
    }

    private interface Handler {
        @Nullable
        Object handle(Method method, Object[] arguments) throws Throwable;
    }

    private static <T> T proxy(Class<T> type, Handler handler) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (self, method, arguments) -> handler.handle(method, arguments == null ? new Object[0] : arguments)));
    }

    private static @Nullable Object call(Object target, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}

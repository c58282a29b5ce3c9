package dev.pawl.conformance.schedule;

import dev.pawl.internal.jdbc.Fault;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A pool over the real database that passes a gate on every call to the server. Calls that only prepare a call to the server (borrowing a
 * connection, binding, autocommit, limits) do not pass it; nor does a PRAGMA, which configures how this connection waits.
 */
final class GatedDataSource {
    private GatedDataSource() {}

    /**
     * @param real the pool
     * @param gate passed by each call
     * @param rewrite changes statements before they are prepared, to plant a fault
     */
    static DataSource of(DataSource real, Gate gate, UnaryOperator<String> rewrite) {
        return proxy(DataSource.class, (method, arguments) -> {
            if (!method.getName().equals("getConnection")) {
                return call(real, method, arguments);
            }
            return gated((Connection) made(real, method, arguments), gate, rewrite);
        });
    }

    private static Connection gated(Connection real, Gate gate, UnaryOperator<String> rewrite) {
        return proxy(Connection.class, (method, arguments) -> switch (method.getName()) {
            case "prepareStatement" -> {
                String sql = rewrite.apply((String) arguments[0]);
                arguments[0] = sql;
                yield gated(PreparedStatement.class, made(real, method, arguments), real, gate, rewrite, sql);
            }
            case "createStatement" -> gated(Statement.class, made(real, method, arguments), real, gate, rewrite, null);
            case "commit", "rollback" -> passed(gate, real, method.getName(), () -> call(real, method, arguments));
            default -> call(real, method, arguments);
        });
    }

    /** A prepared statement knows its SQL, a plain one gets it with each call. */
    private static <S extends Statement> S gated(
            Class<S> type,
            Object real,
            Connection connection,
            Gate gate,
            UnaryOperator<String> rewrite,
            @Nullable String prepared) {
        Map<Integer, String> values = new TreeMap<>();
        return proxy(type, (method, arguments) -> {
            String name = method.getName();
            if (name.startsWith("set") && arguments.length >= 2 && arguments[0] instanceof Integer index) {
                values.put(index, name.equals("setNull") ? "NULL" : String.valueOf(arguments[1]));
            }
            if (!name.startsWith("execute")) {
                return call(real, method, arguments);
            }
            if (prepared == null) {
                arguments[0] = rewrite.apply((String) arguments[0]);
            }
            String sql = prepared != null ? prepared : (String) arguments[0];
            return sql.startsWith("PRAGMA")
                    ? call(real, method, arguments)
                    : passed(
                            gate,
                            connection,
                            values.isEmpty() ? sql : sql + " " + values.values(),
                            () -> call(real, method, arguments));
        });
    }

    private interface Call {
        @Nullable
        Object make() throws Throwable;
    }

    private static @Nullable Object passed(Gate gate, Connection connection, String call, Call made) throws Throwable {
        gate.before(connection, call);
        Object result;
        try {
            result = made.make();
        } catch (Throwable failure) {
            gate.after(
                    failure.toString(),
                    failure instanceof SQLException sql && Fault.of(sql).isContention());
            throw failure;
        }
        gate.after(result instanceof Integer count ? count.toString() : "", false);
        return result;
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

    private static Object made(Object target, Method method, Object[] arguments) throws Throwable {
        return Objects.requireNonNull(call(target, method, arguments));
    }

    private static @Nullable Object call(Object target, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}

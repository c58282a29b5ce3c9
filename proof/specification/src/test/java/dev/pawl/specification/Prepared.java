package dev.pawl.specification;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Statements of one connection that stay prepared between uses, because SQLite takes longer to prepare most statements than to run them.
 */
final class Prepared {
    private final Connection connection;
    private final Map<List<Object>, Deque<PreparedStatement>> idle = new HashMap<>();

    Prepared(Connection connection) {
        this.connection = connection;
    }

    /** {@return a statement} When it is closed, it is kept for the next request with the same arguments. */
    PreparedStatement take(Method prepare, Object[] arguments) throws Throwable {
        List<Object> key = Arrays.asList(arguments.clone());
        Deque<PreparedStatement> same = idle.computeIfAbsent(key, any -> new ArrayDeque<>());
        PreparedStatement real = same.poll();
        if (real == null) {
            real = (PreparedStatement) Objects.requireNonNull(invoke(prepare, connection, arguments));
        }
        return lent(real, same);
    }

    private static PreparedStatement lent(PreparedStatement real, Deque<PreparedStatement> same) {
        boolean[] closed = {false};
        boolean[] changed = {false};
        List<ResultSet> results = new ArrayList<>();
        return (PreparedStatement) Proxy.newProxyInstance(
                Prepared.class.getClassLoader(),
                new Class<?>[] {PreparedStatement.class},
                (proxy, method, arguments) -> {
                    switch (method.getName()) {
                        case "close" -> {
                            if (!closed[0]) {
                                closed[0] = true;
                                end(real, results, changed[0] ? null : same);
                            }
                            return null;
                        }
                        case "isClosed" -> {
                            return closed[0];
                        }
                        case "setFetchSize", "setMaxRows", "setQueryTimeout" -> {
                            changed[0] = true;
                            return invoke(method, real, arguments);
                        }
                        default -> {
                            Object result = invoke(method, real, arguments);
                            if (result instanceof ResultSet rows) {
                                results.add(rows);
                            }
                            return result;
                        }
                    }
                });
    }

    private static void end(PreparedStatement real, List<ResultSet> results, @Nullable Deque<PreparedStatement> same)
            throws SQLException {
        for (ResultSet rows : results) {
            rows.close();
        }
        if (same == null) {
            real.close();
        } else {
            real.clearBatch();
            real.clearParameters();
            same.push(real);
        }
    }

    static @Nullable Object invoke(Method method, Object on, Object @Nullable [] arguments) throws Throwable {
        try {
            return method.invoke(on, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}

package dev.pawl.conformance.contract;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A pool over the real database with a hook before statements and commits, for example to fail them. */
final class TamperedDataSource {
    static final String COMMIT = "COMMIT";
    /** The prefix of a timeout, which its milliseconds follow. */
    static final String TIMEOUT = "TIMEOUT ";

    private static final Pattern SCHEMA = Pattern.compile("(?:\"[^\"]+\"|`[^`]+`|\\b\\w+)\\.(?=\\w*pawl_)");

    private TamperedDataSource() {}

    /** {@return the statement without the schemas that the library puts before tables, as tests write statements} */
    static String withoutSchema(String sql) {
        return SCHEMA.matcher(sql).replaceAll("");
    }

    /**
     * Called with the SQL of each prepared statement, with {@link #COMMIT} before a commit, and with {@link #TIMEOUT} and the milliseconds
     * before a network timeout is set.
     */
    interface Tampering {
        void before(String statement) throws SQLException;
    }

    /** Runs before each connection is handed out. */
    interface Gate {
        void pass() throws SQLException;
    }

    static DataSource before(DataSource real, Gate gate) {
        return proxy(DataSource.class, (method, arguments) -> {
            if (method.getName().equals("getConnection")) {
                gate.pass();
            }
            return call(real, method, arguments);
        });
    }

    /**
     * {@return the same pool, with hooks that run in this order before each statement} {@link ExpectedStatements#at} makes a hook for
     * statements that match a pattern, and fails the test if no statement matches.
     */
    static DataSource of(DataSource real, Tampering... hooks) {
        return proxy(DataSource.class, (method, arguments) -> {
            Object result = call(real, method, arguments);
            return result instanceof Connection connection ? tampered(connection, hooks) : result;
        });
    }

    /** {@return an action that happens only once} */
    static Tampering once(Tampering action) {
        AtomicBoolean isFirst = new AtomicBoolean(true);
        return statement -> {
            if (isFirst.getAndSet(false)) {
                action.before(statement);
            }
        };
    }

    /** {@return the same pool, with each prepared statement rewritten, for example by {@link ExpectedStatements#rewriting}} */
    static DataSource rewriting(DataSource real, Function<String, String> rewrite) {
        return proxy(DataSource.class, (method, arguments) -> {
            Object result = call(real, method, arguments);
            return result instanceof Connection connection ? rewriting(connection, rewrite) : result;
        });
    }

    private static Connection rewriting(Connection real, Function<String, String> rewrite) {
        return proxy(Connection.class, (method, arguments) -> {
            if (method.getName().equals("prepareStatement")) {
                arguments[0] = rewrite.apply((String) arguments[0]);
            }
            return call(real, method, arguments);
        });
    }

    /** {@return the same pool, configured for another isolation level} The real pool resets the level when a connection is returned. */
    static DataSource isolated(DataSource real, int isolation) {
        return proxy(DataSource.class, (method, arguments) -> {
            Object result = call(real, method, arguments);
            if (result instanceof Connection connection) {
                connection.setTransactionIsolation(isolation);
            }
            return result;
        });
    }

    private static Connection tampered(Connection real, Tampering... hooks) {
        return proxy(Connection.class, (method, arguments) -> {
            @Nullable
            String statement = switch (method.getName()) {
                case "prepareStatement" -> withoutSchema((String) arguments[0]);
                case "commit" -> COMMIT;
                case "setNetworkTimeout" -> TIMEOUT + arguments[1];
                default -> null;
            };
            if (statement != null) {
                for (Tampering each : hooks) {
                    each.before(statement);
                }
            }
            return call(real, method, arguments);
        });
    }

    private interface Handler {
        Object handle(Method method, Object[] arguments) throws Throwable;
    }

    private static <T> T proxy(Class<T> type, Handler handler) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (self, method, arguments) -> handler.handle(method, arguments == null ? new Object[0] : arguments)));
    }

    private static Object call(Object target, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}

package dev.pawl.conformance.contract;

import com.zaxxer.hikari.HikariDataSource;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A pool over the real database that loses one connection at a call that the test chooses: the n-th of the test's thread. The connection is
 * really closed, so uncommitted changes are rolled back and every later call on it fails.
 */
final class FailingCalls {
    /**
     * The calls on a connection that may fail, besides executions of statements. A prepare does not fail, because it would leave the same
     * state as a failing execution.
     */
    private static final Set<String> CALLS = Set.of("commit", "rollback", "setAutoCommit", "setNetworkTimeout");

    private final HikariDataSource pool;
    private @Nullable Thread thread;
    private When when = When.BEFORE;
    private int left;
    private @Nullable String lost;

    FailingCalls(HikariDataSource pool) {
        this.pool = pool;
    }

    /** When, relative to the call, the connection is lost. */
    enum When {
        /** The server does not receive the call. */
        BEFORE,
        /** The server has committed, and only the reply is lost. So only calls that commit are counted. */
        AFTER
    }

    /**
     * Starts counting the calls of this thread.
     *
     * @param call which one fails, from 1
     */
    void arm(int call, When at) {
        thread = Thread.currentThread();
        when = at;
        left = call;
        lost = null;
    }

    /** Stops failing calls. */
    void disarm() {
        thread = null;
    }

    /** {@return the call that failed since the last {@link #arm}; null if there were fewer} */
    @Nullable
    String lost() {
        return lost;
    }

    /** {@return when, relative to the call, the connection is lost} */
    When when() {
        return when;
    }

    DataSource dataSource() {
        return proxy(
                DataSource.class,
                (method, arguments) ->
                        method.getName().equals("getConnection") ? connect() : call(pool, method, arguments));
    }

    private Connection connect() throws SQLException {
        if (isTurn(When.BEFORE, "getConnection")) {
            throw broken("getConnection");
        }
        return new Line(pool.getConnection()).connection();
    }

    private boolean isTurn(When at, String call) {
        if (thread != Thread.currentThread() || when != at || --left != 0) {
            return false;
        }
        lost = call;
        return true;
    }

    private SQLException broken(String call) {
        return new SQLException("the connection broke " + (when == When.BEFORE ? "before " : "after ") + call, "08006");
    }

    /** A connection that may break. */
    private final class Line {
        private final Connection pooled;
        private boolean isCut;
        private boolean isInTransaction;

        Line(Connection pooled) {
            this.pooled = pooled;
        }

        Connection connection() {
            return proxy(Connection.class, this::onConnection);
        }

        private @Nullable Object onConnection(Method method, Object[] arguments) throws Throwable {
            String name = method.getName();
            if (isCut && (name.equals("close") || name.equals("abort"))) {
                return null; // the pool discards it
            }
            if (isCut && name.equals("isClosed")) {
                return true;
            }
            Object result = CALLS.contains(name)
                    ? counted(name, commits(name, arguments), pooled, method, arguments)
                    : unbroken(pooled, method, arguments);
            if (result instanceof PreparedStatement statement) {
                return proxy(PreparedStatement.class, (of, values) -> onStatement(statement, of, values));
            }
            return result instanceof Statement statement
                    ? proxy(Statement.class, (of, values) -> onStatement(statement, of, values))
                    : result;
        }

        /** Autocommit that is turned on in a transaction commits it. */
        private boolean commits(String name, Object[] arguments) {
            boolean commits = name.equals("commit")
                    || (name.equals("setAutoCommit") && arguments[0].equals(true) && isInTransaction);
            isInTransaction = false;
            return commits;
        }

        private @Nullable Object onStatement(Statement statement, Method method, Object[] arguments) throws Throwable {
            String name = method.getName();
            if (isCut && name.equals("close")) {
                return null;
            }
            isInTransaction |= name.startsWith("execute");
            return name.startsWith("execute")
                    ? counted(name, pooled.getAutoCommit(), statement, method, arguments)
                    : unbroken(statement, method, arguments);
        }

        private @Nullable Object counted(String name, boolean commits, Object target, Method method, Object[] arguments)
                throws Throwable {
            if (!isCut && isTurn(When.BEFORE, name)) {
                cut();
                throw broken(name);
            }
            Object result = unbroken(target, method, arguments);
            if (commits && isTurn(When.AFTER, name)) {
                cut();
                throw broken(name);
            }
            return result;
        }

        private @Nullable Object unbroken(Object target, Method method, Object[] arguments) throws Throwable {
            if (isCut) {
                throw new SQLException("the connection is broken", "08003");
            }
            return call(target, method, arguments);
        }

        /** Rolls back here, so that no test has to wait until the server notices the lost connection. */
        private void cut() throws SQLException {
            Connection real = pooled.unwrap(Connection.class);
            if (!real.getAutoCommit()) {
                real.rollback();
            }
            real.close();
            pool.evictConnection(pooled);
            isCut = true;
        }
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

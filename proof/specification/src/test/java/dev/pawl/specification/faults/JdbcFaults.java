package dev.pawl.specification.faults;

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

/** A pool in which the n-th call after {@link #arm}, or several in a row from there, fail. For one thread. */
final class JdbcFaults {
    /** Methods of a connection that call the server; a statement calls it when it is executed. */
    private static final Set<String> CALLS = Set.of("commit", "rollback", "setAutoCommit");

    private final DataSource pool;
    private Answer answer = Fault.BEFORE;
    private int left;
    private int repetitions;
    private boolean isDead;
    private boolean hasKilled;
    private @Nullable String failed;
    private long times;

    JdbcFaults(DataSource pool) {
        this.pool = pool;
    }

    /**
     * Starts counting calls.
     *
     * @param call number of the first call that fails, from 1
     */
    void arm(int call, Answer how) {
        answer = how;
        left = call;
        repetitions = how.times() - 1;
        failed = null;
        hasKilled = false;
    }

    /** Lets calls succeed again. If the process has died, they are the calls of a new process. */
    void disarm() {
        left = 0;
        repetitions = 0;
        isDead = false;
    }

    /** {@return how calls fail, as last armed} */
    Answer answer() {
        return answer;
    }

    /** {@return whether a process has died since it was armed} */
    boolean hasKilled() {
        return hasKilled;
    }

    /** {@return the first call that has failed since the last {@link #arm}; null if none has} */
    @Nullable
    String failed() {
        return failed;
    }

    /** {@return how many calls have failed in all} */
    long times() {
        return times;
    }

    DataSource dataSource() {
        return proxy(
                DataSource.class,
                (method, arguments) ->
                        method.getName().equals("getConnection") ? connect() : call(pool, method, arguments));
    }

    private Connection connect() throws SQLException {
        requireLife();
        Line line = new Line(pool.getConnection());
        if (isTurn("getConnection", false)) {
            line.fail("getConnection");
        }
        return line.connection();
    }

    private boolean isTurn(String call, boolean commits) {
        if (!answer.isFor(call, commits)) {
            return false;
        }
        boolean isFirst = left > 0 && --left == 0;
        if (isFirst) {
            failed = call;
        }
        boolean isTurn = isFirst || (left == 0 && failed != null && repetitions-- > 0);
        times += isTurn ? 1 : 0;
        return isTurn;
    }

    private void requireLife() {
        if (isDead) {
            throw new Died();
        }
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
                return null; // the server has closed it already
            }
            if (isCut && name.equals("isClosed")) {
                return true;
            }
            Object result = CALLS.contains(name)
                    ? counted(commits(name, arguments) ? "commit" : name, pooled, method, arguments)
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
            boolean commits = name.equals("setAutoCommit") && arguments[0].equals(true) && isInTransaction;
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
                    ? counted(name, statement, method, arguments)
                    : unbroken(statement, method, arguments);
        }

        private @Nullable Object counted(String name, Object target, Method method, Object[] arguments)
                throws Throwable {
            boolean commits = name.equals("commit") || (!isCut && name.startsWith("execute") && pooled.getAutoCommit());
            boolean isTurn = !isCut && isTurn(name, commits);
            boolean isAfter = answer.isAfter(commits);
            if (isTurn && !isAfter) {
                fail(name);
            }
            Object result = unbroken(target, method, arguments);
            if (isTurn) {
                fail(name);
            }
            return result;
        }

        private @Nullable Object unbroken(Object target, Method method, Object[] arguments) throws Throwable {
            requireLife();
            if (isCut) {
                throw new SQLException("the connection is broken (made up)", "08003");
            }
            return call(target, method, arguments);
        }

        private void fail(String name) throws SQLException {
            SQLException refusal = answer.refusal(pooled, name);
            if (refusal != null) {
                throw refusal;
            }
            isCut = true;
            pooled.abort(Runnable::run); // the transaction is rolled back
            isDead = answer.isDeath();
            hasKilled = isDead;
            requireLife();
            throw answer.lost(name);
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

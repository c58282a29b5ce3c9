package dev.pawl.specification.concurrent;

import dev.pawl.specification.faults.EngineAnswer;
import dev.pawl.specification.faults.EngineError;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A database that answers some calls with the errors of other engines. Where an error leaves open whether a commit took effect, the commit
 * sometimes did and sometimes did not.
 */
final class Unreliable {
    /** One in this many calls is answered with an error. */
    private static final int ONE_OF = 40;

    private static final Set<String> CALLS = Set.of("commit", "rollback", "setAutoCommit");

    private final DataSource pool;
    private final List<EngineError> errors;
    private final Random drawn;
    private final AtomicInteger answered = new AtomicInteger();
    private volatile boolean isOn;

    Unreliable(DataSource pool, Set<EngineError.Driver> drivers, long seed) {
        this.pool = pool;
        this.errors = EngineError.behind(drivers);
        this.drawn = new Random(seed);
    }

    void begin() {
        isOn = !errors.isEmpty();
    }

    void end() {
        isOn = false;
    }

    /** {@return how many calls were answered with an error} */
    int answered() {
        return answered.get();
    }

    DataSource dataSource() {
        return proxy(DataSource.class, (method, arguments) -> {
            if (!method.getName().equals("getConnection")) {
                return call(pool, method, arguments);
            }
            Line line = new Line(pool.getConnection());
            return proxy(Connection.class, (of, values) -> line.through(line.real, of, values));
        });
    }

    private @Nullable EngineAnswer draw(String call, boolean commits) {
        synchronized (drawn) {
            if (!isOn || drawn.nextInt(ONE_OF) != 0) {
                return null;
            }
            EngineAnswer answer = new EngineAnswer(errors.get(drawn.nextInt(errors.size())), drawn.nextBoolean(), 1);
            return answer.isFor(call, commits) ? answer : null;
        }
    }

    /** A connection of one thread. */
    private final class Line {
        private final Connection real;
        private boolean isInTransaction;

        Line(Connection real) {
            this.real = real;
        }

        private @Nullable Object through(Object target, Method method, Object[] arguments) throws Throwable {
            String name = method.getName();
            boolean isStatement = name.startsWith("execute");
            isInTransaction |= isStatement;
            boolean ends = CALLS.contains(name);
            boolean commits = name.equals("commit")
                    || (name.equals("setAutoCommit") && arguments[0].equals(true) && isInTransaction)
                    || (isStatement && !real.isClosed() && real.getAutoCommit());
            EngineAnswer answer = isStatement || commits ? draw(isStatement ? name : "commit", commits) : null;
            isInTransaction &= !ends;
            if (answer == null) {
                return wrapped(call(target, method, arguments), name);
            }
            answered.incrementAndGet();
            if (answer.isAfter(commits)) {
                Object unused = call(target, method, arguments);
            }
            SQLException refusal = answer.refusal(real, isStatement ? name : "commit");
            if (refusal == null) {
                real.abort(Runnable::run); // the transaction is rolled back
                throw answer.lost(name);
            }
            throw refusal;
        }

        private @Nullable Object wrapped(@Nullable Object result, String name) {
            if (name.equals("unwrap")) {
                return result;
            }
            if (result instanceof PreparedStatement statement) {
                return proxy(PreparedStatement.class, (of, values) -> through(statement, of, values));
            }
            return result instanceof Statement statement
                    ? proxy(Statement.class, (of, values) -> through(statement, of, values))
                    : result;
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

package dev.pawl.spring;

import java.lang.reflect.Method;
import java.util.Objects;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.ReflectionUtils;

/**
 * Whether the connection that Spring keeps for this thread is in a transaction. It also keeps one while a transaction of another
 * {@code DataSource} is open and somebody has used this one, and one whose transaction is over: nobody commits those, so a job
 * written there would be lost.
 */
final class BoundConnection {
    /** Protected in Spring; {@code DataSourceTransactionManager} sets it. */
    static final Method ACTIVE =
            Objects.requireNonNull(ReflectionUtils.findMethod(ConnectionHolder.class, "isTransactionActive"));

    private static final String END = "org.springframework.transaction.support.TransactionSynchronizationUtils";

    static {
        ReflectionUtils.makeAccessible(ACTIVE);
    }

    private BoundConnection() {}

    static boolean isInTransaction(DataSource pool) {
        return ofTransaction(pool) != null;
    }

    /**
     * Whether Spring shows a transaction that has been committed or rolled back.
     *
     * @throws IllegalTransactionStateException if that cannot be told
     */
    static boolean isOver(DataSource pool) {
        if (!TransactionSynchronizationManager.isSynchronizationActive()) {
            return true; // afterCompletion, in which Spring listens no more
        }
        ConnectionHolder holder = ofTransaction(pool);
        if (holder == null) {
            return false;
        }
        Boolean open = TransactionEnds.isOpen(holder);
        if (open == null && isCalledAfterAnEnd()) {
            throw new IllegalTransactionStateException(
                    "a job is enqueued after the end of a transaction, but its transaction"
                            + " manager does not tell Pawl which transactions are over, so the job might be lost: declare a static bean"
                            + " of type " + TransactionEnds.class.getName() + ", or enqueue before the end");
        }
        return Boolean.FALSE.equals(open);
    }

    private static @Nullable ConnectionHolder ofTransaction(DataSource pool) {
        return TransactionSynchronizationManager.isActualTransactionActive()
                        && TransactionSynchronizationManager.getResource(pool) instanceof ConnectionHolder holder
                        && (!isOnlyKept(holder) || Boolean.TRUE.equals(ReflectionUtils.invokeMethod(ACTIVE, holder)))
                ? holder
                : null;
    }

    /** Managers of other kinds, such as JPA's, do not synchronise the connection that they show: it is theirs. */
    private static boolean isOnlyKept(ConnectionHolder holder) {
        return holder.isSynchronizedWithTransaction();
    }

    private static boolean isCalledAfterAnEnd() {
        return StackWalker.getInstance()
                .walk(frames -> frames.anyMatch(frame -> frame.getClassName().equals(END)
                        && frame.getMethodName().startsWith("invokeAfter")));
    }
}

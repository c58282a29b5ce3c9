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
 * Determines whether the connection that Spring binds to this thread is in a transaction. Spring also binds a connection if this {@code
 * DataSource} is used during a transaction of another {@code DataSource}, and keeps a connection whose transaction has ended. Spring
 * commits neither of these connections, so a job that is written there could be lost.
 */
final class BoundConnection {
    /** A protected method in Spring. {@code DataSourceTransactionManager} sets the flag that it returns. */
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
     * Returns whether Spring shows a transaction that has been committed or rolled back.
     *
     * @throws IllegalTransactionStateException if this cannot be determined
     */
    static boolean isOver(DataSource pool) {
        if (!TransactionSynchronizationManager.isSynchronizationActive()) {
            return true; // during afterCompletion, when Spring no longer accepts synchronizations
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

    /** {@return whether the transaction of the bound connection is open; null if its manager does not tell} */
    static @Nullable Boolean isOpen(DataSource pool) {
        ConnectionHolder holder = ofTransaction(pool);
        return holder == null ? null : TransactionEnds.isOpen(holder);
    }

    private static @Nullable ConnectionHolder ofTransaction(DataSource pool) {
        return TransactionSynchronizationManager.isActualTransactionActive()
                        && TransactionSynchronizationManager.getResource(pool) instanceof ConnectionHolder holder
                        && (!isOnlyKept(holder) || Boolean.TRUE.equals(ReflectionUtils.invokeMethod(ACTIVE, holder)))
                ? holder
                : null;
    }

    /** Managers such as JPA's own the connection that they expose, so they do not mark it as synchronised with a transaction. */
    private static boolean isOnlyKept(ConnectionHolder holder) {
        return holder.isSynchronizedWithTransaction();
    }

    private static boolean isCalledAfterAnEnd() {
        return StackWalker.getInstance()
                .walk(frames -> frames.anyMatch(frame -> frame.getClassName().equals(END)
                        && frame.getMethodName().startsWith("invokeAfter")));
    }
}

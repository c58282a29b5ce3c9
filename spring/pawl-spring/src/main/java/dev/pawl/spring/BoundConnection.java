package dev.pawl.spring;

import java.lang.reflect.Method;
import java.util.Objects;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.ReflectionUtils;

/**
 * Whether the connection that Spring keeps for this thread is in a transaction. It also keeps one while a transaction of another
 * {@code DataSource} is open and somebody has used this one: nobody commits that, so a job written there would be lost.
 */
final class BoundConnection {
    /** Protected in Spring; {@code DataSourceTransactionManager} sets it. */
    static final Method ACTIVE =
            Objects.requireNonNull(ReflectionUtils.findMethod(ConnectionHolder.class, "isTransactionActive"));

    static {
        ReflectionUtils.makeAccessible(ACTIVE);
    }

    private BoundConnection() {}

    static boolean isInTransaction(DataSource pool) {
        return TransactionSynchronizationManager.isActualTransactionActive()
                && TransactionSynchronizationManager.getResource(pool) instanceof ConnectionHolder holder
                && (!isOnlyKept(holder) || Boolean.TRUE.equals(ReflectionUtils.invokeMethod(ACTIVE, holder)));
    }

    /** Managers of other kinds, such as JPA's, do not synchronise the connection that they show: it is theirs. */
    private static boolean isOnlyKept(ConnectionHolder holder) {
        return holder.isSynchronizedWithTransaction();
    }
}
